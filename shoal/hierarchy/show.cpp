// Trees as text: for people (indented, with counts) and as a level table.

#include <fmt/format.h>

#include <algorithm>

#include "shoal/hierarchy/tree.h"

namespace shoal {
namespace {

struct Shape {
  std::vector<std::vector<uint32_t>> children;
  std::vector<uint32_t> depth;
  std::vector<size_t> leaves;
  std::vector<uint32_t> order;  // depth-first
};

Shape shape_of(const Tree& tree) {
  const size_t size = tree.nodes.size();
  Shape shape{
      std::vector<std::vector<uint32_t>>(size), std::vector<uint32_t>(size, 0), std::vector<size_t>(size, 0), {}};
  for (uint32_t node = 1; node < size; ++node) {
    shape.children[tree.nodes[node].parent].push_back(node);
    shape.depth[node] = shape.depth[tree.nodes[node].parent] + 1;
  }
  for (size_t node = size; node-- > 0;) {
    if (tree.nodes[node].leaf) shape.leaves[node] = 1;
    if (node > 0) shape.leaves[tree.nodes[node].parent] += shape.leaves[node];
  }
  std::vector<uint32_t> to_visit;
  if (size > 0) to_visit.push_back(0);
  while (!to_visit.empty()) {
    const uint32_t node = to_visit.back();
    to_visit.pop_back();
    shape.order.push_back(node);
    to_visit.insert(to_visit.end(), shape.children[node].rbegin(), shape.children[node].rend());
  }
  return shape;
}

// What stands first in a file says how the file is encoded.
bool begins_with_a_mark(const std::string& label) {
  return label.starts_with("\xEF\xBB\xBF") || label.starts_with("\xFF\xFE") || label.starts_with("\xFE\xFF");
}

// In quotes when the reader would otherwise take it apart, or take its first bytes for a mark of the file.
std::string as_field(const std::string& label) {
  if (label.find_first_of(";\"\r\n\t") == std::string::npos && !begins_with_a_mark(label)) return label;
  std::string field = "\"";
  for (char c : label) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

}  // namespace

std::string show_tree(const Tree& tree, size_t depth_limit) {
  const Shape shape = shape_of(tree);
  std::string text;
  for (uint32_t node : shape.order) {
    if (depth_limit > 0 && shape.depth[node] > depth_limit) continue;
    text.append(2 * size_t{shape.depth[node]}, ' ');
    text += tree.nodes[node].label;
    const size_t leaves = shape.leaves[node];
    if (!tree.nodes[node].leaf) text += fmt::format(" ({} {})", leaves, leaves == 1 ? "value" : "values");
    text += '\n';
  }
  return text;
}

std::string level_table(const Tree& tree) {
  const Shape shape = shape_of(tree);
  uint32_t height = 0;
  std::vector<size_t> index_of_leaf(tree.nodes.size());
  size_t index = 0;
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    if (!tree.nodes[node].leaf) continue;
    index_of_leaf[node] = index++;
    height = std::max(height, shape.depth[node]);
  }
  if (!tree.level_nodes.empty()) height = static_cast<uint32_t>(tree.level_nodes.size() - 1);
  std::vector<std::string> fields;
  for (const Tree::Node& node : tree.nodes) fields.push_back(as_field(node.label));
  std::string text;
  // Depth-first, so that siblings are first named in their own order.
  for (uint32_t leaf : shape.order) {
    if (!tree.nodes[leaf].leaf) continue;
    uint32_t node = leaf;
    for (uint32_t level = 0; level <= height; ++level) {
      if (!tree.level_nodes.empty()) {
        node = tree.level_nodes[level][index_of_leaf[leaf]];
      } else {
        while (shape.depth[node] > height - level) node = tree.nodes[node].parent;
      }
      text += (level == 0 ? "" : ";") + fields[node];
    }
    text += '\n';
  }
  return text;
}

}  // namespace shoal
