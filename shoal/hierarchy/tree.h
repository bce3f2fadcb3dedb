// A hierarchy as a person writes it: labels and parents, before it meets the values of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"

namespace shoal {

// Plain data. Node 0 is the root; parents stand before their children; siblings keep the order of the file.
struct Tree {
  struct Node {
    std::string label;
    uint32_t parent = 0;
    size_t line = 0;  // where the file first names it; 0 when built
    bool leaf = false;
  };
  std::string source;  // file name, or the builder's words, for messages
  std::vector<Node> nodes;
  // Level tables (ARX form) say for each leaf what every level releases: level_nodes[level][leaf index], where leaf
  // index counts leaves in the order of `nodes`. Empty for other forms: level l then releases the ancestor at depth
  // min(own depth, height - l), so that every level is a cut and the top one is the root.
  std::vector<std::vector<uint32_t>> level_nodes;
};

// One thing wrong with a hierarchy file.
struct HierarchyFault {
  enum class Severity { error, warning };
  Severity severity;
  size_t line;          // 0: the file as a whole
  std::string message;  // without file and line
};

// What becomes of a table value that the tree does not have.
enum class UnknownValues { refuse, under_root };

// The distinct values of a column as read, with where each was first seen.
struct ColumnValues {
  std::string column;
  std::span<const std::string> values;  // distinct texts; missing cells are not among them
  bool has_missing = false;             // a leaf for missing cells is wanted
  std::string missing_text;             // how that leaf is released when it stays as it is
  std::vector<double> numbers;          // numeric column: the number of each text; else empty
};

// A tree bound to the values of a column.
struct BoundHierarchy {
  Hierarchy hierarchy;
  std::vector<uint32_t> leaf_of_value;  // for each of ColumnValues::values
  std::vector<std::string> leaf_texts;  // for each leaf position, the text released when the cell is not recoded
  uint32_t missing_leaf = 0;            // meaningful when has_missing
};

// Binds: unused leaves (and nodes left with none) go, missing hangs under the root, and leaves are numbered depth-first
// in file order; in a numeric column ascending by number. Different spellings of one number ("1", "1.0") share a leaf.
// Throws Error(input) naming up to five values that the tree does not have (unless `unknown` is under_root), and when a
// numeric column's tree does not keep neighbouring numbers together. `place` turns a value's index in
// ColumnValues::values into words for messages ("line 17"); may be empty.
using ValuePlace = std::function<std::string(size_t value_index)>;
BoundHierarchy bind_tree(const Tree& tree, const ColumnValues& values, UnknownValues unknown, const ValuePlace& place);

// No tree: every value directly under the root.
BoundHierarchy bind_flat(const ColumnValues& values);

// The tree as indented text, with counts of leaves; `depth_limit` 0 shows all.
std::string show_tree(const Tree& tree, size_t depth_limit = 0);

// The tree as a level table (ARX form, semicolons), the form `shoal hierarchy build` writes.
std::string level_table(const Tree& tree);

}  // namespace shoal
