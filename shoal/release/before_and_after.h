// What the charts of a report show: group sizes, and the values of a column before and after.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/report/report.h"
#include "shoal/table/table.h"

namespace shoal {

RowsByGroupSize rows_by_group_size(const std::vector<uint32_t>& sizes);

// A column as released, with the number of cells (of rows that are kept) that each of its values has.
struct ReleasedCounts {
  const ReleasedColumn& column;
  const std::vector<uint64_t>& cells;
};
// Fills told_apart_before, told_apart, shares and shares_moved. At most twelve shares, and one for missing cells: of
// numbers, ranges of equal width; of categories the nodes of the finest level of their hierarchy that has so few (dates
// by year or decade, codes by what they begin with), else the most frequent and the others together. Cost: linear in
// rows and values, and in levels.
void describe_values(const Column& column, const Hierarchy& hierarchy, const ReleasedCounts& released,
                     ColumnReport& report);

}  // namespace shoal
