// Lines that come in one order and are written in another, however many there are.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/read/temporary_file.h"
#include "shoal/run/progress.h"

namespace shoal {

// Keeps them in memory while they are few; beyond that in a private file beside the output, sorted roughly while they
// come, so that it is read once more, a part at a time.
class LinesInOrder {
 public:
  // `lines`: how many will come, one for each position from 0. `folder`: for the private file. `most_bytes`: to keep in
  // memory.
  LinesInOrder(uint32_t lines, std::string folder, const Progress& progress, size_t most_bytes = 96 << 20);

  // Where to append the text of the line at `position`; good until the next call of anything here.
  std::string& line(uint32_t position);
  // All lines in order, several at a time. Once, when all have come. Throws Error(job): disk full and the like.
  void write(const std::function<void(std::string_view text)>& take);
  // The same a part at a time: the texts of the next lines, good until the next call; false when there are no more.
  bool next(std::vector<std::string_view>& texts);

 private:
  struct Part {
    std::string records;                                   // [position, length, text]...
    std::vector<std::pair<uint64_t, uint64_t>> extents{};  // of the file: begin and length
  };
  void end_line();
  void spread();
  void move_to_file(Part& part);
  std::string all_records(Part& part);

  const uint32_t lines_;
  const std::string folder_;
  const Progress& progress_;
  const size_t most_bytes_;
  uint32_t lines_per_part_;
  std::vector<Part> parts_;
  Part* open_ = nullptr;  // the line that is being appended to is its last
  size_t open_at_ = 0;
  uint64_t came_ = 0;
  size_t next_part_ = 0;
  std::string given_;  // what the texts given out last are in
  std::unique_ptr<TemporaryFile> file_;
  uint64_t file_size_ = 0;
};

}  // namespace shoal
