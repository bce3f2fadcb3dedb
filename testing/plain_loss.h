// What a cell loses, the plainest way: from the leaves of the tree and the formulas of docs/measures.md alone. For
// oracles: shares no code with measure/.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"

namespace shoal::testing {

// By climbing from the leaf, not by the node's interval.
inline bool is_below(const Hierarchy& tree, uint32_t leaf, uint32_t node) {
  for (uint32_t up = tree.leaf_node(leaf);; up = tree.node(up).parent) {
    if (up == node) return true;
    if (up == tree.node(up).parent) return false;
  }
}

inline std::vector<uint32_t> leaves_under(const Hierarchy& tree, uint32_t node) {
  std::vector<uint32_t> leaves;
  for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) {
    if (is_below(tree, leaf, node)) leaves.push_back(leaf);
  }
  return leaves;
}

// Greatest minus least number of the leaves, as a share of the same over all leaves. Missing has no number.
inline double plain_extent(const Hierarchy& tree, const std::vector<uint32_t>& leaves) {
  auto width = [&](const std::vector<uint32_t>& some) {
    std::vector<double> numbers;
    for (uint32_t leaf : some) {
      if (leaf != tree.missing()) numbers.push_back(tree.number(leaf));
    }
    if (numbers.empty()) return 0.0;
    return *std::max_element(numbers.begin(), numbers.end()) - *std::min_element(numbers.begin(), numbers.end());
  };
  const double all = width(leaves_under(tree, Hierarchy::kRoot));
  return all == 0 ? 0 : width(leaves) / all;
}

// NCP of a cell released at a node.
inline double plain_ncp(const Hierarchy& tree, uint32_t node) {
  const std::vector<uint32_t> leaves = leaves_under(tree, node);
  if (tree.children(node).empty()) return 0;
  if (node == 0) return 1;
  return tree.numeric() ? plain_extent(tree, leaves) : double(leaves.size()) / double(tree.leaves());
}

// LM of a cell released at a node.
inline double plain_lm(const Hierarchy& tree, uint32_t node) {
  const std::vector<uint32_t> leaves = leaves_under(tree, node);
  if (tree.children(node).empty()) return 0;
  if (tree.numeric()) return plain_ncp(tree, node);
  if (tree.leaves() == 1) return node == 0 ? 1 : 0;
  return double(leaves.size() - 1) / double(tree.leaves() - 1);
}

// Steps from the leaf up to the node, as a share of those up to the root.
inline double plain_steps(const Hierarchy& tree, uint32_t leaf, uint32_t node) {
  double to_node = 0, to_root = 0;
  bool passed = false;
  for (uint32_t up = tree.leaf_node(leaf); up != 0; up = tree.node(up).parent) {
    passed = passed || up == node;
    if (!passed) ++to_node;
    ++to_root;
  }
  return to_root == 0 ? 0 : to_node / to_root;
}

// NCP of the tightest release of leaves lo..hi under local recoding: a range of numbers, but everything when missing is
// among them; else the least node that has them all.
inline double plain_interval_ncp(const Hierarchy& tree, uint32_t lo, uint32_t hi) {
  if (lo == hi) return 0;
  if (tree.numeric()) {
    if (tree.missing() == hi) return 1;
    std::vector<uint32_t> leaves;
    for (uint32_t leaf = lo; leaf <= hi; ++leaf) leaves.push_back(leaf);
    return plain_extent(tree, leaves);
  }
  uint32_t node = tree.leaf_node(lo);
  while (!is_below(tree, hi, node)) node = tree.node(node).parent;
  return double(leaves_under(tree, node).size()) / double(tree.leaves());
}

}  // namespace shoal::testing
