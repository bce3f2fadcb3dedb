// A released decision tree as its file shows it. Only its form is checked here; whether it tells the truth is the
// question of verify_model.h.
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
  uint64_t k = 0;
  std::string target;
  std::vector<std::string> classes;
  std::vector<std::string> columns;
  std::vector<Node> nodes;  // the root first, parents before children, siblings together

  // "age <= 30 and job = clerk"; "the root" for the first node.
  std::string path(uint32_t node) const;
};

// Deeper trees are refused, so that no file can exhaust the stack of whoever reads it. Trees that help to classify are
// far from it: each test leads to fewer rows.
inline constexpr int kDeepestTree = 250;

// Reads the JSON of ReleasedModel. Takes nothing that it does not know: a field too many may be what should not have
// been released. Throws Error(input) with `file` and the place in it.
ShownTree read_shown_tree(const std::string& json_text, const std::string& file);

}  // namespace shoal
