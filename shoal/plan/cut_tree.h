// Where a table is cut into fragments: a tree of cuts, each between two neighbouring leaves of one quasi column. Equal
// rows always come to the same fragment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/table/table.h"

namespace shoal {

class CutTree {
 public:
  struct Node {
    size_t column = 0;         // of the quasi columns
    uint32_t first_right = 0;  // rows whose code is lower go left
    uint32_t left = 0, right = 0;
    bool is_leaf() const { return left == 0; }  // the root is nobody's child
  };

  // One leaf: the whole table.
  CutTree() : nodes_(1) {}

  const std::vector<Node>& nodes() const { return nodes_; }
  size_t leaves() const { return nodes_.size() / 2 + 1; }
  // The leaf becomes a cut; its left child has the number nodes().size() before the call, the right one the next.
  void cut(uint32_t leaf, size_t column, uint32_t first_right);
  // The leaf (a number of a node) of a row that has these codes on the quasi columns.
  uint32_t leaf_of(const auto& code_of_column) const {
    uint32_t node = 0;
    while (!nodes_[node].is_leaf()) {
      node = code_of_column(nodes_[node].column) < nodes_[node].first_right ? nodes_[node].left : nodes_[node].right;
    }
    return node;
  }
  // [row]: its leaf. Cost: rows x the tree's depth.
  std::vector<uint32_t> route(const Table& table, int threads) const;

 private:
  std::vector<Node> nodes_;
};

// A pilot: some rows of the table, and for each requirement the group that a search has put each of them into.
struct PilotGroups {
  const Table* table = nullptr;               // of the pilot's rows
  std::vector<size_t> columns;                // that may be cut, ascending
  std::vector<std::vector<uint32_t>> groups;  // [requirement][row]
};

// Grows a tree that crosses few groups of a pilot. Among the cuts of a leaf with 20 to 80 % of its rows on each side
// that with the least (rows on the minority side of crossed groups) / entropy(share) is made; where there is none, as
// when most rows are alike, one of those that leave enough rows on both sides. Ties: the more even cut, then the first
// column, then the lower place. Whatever the pilot is like, only the loss depends on it.
class CutGrower {
 public:
  // `least_rows`: of the pilot, on each side of a cut. The pilot must outlive it.
  CutGrower(const PilotGroups& pilot, size_t least_rows);

  // Cuts the leaf with most of the pilot's rows (the first of several), again and again, while there are fewer leaves
  // than that and one of them can be cut.
  void grow(size_t leaves);
  // Cuts this leaf. False when it cannot be cut.
  bool cut(uint32_t leaf);

  const CutTree& tree() const { return tree_; }

 private:
  struct Choice {
    double score = 0, evenness = 0;
    size_t column = 0;
    uint32_t first_right = 0;
  };
  std::optional<Choice> best_cut(const std::vector<uint32_t>& rows);
  void try_column(size_t column, const std::vector<uint32_t>& rows, size_t least, std::optional<Choice>& best);

  const PilotGroups& pilot_;
  const size_t least_rows_;
  CutTree tree_;
  std::vector<std::vector<uint32_t>> rows_of_node_;     // of leaves
  std::vector<bool> uncut_;                             // [node]: a leaf that may still be cut
  std::vector<std::vector<uint32_t>> total_, left_of_;  // [requirement][group]: rows in the leaf, left of the cut
};

}  // namespace shoal
