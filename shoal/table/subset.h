// Some rows of a table as a table of their own, in the same codes.
#pragma once

#include <cstdint>
#include <span>

#include "shoal/table/table.h"

namespace shoal {

// Codes of the rows listed, in that order. `cardinality`: no code is as large.
Codes codes_of(const Codes& codes, std::span<const uint32_t> rows, size_t cardinality);

// The rows listed, in that order, without Table::rest. What encoded the whole table is true of the part.
Table subset(const Table& table, std::span<const uint32_t> rows);

}  // namespace shoal
