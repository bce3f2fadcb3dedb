#include "shoal/measure/risk.h"

#include <algorithm>

namespace shoal {

Risk risk(const std::vector<uint32_t>& group_sizes, double threshold) {
  Risk risk;
  risk.threshold = threshold;
  uint64_t rows = 0, rows_above = 0;
  for (uint32_t size : group_sizes) {
    ++risk.groups;
    rows += size;
    risk.uniques += size == 1;
    risk.smallest_group = risk.groups == 1 ? size : std::min<uint64_t>(risk.smallest_group, size);
    risk.largest_group = std::max<uint64_t>(risk.largest_group, size);
    if (1.0 / size > threshold) rows_above += size;
  }
  if (rows == 0) return risk;
  risk.average_group = double(rows) / double(risk.groups);
  risk.prosecutor_max = 1.0 / double(risk.smallest_group);
  risk.prosecutor_average = double(risk.groups) / double(rows);
  risk.share_above_threshold = double(rows_above) / double(rows);
  risk.journalist_max = risk.prosecutor_max;
  risk.marketer = risk.prosecutor_average;
  return risk;
}

}  // namespace shoal
