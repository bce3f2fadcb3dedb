// Who looks alike, and how many: the one hot kernel.
#pragma once

#include <cstddef>
#include <cstdint>
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

// How many different pairs (group, fingerprint) there are; rows whose group is kNoGroup are left out. Both are per
// row. Cost: linear in rows.
size_t count_pairs(std::span<const uint32_t> group_of_row, std::span<const uint64_t> fingerprints);

// Distinct tuples over some columns with how often each occurs; most searches need no more.
struct Tuples {
  std::vector<std::vector<uint32_t>> columns;  // [column][tuple]
  std::vector<uint32_t> counts;                // rows per tuple
  std::vector<uint32_t> tuple_of_row;
  size_t size() const { return counts.size(); }
};
Tuples distinct_tuples(size_t rows, std::span<const GroupKey> keys);

}  // namespace shoal
