// The rows of a table in an order that their contents decide, so that what is made from it does not depend on the order
// of the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/run/progress.h"
#include "shoal/table/table.h"

namespace shoal {

struct OrderedRows {
  std::vector<uint32_t> rows;    // all rows of the table
  std::vector<uint32_t> starts;  // of runs that agree on the first columns, in `rows`; the last is the number of rows
  size_t tuples() const { return starts.size() - 1; }
};

// Ascending by the codes on `columns`, then on the other quasi columns and the target, then by what else is released
// (Table::rest). Rows that agree on all of this stand in input order; they differ at most in whom they are about.
// Cost: that of sorting the rows. Memory: 16 bytes per row while it sorts.
OrderedRows ordered_rows(const Table& table, const std::vector<Hierarchy>& hierarchies,
                           const std::vector<size_t>& columns, const Progress& progress);

}  // namespace shoal
