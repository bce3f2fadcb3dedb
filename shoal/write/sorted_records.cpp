#include "shoal/write/sorted_records.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shoal {
namespace {

constexpr size_t kLeastRecords = 64;     // in memory, whatever the limit
constexpr size_t kCheckEvery = 1 << 16;  // records between two looks at whether to stop

bool before(const uint64_t* a, const uint64_t* b, size_t words) {
  for (size_t i = 0; i < words; ++i) {
    if (a[i] != b[i]) return a[i] < b[i];
  }
  return false;
}

// A sorted run, read through a window.
class RunReader {
 public:
  RunReader(const SpillFile& file, uint64_t at, uint64_t records, size_t words, size_t window)
      : file_(file), at_(at), left_(records), words_(words), window_(window) {
    fill();
  }
  const uint64_t* record() const { return held_.data() + next_; }
  // False at the end.
  bool next() {
    next_ += words_;
    if (next_ < held_.size()) return true;
    fill();
    return !held_.empty();
  }

 private:
  void fill() {
    const uint64_t count = std::min<uint64_t>(left_, window_);
    held_.resize(count * words_);
    next_ = 0;
    if (count == 0) return;
    file_.read(at_, held_.data(), held_.size() * sizeof(uint64_t));
    at_ += held_.size() * sizeof(uint64_t);
    left_ -= count;
  }
  const SpillFile& file_;
  uint64_t at_, left_;
  size_t words_, window_, next_ = 0;
  std::vector<uint64_t> held_;
};

}  // namespace

// The buffer is sorted through an order of its records into a second one: both, and the order, count.
SortedRecords::SortedRecords(size_t words, std::string folder, size_t most_bytes, const Progress& progress)
    : words_(words),
      folder_(std::move(folder)),
      most_words_(std::max(kLeastRecords, most_bytes / (2 * words * sizeof(uint64_t) + sizeof(uint32_t))) * words),
      progress_(progress),
      file_(folder_, progress) {}

void SortedRecords::add(const uint64_t* record) {
  if (buffer_.size() >= most_words_) end_run();
  buffer_.insert(buffer_.end(), record, record + words_);
}

void SortedRecords::sort_buffer() {
  progress_.check();
  order_.resize(buffer_.size() / words_);
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    return before(buffer_.data() + size_t{a} * words_, buffer_.data() + size_t{b} * words_, words_);
  });
  moved_.clear();
  moved_.reserve(buffer_.size());
  for (uint32_t i : order_) {
    moved_.insert(moved_.end(), buffer_.begin() + static_cast<ptrdiff_t>(i * words_),
                  buffer_.begin() + static_cast<ptrdiff_t>((size_t{i} + 1) * words_));
  }
  std::swap(buffer_, moved_);
}

void SortedRecords::end_run() {
  sort_buffer();
  const uint64_t records = buffer_.size() / words_;
  runs_.push_back({file_.append(buffer_.data(), buffer_.size() * sizeof(uint64_t)), records});
  buffer_.clear();
}

SpilledRecords SortedRecords::sorted() {
  SpilledRecords all(words_, folder_, progress_);
  if (runs_.empty()) {
    sort_buffer();
    for (size_t at = 0; at < buffer_.size(); at += words_) all.add(buffer_.data() + at);
    buffer_ = moved_ = {};
    order_ = {};
    return all;
  }
  if (!buffer_.empty()) end_run();
  buffer_ = moved_ = {};
  order_ = {};
  const size_t window = std::max<size_t>(1, most_words_ / words_ / runs_.size());
  std::vector<RunReader> readers;
  readers.reserve(runs_.size());
  for (const Run& run : runs_) readers.emplace_back(file_, run.at, run.records, words_, window);
  const auto later = [&](size_t a, size_t b) { return before(readers[b].record(), readers[a].record(), words_); };
  std::vector<size_t> heap(readers.size());
  std::iota(heap.begin(), heap.end(), size_t{0});
  std::make_heap(heap.begin(), heap.end(), later);
  for (uint64_t count = 0; !heap.empty(); ++count) {
    if (count % kCheckEvery == 0) progress_.check();
    std::pop_heap(heap.begin(), heap.end(), later);
    all.add(readers[heap.back()].record());
    if (readers[heap.back()].next()) {
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      heap.pop_back();
    }
  }
  file_.clear();
  runs_.clear();
  return all;
}

}  // namespace shoal
