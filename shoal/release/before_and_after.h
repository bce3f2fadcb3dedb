// What the charts of a report show: group sizes, and the values of a column before and after.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/encode/counted_table.h"
#include "shoal/encode/encoding.h"
#include "shoal/hierarchy/hierarchy.h"
#include "shoal/measure/risk.h"
#include "shoal/recode/recoding.h"
#include "shoal/report/report.h"
#include "shoal/table/table.h"

namespace shoal {

RowsByGroupSize rows_by_group_size(const std::vector<uint32_t>& sizes);
RowsByGroupSize rows_by_group_size(const GroupSizeCounts& groups);

// A column as released, with the number of cells (of rows that are kept) that each of its values has.
struct ReleasedCounts {
  const ReleasedColumn& column;
  const std::vector<uint64_t>& cells;
};
// `times`: for how many rows each row stands (Table::times); empty: for itself.
std::vector<uint64_t> rows_per_leaf(const Column& column, size_t leaves, std::span<const uint32_t> times = {});
// Fills told_apart_before, told_apart, shares and shares_moved. At most twelve shares, and one for missing cells: of
// numbers, ranges of equal width; of categories the nodes of the finest level of their hierarchy that has so few (dates
// by year or decade, codes by what they begin with), else the most frequent and the others together. `rows`: of each
// leaf, in the input; the column's codes are not looked at. Cost: linear in values, and in levels.
void describe_values(const Column& column, const Hierarchy& hierarchy, const std::vector<uint64_t>& rows,
                     const ReleasedCounts& released, ColumnReport& report);

// What a report says about a quasi column, its level apart. The codes of `column` are not looked at.
struct ReportedColumn {
  const Column& column;
  const ColumnEncoding& encoding;
  const Hierarchy& hierarchy;
  const std::vector<uint64_t>& rows;  // of each leaf, in the input
  ReleasedCounts released;
};
ColumnReport report_column(const ReportedColumn& reported, Ranges ranges, double gcp);
// Cells that were released as the root.
uint64_t cells_at_root(const ReleasedCounts& released);
// Of the sensitive columns that the job's models are about, in the whole table, each once.
std::vector<Distribution> distributions_of(const Job& job, CountedTable& counted);

}  // namespace shoal
