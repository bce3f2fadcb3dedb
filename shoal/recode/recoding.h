// A method's answer, as data: what every cell of the quasi columns is released as, and which rows are dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/table/codes.h"

namespace shoal {

// What a method answers with. `model`: a model in place of a table; what it tells about each row has the shape regions.
enum class Shape { levels, cut, regions, groups, model };
std::string to_string(Shape shape);

// What one cell is released as: a node of the column's hierarchy (the leaf itself included), the range of numbers
// first..last, or the mean of numbers within first..last. 12 bytes: tables have one per group and column.
struct Released {
  enum class Kind : uint32_t { node, range, mean };
  uint32_t first = 0, last = 0;  // leaf positions covered
  Kind kind : 2 = Kind::node;
  // node: which; mean: its place in the column's means; range: 0, or how its ends are rounded (ranges.h)
  uint32_t number : 30 = 0;

  bool is_range() const { return kind == Kind::range; }
  bool is_mean() const { return kind == Kind::mean; }
  bool is_node() const { return kind == Kind::node; }
  bool is_node(Hierarchy::Node node) const { return is_node() && number == node; }
  bool is_root() const { return is_node(Hierarchy::kRoot); }
  bool operator==(const Released&) const = default;
};
static_assert(sizeof(Released) == 12);

inline Released released_node(const Hierarchy& hierarchy, Hierarchy::Node node) {
  return Released{hierarchy.node(node).first, hierarchy.node(node).last, Released::Kind::node, node & 0x3FFFFFFF};
}
// The cell as it is.
inline Released released_leaf(const Hierarchy& hierarchy, uint32_t leaf) {
  return Released{leaf, leaf, Released::Kind::node, hierarchy.leaf_node(leaf) & 0x3FFFFFFF};
}
inline Released released_range(uint32_t first, uint32_t last) {
  return Released{first, last, Released::Kind::range, 0};
}
// `place`: in the means of its column.
inline Released released_mean(uint32_t first, uint32_t last, uint32_t place) {
  return Released{first, last, Released::Kind::mean, place & 0x3FFFFFFF};
}
// The tightest release that covers leaves lo..hi under local recoding: the leaf itself, a range [lo,hi] where the
// column releases ranges (unless it takes in the missing leaf: then the root), the closest common ancestor otherwise.
Released released_interval(const Hierarchy& hierarchy, uint32_t lo, uint32_t hi);

// levels, cut: the same raw value is always released the same way.
struct ValueRecoding {
  std::vector<std::vector<Released>> value_map;  // [quasi column][leaf]
  std::vector<int> levels = {};                  // levels: one per quasi column; cut: empty
};

// regions, groups: every row belongs to a group with one release per recoded column. Columns that are not recoded
// (outside every requirement) are released as they are.
struct GroupRecoding {
  bool equal_rows_alike = false;                     // regions; else groups, which belong to their own rows only
  std::vector<size_t> recoded_columns = {};          // indices into the quasi columns, ascending
  std::vector<uint32_t> group_of_row = {};           // [row]; ignored for dropped rows
  std::vector<Released> group_releases = {};         // [group * recoded_columns.size() + i]
  std::vector<std::vector<std::string>> means = {};  // [i] texts of the means that are released, each once; or empty

  size_t groups() const { return recoded_columns.empty() ? 0 : group_releases.size() / recoded_columns.size(); }
};

struct Recoding {
  std::variant<ValueRecoding, GroupRecoding> cells;
  std::vector<uint32_t> dropped_rows = {};  // ascending

  Shape shape() const;
  bool is_by_value() const { return std::holds_alternative<ValueRecoding>(cells); }
  // Requires a recoding of that kind: throws std::bad_variant_access for the other.
  const ValueRecoding& by_value() const { return std::get<ValueRecoding>(cells); }
  const GroupRecoding& by_group() const { return std::get<GroupRecoding>(cells); }
};

// A levels recoding: value_map filled from full-domain levels.
Recoding levels_recoding(const std::vector<Hierarchy>& hierarchies, std::vector<int> levels);

// The released quasi columns of all rows (dropped ones included, whose codes mean nothing), as codes into the distinct
// releases of each column. What measures read, and what the writer prints.
struct ReleasedColumn {
  std::vector<Released> values;
  Codes codes;
  std::vector<std::string> means = {};  // what values that are means say
};
struct ReleasedTable {
  std::vector<ReleasedColumn> quasi;
  std::vector<uint32_t> dropped_rows;  // ascending
};

}  // namespace shoal
