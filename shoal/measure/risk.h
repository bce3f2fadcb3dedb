// What an attacker could still learn: re-identification risk from group sizes.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace shoal {

// Rows with a re-identification risk above this are counted in reports, unless asked otherwise.
inline constexpr double kRiskThreshold = 0.2;

struct Risk {
  uint64_t groups = 0, uniques = 0;  // groups of the released table; rows alone in theirs
  uint64_t smallest_group = 0, largest_group = 0;
  double average_group = 0;
  double prosecutor_max = 0, prosecutor_average = 0;  // 1/|G| per row; average = groups/rows
  double threshold = 0.2, share_above_threshold = 0;  // rows whose risk exceeds the threshold
  double journalist_max = 0;                          // the release is the population: equals the prosecutor's
  double marketer = 0;                                // expected share re-identified = groups/rows
};
// Over groups of the given sizes, each at least 1. No groups: all 0. A risk of exactly the threshold is not above it.
Risk risk(const std::vector<uint32_t>& group_sizes, double threshold);
// How many groups have so many rows, for tables with more groups than can be listed.
using GroupSizeCounts = std::map<uint32_t, uint64_t>;
Risk risk(const GroupSizeCounts& groups, double threshold);

}  // namespace shoal
