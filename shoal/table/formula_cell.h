// Cells of a text table that a spreadsheet would run, and how they are written so that it does not.
#pragma once

#include <string>
#include <string_view>

namespace shoal {

// Would a spreadsheet take the cell for a formula? One that begins with =, +, -, @, a tab or a carriage return and is
// no number.
bool is_formula(std::string_view cell);

// What is written for the cell: an apostrophe before a formula, and one more before a cell that begins with
// apostrophes and one of the marks above, so that every cell can be read back. Nothing is copied when it needs none.
bool needs_apostrophe(std::string_view cell);
// The cell that was written so.
std::string_view without_apostrophe(std::string_view cell);

// The same two as SQL of DuckDB on the SQL of a text. The first also takes some odd spellings of numbers for formulas,
// which the second gives back as well.
std::string sql_with_apostrophe(const std::string& text);
std::string sql_without_apostrophe(const std::string& text);

}  // namespace shoal
