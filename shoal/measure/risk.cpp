#include "shoal/measure/risk.h"

#include <algorithm>

namespace shoal {

namespace {

class RiskSums {
 public:
  explicit RiskSums(double threshold) { risk_.threshold = threshold; }
  void add(uint32_t size, uint64_t groups) {
    risk_.smallest_group = risk_.groups == 0 ? size : std::min<uint64_t>(risk_.smallest_group, size);
    risk_.groups += groups;
    rows_ += size * groups;
    if (size == 1) risk_.uniques += groups;
    risk_.largest_group = std::max<uint64_t>(risk_.largest_group, size);
    if (1.0 / size > risk_.threshold) rows_above_ += size * groups;
  }
  Risk result() {
    if (rows_ == 0) return risk_;
    risk_.average_group = double(rows_) / double(risk_.groups);
    risk_.prosecutor_max = 1.0 / double(risk_.smallest_group);
    risk_.prosecutor_average = double(risk_.groups) / double(rows_);
    risk_.share_above_threshold = double(rows_above_) / double(rows_);
    risk_.journalist_max = risk_.prosecutor_max;
    risk_.marketer = risk_.prosecutor_average;
    return risk_;
  }

 private:
  Risk risk_;
  uint64_t rows_ = 0, rows_above_ = 0;
};

}  // namespace

Risk risk(const std::vector<uint32_t>& group_sizes, double threshold) {
  RiskSums sums(threshold);
  for (uint32_t size : group_sizes) sums.add(size, 1);
  return sums.result();
}

Risk risk(const GroupSizeCounts& groups, double threshold) {
  RiskSums sums(threshold);
  for (const auto& [size, count] : groups) sums.add(size, count);
  return sums.result();
}

}  // namespace shoal
