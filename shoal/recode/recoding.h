// A method's answer, as data: what every cell of the quasi columns is released as, and which rows are dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/table/codes.h"

namespace shoal {

enum class Shape { levels, cut, regions, groups };
std::string to_string(Shape shape);

// What one cell is released as: a node of the column's hierarchy, the range of numbers first..last, or the mean of
// numbers within first..last.
struct Released {
  static constexpr uint32_t kRange = UINT32_MAX;
  static constexpr uint32_t kFirstMean = UINT32_C(1) << 31;
  uint32_t first = 0, last = 0;  // leaf positions covered
  uint32_t node = 0;             // hierarchy node, kRange, or kFirstMean + place in the column's means
  bool is_node() const { return node < kFirstMean; }
  bool is_mean() const { return node >= kFirstMean && node != kRange; }
  bool operator==(const Released&) const = default;
};

// The cell as it is.
inline Released released_leaf(const Hierarchy& hierarchy, uint32_t leaf) {
  return {leaf, leaf, hierarchy.leaf_node(leaf)};
}
inline Released released_node(const Hierarchy& hierarchy, uint32_t node) {
  return {hierarchy.node(node).first, hierarchy.node(node).last, node};
}
// The tightest release that covers leaves lo..hi under local recoding: the leaf itself, a range [lo,hi] in a numeric
// column (unless it takes in the missing leaf: then the root), the closest common ancestor otherwise.
Released released_interval(const Hierarchy& hierarchy, uint32_t lo, uint32_t hi);

struct Recoding {
  Shape shape = Shape::levels;

  // levels, cut: the same raw value is always released the same way.
  std::vector<int> levels;                       // levels only: one per quasi column
  std::vector<std::vector<Released>> value_map;  // [quasi column][leaf]

  // regions, groups: every row belongs to a group with one release per recoded column. Columns that are not recoded
  // (outside every requirement) are released as they are.
  std::vector<uint32_t> group_of_row;           // [row]; ignored for dropped rows
  std::vector<size_t> recoded_columns;          // indices into the quasi columns, ascending
  std::vector<Released> group_releases;         // [group * recoded_columns.size() + i]
  std::vector<std::vector<std::string>> means;  // [i] texts of the means that are released, each once; or empty

  std::vector<uint32_t> dropped_rows;  // ascending
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
