#include "shoal/encode/sensitive_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "shoal/error.h"

namespace shoal {

SensitivePairs::SensitivePairs(size_t column, uint32_t values, const std::string& name, const SensitiveTuples& tuples)
    : column_(column), width_(tuples.columns - 1), values_(values) {
  const size_t count = tuples.counts.size();
  std::vector<uint32_t> others(count * width_);
  for (size_t t = 0; t < count; ++t) {
    for (size_t i = 0; i < width_; ++i) {
      others[t * width_ + i] = tuples.codes[t * tuples.columns + (i < column ? i : i + 1)];
    }
  }
  const auto other = [&](size_t t) { return std::span(others).subspan(t * width_, width_); };
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), uint32_t{0});
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::lexicographical_compare(other(a).begin(), other(a).end(), other(b).begin(), other(b).end());
  });
  std::vector<uint64_t> number_of(count);  // of each tuple's other part
  uint64_t different = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::span<uint32_t> here = other(order[i]);
    if (i == 0 || !std::equal(here.begin(), here.end(), other(order[i - 1]).begin())) {
      tuples_.insert(tuples_.end(), here.begin(), here.end());
      ++different;
    }
    number_of[order[i]] = different - 1;
  }
  if (different * values > UINT32_MAX) {
    throw Error(ErrorKind::job,
                fmt::format("a model of '{}' cannot be joint: the other sensitive columns have {} different tuples, "
                            "too many beside {} values",
                            name, different, values));
  }
  others_ = static_cast<uint32_t>(different);
  for (size_t t = 0; t < count; ++t) {
    const uint32_t value = tuples.codes[t * tuples.columns + column_];
    counts_.push_back({static_cast<uint32_t>(number_of[t]) * values_ + value, tuples.counts[t]});
  }
  std::sort(counts_.begin(), counts_.end(), [](ValueCount a, ValueCount b) { return a.value < b.value; });
  size_t last = 0;
  for (size_t i = 1; i < counts_.size(); ++i) {
    if (counts_[i].value == counts_[last].value) {
      counts_[last].count += counts_[i].count;
    } else {
      counts_[++last] = counts_[i];
    }
  }
  if (!counts_.empty()) counts_.resize(last + 1);
}

uint32_t SensitivePairs::number(std::span<const uint32_t> codes) const {
  // Below, at or above the tuple that is looked for.
  const auto compare = [&](uint32_t other) {
    for (size_t i = 0; i < width_; ++i) {
      const uint32_t here = tuples_[other * width_ + i], wanted = codes[i < column_ ? i : i + 1];
      if (here != wanted) return here < wanted ? -1 : 1;
    }
    return 0;
  };
  uint32_t low = 0, high = others_;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (compare(middle) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == others_ || compare(low) != 0) throw std::logic_error("sensitive values that the table has not together");
  return low * values_ + codes[column_];
}

}  // namespace shoal
