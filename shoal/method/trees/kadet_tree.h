// A decision tree in which no node has fewer than k rows (Friedman, Wolff, Schuster 2008: kADET, on C4.5's criterion).
//
// A split is a candidate only when every branch that any row takes has at least k rows, so that the tree as a whole
// tells nothing about fewer than k rows on the quasi columns. Categorical columns with a hierarchy start at its root
// and are split into the children of the node reached so far (a rare value stays inside a larger node); flat ones into
// their values. Numeric columns are split in two. Missing cells take a branch of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/method/method.h"
#include "shoal/run/progress.h"
#include "shoal/table/groups.h"

namespace shoal {

struct KadetTree {
  static constexpr uint32_t kLeaf = UINT32_MAX;
  struct Node {
    uint32_t parent = 0;
    uint32_t column = kLeaf;  // split on: position among `columns`; kLeaf: none
    uint32_t first_child = 0, children = 0;
    // How the parent's split leads here: leaves [first, last] of its column. The hierarchy node that covers them, or
    // kNumbers in a numeric column. Branches that no row takes are not there.
    static constexpr uint32_t kNumbers = UINT32_MAX;
    uint32_t first = 0, last = 0, covered_by = 0;
    double threshold = 0;  // numeric splits: the first child takes numbers up to this, the second those above
    std::vector<double> class_rows;
    double rows() const;
    uint32_t majority() const;  // the first largest class
    bool leaf() const { return column == kLeaf; }
  };
  std::vector<size_t> columns;  // indices into the quasi columns
  std::vector<Node> nodes;      // the root first, parents before children, siblings together

  // Where a row comes to rest: a leaf, or an inner node none of whose branches takes it. `leaf_of(i)` is the row's leaf
  // position in columns[i].
  template <typename LeafOf>
  uint32_t node_of(const LeafOf& leaf_of) const {
    uint32_t node = 0;
    while (!nodes[node].leaf()) {
      const uint32_t leaf = leaf_of(nodes[node].column);
      uint32_t child = nodes[node].first_child;
      const uint32_t end = child + nodes[node].children;
      while (child < end && (leaf < nodes[child].first || leaf > nodes[child].last)) ++child;
      if (child == end) return node;
      node = child;
    }
    return node;
  }
  size_t leaves() const;
};

struct KadetOptions {
  uint64_t k = 1;
  bool pruned = true;
  double confidence = 0.25;  // as C4.5's
};

// As the problem's parameters and its one requirement say.
KadetOptions kadet_options(const Problem& problem);

// `tuples` are those of `columns` and the target (quasi_dataset.h). Branches of a numeric split take all leaves up to
// or above the threshold, whether rows have them or not. Deterministic. When out of time, what has been grown. Requires
// at least one row.
KadetTree grow_kadet(const Problem& problem, const Tuples& tuples, const std::vector<size_t>& columns,
                     const KadetOptions& options, Progress& progress);

}  // namespace shoal
