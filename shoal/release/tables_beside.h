// What a table is released beside, and what its rows are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/release/fragment_of_table.h"

namespace shoal {

// All of it must outlive the call.
struct TablesBeside {
  std::vector<TableSource*> earlier = {};     // releases of the same table that are out: what do both tell together?
  TableSource* population = nullptr;          // the people that the table was taken from, for k-map and delta-presence
  const FragmentOfTable* fragment = nullptr;  // the table is one of a larger table
  // Each row stands for so many, alike in all its columns (Table::times), and so does the row that is released for it.
  // Empty: for itself. Only methods that release equal rows alike take such a table (MethodEntry::alike_rows).
  std::span<const uint32_t> times = {};
};

}  // namespace shoal
