// What is released on some of the columns; answers on disjoint columns are put together of such parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/recode/recoding.h"

namespace shoal {

struct ReleasedPart {
  std::vector<size_t> columns;         // indices into the quasi columns, ascending
  std::vector<uint32_t> group_of_row;  // [row]
  std::vector<Released> releases;      // [group * columns.size() + i]
  size_t groups() const { return columns.empty() ? 1 : releases.size() / columns.size(); }
};

// Both at once: rows are together that are together in both, and groups are numbered by first appearance in input
// order. Requires parts of the same table that share no column. Cost: linear in rows x columns.
ReleasedPart together(const ReleasedPart& a, const ReleasedPart& b);

// What a recoding by group releases on those of its columns that are listed. Requires that it drops no rows and recodes
// every one of these.
ReleasedPart part_of(const GroupRecoding& recoding, const std::vector<size_t>& columns);

// A recoding of these columns; equal rows need not be alike.
GroupRecoding recoding_of(ReleasedPart part);

// Rows x weight x NCP over all cells of the part.
double weighted_ncp(const ReleasedPart& part, const Problem& problem);

}  // namespace shoal
