#include "shoal/write/spill_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "shoal/error.h"

namespace shoal {

uint64_t SpillFile::append(const void* bytes, size_t length) {
  if (!file_) file_ = std::make_unique<TemporaryFile>(folder_, ".rows");
  write_fully(file_->descriptor(), std::string_view(static_cast<const char*>(bytes), length),
              "what does not fit into memory", progress_);
  const uint64_t at = size_;
  size_ += length;
  return at;
}

void SpillFile::read(uint64_t at, void* bytes, size_t length) const {
  auto* const to = static_cast<char*>(bytes);
  for (size_t done = 0; done < length;) {
    const ssize_t got =
        file_ ? pread(file_->descriptor().number(), to + done, length - done, static_cast<off_t>(at + done)) : 0;
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Error(ErrorKind::job, fmt::format("cannot read back what did not fit into memory: {}",
                                              got < 0 ? std::strerror(errno) : "it was cut short"));
    }
    done += static_cast<size_t>(got);
  }
}

void SpillFile::clear() {
  file_.reset();
  size_ = 0;
}

void SpilledRecords::flush() {
  if (buffer_.empty()) return;
  file_.append(buffer_.data(), buffer_.size() * sizeof(uint64_t));
  written_ += buffer_.size() / words_;
  buffer_.clear();
}

// The last records may still be in memory.
const uint64_t* SpilledRecords::Reader::next() {
  const size_t words = records_->words_;
  if (at_ + words < block_.size()) {
    at_ += words;
    return block_.data() + at_;
  }
  records_->progress_.check();
  at_ = 0;
  const uint64_t written = records_->written_, all = records_->size();
  if (fetched_ == all) {
    block_.clear();
    return nullptr;
  }
  if (fetched_ < written) {
    const uint64_t count = std::min<uint64_t>(written - fetched_, std::max<uint64_t>(1, kBufferWords / words));
    block_.resize(count * words);
    records_->file_.read(fetched_ * words * sizeof(uint64_t), block_.data(), block_.size() * sizeof(uint64_t));
    fetched_ += count;
  } else {
    block_ = records_->buffer_;
    fetched_ = all;
  }
  return block_.data();
}

void SpilledRecords::clear() {
  file_.clear();
  buffer_.clear();
  written_ = 0;
}

}  // namespace shoal
