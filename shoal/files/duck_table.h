// Tables of texts inside DuckDB.
#pragma once

#include <string>
#include <vector>

#include "shoal/read/duck.h"

namespace shoal {

// Makes the table, or makes it anew, from rows of as many cells as there are columns; cells without a text are NULL.
// Throws DuckError, and what the stream throws.
void create_duck_table(DuckDb& duck, const std::string& name, const std::vector<std::string>& columns, TextStream& rows,
                       const Progress& progress);

}  // namespace shoal
