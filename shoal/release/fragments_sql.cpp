// Where a row goes, as an SQL expression.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/release/table_plan.h"

namespace shoal {
namespace {

std::string text_of_sql(std::string_view text) {
  std::string literal = "'";
  for (char c : text) literal += c == '\'' ? std::string("''") : std::string(1, c);
  return literal + "'";
}

std::string name_of_sql(std::string_view name) {
  std::string quoted = "\"";
  for (char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// Whether a row goes left, by numbers: only where these ascend with the leaves and print without a fraction.
std::optional<std::string> number_left(const Hierarchy& hierarchy, uint32_t first_right, const std::string& name) {
  if (!hierarchy.numeric()) return std::nullopt;
  if (hierarchy.missing() == first_right) return name + " IS NOT NULL";
  const double number = hierarchy.number(first_right);
  if (std::abs(number) > 9e15 || number != std::floor(number)) return std::nullopt;
  return fmt::format("coalesce({} < {}, FALSE)", name, static_cast<int64_t>(number));
}

// The same by listing the texts of the side that has fewer.
std::string texts_left(const ColumnEncoding& column, uint32_t first_right, const std::string& name) {
  std::string left, right;
  for (size_t text = 0; text < column.texts.size(); ++text) {
    std::string& side = column.leaf_of_text[text] < first_right ? left : right;
    side += (side.empty() ? "" : ", ") + text_of_sql(column.texts[text]);
  }
  return fmt::format("coalesce(CAST({} AS STRING), '') {}IN ({})", name, left.size() <= right.size() ? "" : "NOT ",
                     left.size() <= right.size() ? left : right);
}

}  // namespace

std::optional<std::string> PlannedTable::fragments_sql(std::span<const Stored> stored, size_t most) const {
  const auto& nodes = plan_.tree.nodes();
  std::vector<std::string> sql(nodes.size());  // children have higher numbers than their parents
  for (size_t node = nodes.size(); node-- > 0;) {
    const CutTree::Node& here = nodes[node];
    if (here.is_leaf()) {
      sql[node] = fmt::format_int(plan_.fragment_of_leaf[node]).str();
      continue;
    }
    const auto place = std::lower_bound(key_columns_.begin(), key_columns_.end(), here.column) - key_columns_.begin();
    const Stored how = stored[static_cast<size_t>(place)];
    if (how == Stored::other) return std::nullopt;
    const ColumnEncoding& column = encoding_.columns[here.column];
    const std::string name = name_of_sql(column.name);
    std::optional<std::string> left;
    if (how == Stored::whole_number && job_.missing.empty()) {
      left = number_left(encoding_.hierarchies[here.column], here.first_right, name);
    }
    if (!left) left = texts_left(column, here.first_right, name);
    sql[node] = fmt::format("CASE WHEN {} THEN {} ELSE {} END", *left, sql[here.left], sql[here.right]);
    if (sql[node].size() > most) return std::nullopt;
  }
  return sql[0];
}

}  // namespace shoal
