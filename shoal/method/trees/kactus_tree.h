// kACTUS up to its groups: a C4.5 tree for the target, and the rows of its leaves in groups of at least k
// (kactus_prune). What is released of a group is somebody else's matter (kactus_release, kactus_inside).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/learn/c45.h"
#include "shoal/method/method.h"
#include "shoal/method/trees/kactus_prune.h"
#include "shoal/method/trees/kactus_release.h"
#include "shoal/table/groups.h"

namespace shoal::kactus {

// The tree as phase 2 needs it. A row whose cell is missing where its path asks for it ends there, in a leaf of its own
// below that node: it has nothing in common with the branches (C4.5 deals such rows to all of them).
class Paths {
 public:
  // Requires: the problem and the columns outlive this.
  Paths(C45Tree tree, const Problem& problem, const std::vector<size_t>& columns);

  const C45Tree& tree() const { return tree_; }
  const std::vector<uint32_t>& parents() const { return parents_; }
  // Where a tuple comes to rest.
  uint32_t leaf_of(const Tuples& tuples, size_t tuple) const;
  // What the path to a node tells about each column.
  std::vector<PathColumn> told(uint32_t node) const;
  // "sex = M, age <= 41.5"; "all rows" for the root.
  std::string text(uint32_t node) const;

 private:
  const Hierarchy& hierarchy_of(uint32_t node) const {
    return problem_.hierarchies[columns_[tree_.nodes[node].attribute]];
  }
  std::string condition(uint32_t parent, uint32_t node) const;

  C45Tree tree_;
  const Problem& problem_;
  const std::vector<size_t>& columns_;
  std::vector<uint32_t> parents_;        // the tree's nodes, then leaves for missing cells
  std::vector<uint32_t> missing_child_;  // [node of the tree]: 0 where the column has no missing cell
  std::vector<uint32_t> first_right_;    // [node of the tree]: numeric splits: least leaf above the threshold
};

struct TreeGroups {
  Paths paths;
  Pruned pruned;                  // its groups hold under the first requirement's rule; nothing is left
  std::vector<uint32_t> dropped;  // ascending; none where the problem allows none
};

// The groups of the first requirement. `min_objects`: of the tree; 0: k. Rows alike in all columns and the target are
// one weighted row while the tree grows. Requires a target, and that the whole table as one group holds. Says in
// `notices` where the time ended first.
TreeGroups tree_groups(const Problem& problem, double min_objects, Progress& progress,
                       std::vector<std::string>& notices);

}  // namespace shoal::kactus
