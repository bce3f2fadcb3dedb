// A tree over the values of one quasi column: leaves are the distinct values that occur, the root is "any".
//
// Leaves are numbered depth-first (numeric columns: also ascending by number), so that every node covers an interval
// [first, last] of leaf positions and the closest common ancestor of a set is that of its least and greatest leaf.
// Immutable after construction; safe to share between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shoal {

class Hierarchy {
 public:
  using Leaf = uint32_t;  // position 0 .. leaves()-1; equals the column's code
  using Node = uint32_t;  // index 0 .. nodes()-1; the root is 0

  struct NodeInfo {
    std::string label;  // as released; the root's is "*"
    Node parent = 0;    // the root's parent is itself
    uint32_t depth = 0;
    Leaf first = 0, last = 0;
  };

  // Requires: nodes[0] is the root, parents stand before their children, every leaf position lies in exactly one node
  // without children, first == last. `numbers`: empty for a categorical column; else never descending (equal where
  // doubles cannot tell numbers apart), NaN for the leaf `missing` alone (always the last). `level_nodes[level][leaf]`:
  // the node that full-domain level `level` releases; level_nodes[0] are the leaves, the last one is all root.
  Hierarchy(std::vector<NodeInfo> nodes, std::vector<std::vector<Node>> level_nodes, std::vector<double> numbers,
            std::optional<Leaf> missing);
  // The same tree, whose numbers are released as its nodes, as categories are, and not as ranges.
  Hierarchy releasing_nodes() const {
    Hierarchy copy = *this;
    copy.releases_ranges_ = false;
    return copy;
  }

  size_t leaves() const { return leaf_nodes_.size(); }
  size_t nodes() const { return nodes_.size(); }
  const NodeInfo& node(Node node) const { return nodes_[node]; }
  static constexpr Node kRoot = 0;
  Node leaf_node(Leaf leaf) const { return leaf_nodes_[leaf]; }
  bool is_leaf(Node node) const { return leaf_nodes_[nodes_[node].first] == node; }
  // Children in leaf order; empty for a leaf.
  const std::vector<Node>& children(Node node) const { return children_[node]; }
  size_t leaves_under(Node node) const { return nodes_[node].last - nodes_[node].first + size_t{1}; }

  // Full-domain levels 0 (as it is) .. height() (all "*"). A tree with one value only and no inner nodes has height 1.
  int height() const { return static_cast<int>(level_nodes_.size()) - 1; }
  Node node_at(Leaf leaf, int level) const { return level_nodes_[static_cast<size_t>(level)][leaf]; }
  const std::vector<Node>& level_nodes(int level) const { return level_nodes_[static_cast<size_t>(level)]; }

  // The deepest node that covers both leaves. Requires lo <= hi. Cost: the tree's depth.
  Node common_ancestor(Leaf lo, Leaf hi) const {
    Node node = leaf_nodes_[lo];
    while (nodes_[node].last < hi) node = nodes_[node].parent;
    return node;
  }
  bool covers(Node node, Leaf leaf) const { return nodes_[node].first <= leaf && leaf <= nodes_[node].last; }

  bool numeric() const { return !numbers_.empty(); }
  // Requires numeric() and leaf != missing().
  double number(Leaf leaf) const { return numbers_[leaf]; }
  // Numbers that local recoding releases as ranges.
  bool releases_ranges() const { return numeric() && releases_ranges_; }
  // Some node stands between the root and a leaf.
  bool has_inner_nodes() const { return nodes() > leaves() + (is_leaf(kRoot) ? 0 : 1); }
  // Greatest number minus least number among the values that occur (0 when there is only one, or none).
  double number_range() const { return number_range_; }
  // The leaf that stands for missing cells; it hangs directly under the root.
  std::optional<Leaf> missing() const { return missing_; }

 private:
  std::vector<NodeInfo> nodes_;
  std::vector<std::vector<Node>> children_;
  std::vector<Node> leaf_nodes_;
  std::vector<std::vector<Node>> level_nodes_;
  std::vector<double> numbers_;
  double number_range_ = 0;
  bool releases_ranges_ = true;
  std::optional<Leaf> missing_;
};

}  // namespace shoal
