// A decision tree that is released in place of a table: what it shows, and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shoal {

struct ShownTree {
  enum class Test { none, missing, is, at_most, above };  // none: the root
  struct Node {
    uint32_t parent = 0;
    Test test = Test::none;  // on the parent's column: what leads here
    std::string label;       // Test::is
    double threshold = 0;    // Test::at_most, Test::above
    uint64_t rows = 0;
    std::string majority;  // the class that is foretold
    std::vector<uint64_t> class_rows;
    std::string column;  // asked next; "": a leaf
    uint32_t first_child = 0, children = 0;
    bool leaf() const { return column.empty(); }
  };
  std::string method;  // that made it
  uint64_t k = 0;
  std::string target;
  std::vector<std::string> classes;
  std::vector<std::string> columns;
  std::vector<Node> nodes;  // the root first, parents before children, siblings together

  // "age <= 30 and job = clerk"; "the root" for the first node.
  std::string path(uint32_t node) const;

  // For people: a line for each test, `|   ` for each level; leaves with their class, rows and rows of other classes.
  std::string text() const;
};

// Deeper trees are refused, so that no file can exhaust the stack of whoever reads it. Trees that help to classify are
// far from it: each test leads to fewer rows.
inline constexpr int kDeepestShownTree = 250;

}  // namespace shoal
