// Random uneven trees as a file would give them, and plain ways to look at any tree.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "shoal/hierarchy/tree.h"

namespace shoal::testing {

class RandomTrees {
 public:
  explicit RandomTrees(uint64_t seed) : random_(seed) {}

  size_t draw(size_t low, size_t high) { return std::uniform_int_distribution<size_t>(low, high)(random_); }

  // Depth-first, `leaves` leaves named v0, v1, ... in order; inner nodes may have a single child.
  Tree tree(size_t leaves, size_t deepest) {
    Tree tree;
    tree.source = "random";
    tree.nodes.push_back({"*", 0, 0, false});
    next_leaf_ = 0;
    grow(tree, 0, leaves, deepest);
    return tree;
  }

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[draw(0, i - 1)]);
  }

 private:
  void grow(Tree& tree, uint32_t parent, size_t leaves, size_t deepest) {
    while (leaves > 0) {
      const size_t here = draw(1, leaves);
      if (deepest > 1 && (here > 1 || draw(0, 3) == 0)) {
        tree.nodes.push_back({"n" + std::to_string(tree.nodes.size()), parent, 0, false});
        grow(tree, static_cast<uint32_t>(tree.nodes.size() - 1), here, deepest - 1);
        leaves -= here;
      } else {
        tree.nodes.push_back({"v" + std::to_string(next_leaf_++), parent, 0, true});
        --leaves;
      }
    }
  }

  std::mt19937_64 random_;
  size_t next_leaf_ = 0;
};

// Labels from the node up to the root, itself first.
inline std::vector<std::string> chain(const Tree& tree, uint32_t node) {
  std::vector<std::string> labels{tree.nodes[node].label};
  while (node != 0) labels.push_back(tree.nodes[node = tree.nodes[node].parent].label);
  return labels;
}

inline std::vector<uint32_t> leaves_of(const Tree& tree) {
  std::vector<uint32_t> leaves;
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree.nodes[node].leaf) leaves.push_back(node);
  }
  return leaves;
}

// The tree written as one line, in depth-first order: two trees are the same when these are.
inline std::string nested(const Tree& tree, uint32_t node = 0) {
  std::string text = tree.nodes[node].label;
  std::string children;
  for (uint32_t child = 1; child < tree.nodes.size(); ++child) {
    if (tree.nodes[child].parent == node) children += (children.empty() ? "" : " ") + nested(tree, child);
  }
  if (children.empty() != tree.nodes[node].leaf) text += "!";  // a leaf with children, or an inner node without
  return children.empty() ? text : text + "(" + children + ")";
}

}  // namespace shoal::testing
