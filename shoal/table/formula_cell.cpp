#include "shoal/table/formula_cell.h"

#include <fmt/format.h>

#include "shoal/table/number.h"

namespace shoal {
namespace {

bool is_mark(char c) { return c == '=' || c == '+' || c == '-' || c == '@' || c == '\t' || c == '\r'; }

// Apostrophes, at least one, and then a mark: what readers take one apostrophe off.
bool is_written_so(std::string_view cell) {
  const size_t mark = cell.find_first_not_of('\'');
  return mark != std::string_view::npos && mark > 0 && is_mark(cell[mark]);
}

constexpr const char* kWrittenSo = R"('^''+[-=+@\t\r]')";

}  // namespace

bool is_formula(std::string_view cell) { return !cell.empty() && is_mark(cell.front()) && !parse_number(cell); }

bool needs_apostrophe(std::string_view cell) {
  if (cell.empty() || !(cell.front() == '\'' || is_mark(cell.front()))) return false;
  return is_formula(cell) || is_written_so(cell);
}

std::string_view without_apostrophe(std::string_view cell) {
  return !cell.empty() && cell.front() == '\'' && is_written_so(cell) ? cell.substr(1) : cell;
}

std::string sql_with_apostrophe(const std::string& text) {
  return fmt::format(
      R"((CASE WHEN regexp_matches({0}, {1}) OR (regexp_matches({0}, '^[-=+@\t\r]') AND NOT regexp_full_match({0}, )"
      R"('[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?')) THEN '''' || {0} ELSE {0} END))",
      text, kWrittenSo);
}

std::string sql_without_apostrophe(const std::string& text) {
  return fmt::format("(CASE WHEN regexp_matches({0}, {1}) THEN substr({0}, 2) ELSE {0} END)", text, kWrittenSo);
}

}  // namespace shoal
