#include "shoal/write/csv_cell.h"

#include "shoal/table/formula_cell.h"

namespace shoal {
namespace {

bool needs_quotes(std::string_view cell, char delimiter) {
  bool special = false;  // looked at in the end only: cells are short, and hardly any is
  for (char c : cell) special |= (c == delimiter) | (c == '"') | (c == '\n') | (c == '\r');
  if (special) return true;
  // A lone empty cell would read back as an empty line; blanks at the ends may be trimmed by other readers.
  return !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
}

}  // namespace

void append_cell(std::string& out, std::string_view cell, char delimiter) {
  if (!needs_quotes(cell, delimiter)) {
    out.append(cell);
    return;
  }
  out += '"';
  for (char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_escaped_cell(std::string& out, std::string_view cell, char delimiter) {
  if (!needs_apostrophe(cell)) return append_cell(out, cell, delimiter);
  append_cell(out, "'" + std::string(cell), delimiter);
}

}  // namespace shoal
