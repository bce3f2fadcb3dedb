#include "shoal/recode/shown_tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {
namespace {

// "age <= 30", "job = clerk", "job missing"
std::string condition(const ShownTree& tree, const ShownTree::Node& node) {
  const std::string& column = tree.nodes[node.parent].column;
  switch (node.test) {
    case ShownTree::Test::none:
      break;
    case ShownTree::Test::missing:
      return column + " missing";
    case ShownTree::Test::is:
      return column + " = " + node.label;
    case ShownTree::Test::at_most:
      return fmt::format("{} <= {}", column, node.threshold);
    case ShownTree::Test::above:
      return fmt::format("{} > {}", column, node.threshold);
  }
  return column;
}

// "yes (120/14)": the class of most rows, all rows and those of other classes.
std::string summary(const ShownTree::Node& node) {
  const uint64_t most = node.class_rows.empty() ? 0 : *std::max_element(node.class_rows.begin(), node.class_rows.end());
  return fmt::format("{} ({}/{})", node.majority, node.rows, node.rows - most);
}

void add_lines(const ShownTree& tree, uint32_t number, size_t depth, std::string& text) {
  const ShownTree::Node& node = tree.nodes[number];
  for (uint32_t child = node.first_child; child < node.first_child + node.children; ++child) {
    for (size_t i = 0; i < depth; ++i) text += "|   ";
    text += condition(tree, tree.nodes[child]);
    text += tree.nodes[child].leaf() ? ": " + summary(tree.nodes[child]) + "\n" : "\n";
    add_lines(tree, child, depth + 1, text);
  }
}

}  // namespace

std::string ShownTree::path(uint32_t number) const {
  if (number == 0) return "the root";
  std::string text;
  for (uint32_t at = number; at != 0; at = nodes[at].parent) {
    text.insert(0, condition(*this, nodes[at]) + (text.empty() ? "" : " and "));
  }
  return text;
}

std::string ShownTree::text() const {
  std::string text;
  if (nodes[0].leaf()) text = summary(nodes[0]) + "\n";
  add_lines(*this, 0, 0, text);
  return text;
}

}  // namespace shoal
