// Bytes that do not fit into memory, in a private file that nobody else reads and that is gone afterwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/read/temporary_file.h"
#include "shoal/run/progress.h"

namespace shoal {

// Appended to by one thread at a time; read by any number once it is written. Throws Error(job): disk full and the
// like.
class SpillFile {
 public:
  SpillFile(const std::string& folder, const Progress& progress) : folder_(folder), progress_(progress) {}

  uint64_t size() const { return size_; }
  // Where the bytes begin.
  uint64_t append(const void* bytes, size_t length);
  // Requires bytes that were appended.
  void read(uint64_t at, void* bytes, size_t length) const;
  // Forgets everything, and gives the disk back.
  void clear();

 private:
  const std::string folder_;
  const Progress& progress_;
  std::unique_ptr<TemporaryFile> file_;  // made when it is first needed
  uint64_t size_ = 0;
};

// Records of some words each, appended one by one and read again from the first to the last.
class SpilledRecords {
 public:
  SpilledRecords(size_t words, const std::string& folder, const Progress& progress)
      : words_(words), progress_(progress), file_(folder, progress) {}

  size_t words() const { return words_; }
  uint64_t size() const { return written_ + buffer_.size() / words_; }
  void add(const uint64_t* record) {
    buffer_.insert(buffer_.end(), record, record + words_);
    if (buffer_.size() >= kBufferWords) flush();
  }
  void clear();

  // From the first to the last; nothing may be added meanwhile. The records must outlive it.
  class Reader {
   public:
    explicit Reader(const SpilledRecords& records) : records_(&records) {}
    // Good until the next call; nullptr at the end.
    const uint64_t* next();

   private:
    const SpilledRecords* records_;
    std::vector<uint64_t> block_;
    size_t at_ = 0;         // in the block
    uint64_t fetched_ = 0;  // records
  };
  template <typename Visit>
  void each(Visit&& visit) const {
    Reader reader(*this);
    while (const uint64_t* record = reader.next()) visit(record);
  }

 private:
  static constexpr size_t kBufferWords = size_t{1} << 17;  // 1 MB
  void flush();

  const size_t words_;
  const Progress& progress_;
  SpillFile file_;
  std::vector<uint64_t> buffer_;
  uint64_t written_ = 0;  // records
};

}  // namespace shoal
