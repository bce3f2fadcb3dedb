// Sorts more records than fit into memory: parts of them in memory, then all parts merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shoal/run/progress.h"
#include "shoal/write/spill_file.h"

namespace shoal {

// Records of some words (64 bits) each, ascending by the first word, then the second, and so on. Cost: n log n
// comparisons, and every record is written to a private file up to twice. Throws Error(job): disk full and the like.
class SortedRecords {
 public:
  // `most_bytes`: to hold in memory, about.
  SortedRecords(size_t words, std::string folder, size_t most_bytes, const Progress& progress);

  void add(const uint64_t* record);
  // All of them, in order. Once; afterwards there are none.
  SpilledRecords sorted();

 private:
  void end_run();
  void sort_buffer();

  const size_t words_;
  const std::string folder_;
  const size_t most_words_;
  const Progress& progress_;
  std::vector<uint64_t> buffer_, moved_;
  std::vector<uint32_t> order_;
  SpillFile file_;
  struct Run {
    uint64_t at = 0, records = 0;
  };
  std::vector<Run> runs_;
};

}  // namespace shoal
