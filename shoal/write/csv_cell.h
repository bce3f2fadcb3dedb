// A cell of a CSV file.
#pragma once

#include <string>
#include <string_view>

namespace shoal {

// Appends the cell, in quotes where a reader needs them.
void append_cell(std::string& out, std::string_view cell, char delimiter);
// The same with an apostrophe before what a spreadsheet would run (formula_cell.h).
void append_escaped_cell(std::string& out, std::string_view cell, char delimiter);

}  // namespace shoal
