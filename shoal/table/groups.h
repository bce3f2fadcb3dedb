// Who looks alike, and how many: the one hot kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "shoal/table/codes.h"

namespace shoal {

struct Groups {
  std::vector<uint32_t> group_of_row;  // dense ids, numbered in order of first appearance
  std::vector<uint32_t> sizes;         // rows per group
};

// One column of codes to group by, with how many different codes there can be.
struct GroupKey {
  const Codes* codes;
  size_t cardinality;
};

// Groups rows that agree on all keys. No keys: one group of all rows. Rows listed in `without` (ascending) are left
// out: their group is kNoGroup. Cost: linear in rows.
inline constexpr uint32_t kNoGroup = UINT32_MAX;
Groups group_rows(size_t rows, std::span<const GroupKey> keys, std::span<const uint32_t> without = {});

// The values of the rows, group after group: the first sizes[0] are those of group 0, in order of row, and so on. Rows
// left out are absent. Cost: linear in rows.
template <typename Value>
std::vector<Value> sorted_by_group(const Groups& groups, const auto& value_of_row) {
  std::vector<size_t> next(groups.sizes.size());
  std::exclusive_scan(groups.sizes.begin(), groups.sizes.end(), next.begin(), size_t{0});
  std::vector<Value> sorted(next.empty() ? 0 : next.back() + groups.sizes.back());
  for (size_t row = 0; row < groups.group_of_row.size(); ++row) {
    const uint32_t group = groups.group_of_row[row];
    if (group != kNoGroup) sorted[next[group]++] = static_cast<Value>(value_of_row[row]);
  }
  return sorted;
}

// How many different pairs (group, fingerprint) there are; rows left out do not count. One fingerprint per row. Cost:
// linear in rows.
size_t count_pairs(const Groups& groups, std::span<const uint64_t> fingerprints);

// Distinct tuples over some columns with how often each occurs; most searches need no more.
struct Tuples {
  std::vector<std::vector<uint32_t>> columns;  // [column][tuple]
  std::vector<uint32_t> counts;                // rows per tuple
  std::vector<uint32_t> tuple_of_row;
  size_t size() const { return counts.size(); }
};
// `times`: for how many rows each stands (Table::times); empty: for itself.
Tuples distinct_tuples(size_t rows, std::span<const GroupKey> keys, std::span<const uint32_t> times = {});

// Rows per group where each row stands for `times` of them (empty: Groups::sizes).
std::vector<uint32_t> group_totals(const Groups& groups, std::span<const uint32_t> times);

}  // namespace shoal
