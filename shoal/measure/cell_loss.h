// What one released cell lost, by the measures that are sums over cells. All in [0,1]. Where a leaf is given the
// release must cover it, and nothing of it matters but its depth in the tree.
#pragma once

#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"

namespace shoal {

// NCP: numeric column (hi - lo) / (max - min) over the values covered, categorical leaves / |A|, 0 for a leaf, 1 for
// the root. Only values that occur in the input count, so that the root is 1 exactly.
double ncp(const Hierarchy& hierarchy, const Released& released);

// What the release of each region or group loses: the sum of its cells' NCP over the recoded columns, unweighted.
std::vector<double> group_losses(const GroupRecoding& recoding, const std::vector<Hierarchy>& hierarchies);

// Prec's share: steps this leaf was raised / steps to the root on its own path. A numeric range has no steps: its NCP.
double precision_loss(const Hierarchy& hierarchy, uint32_t leaf, const Released& released);

// LM (Iyengar): categorical (leaves - 1) / (|A| - 1), numeric its NCP; a column with one value: 0, or 1 at the root.
double iyengar_loss(const Hierarchy& hierarchy, const Released& released);

// WHD of raising `leaf` to the release, on the leaf's own path (root = level 1 .. leaf = level h). Range: its NCP.
// beta 0: uniform weights; beta >= 1: height weights 1/(level-1)^beta.
double weighted_hierarchical_distance(const Hierarchy& hierarchy, uint32_t leaf, const Released& released, double beta);
// The same from bare level numbers: from p (specific) to q (general) in a hierarchy of h levels.
double weighted_hierarchical_distance(int p, int q, int h, double beta);

// True when the cell is not released as it was.
inline bool modified(const Hierarchy& hierarchy, uint32_t leaf, const Released& released) {
  return !released.is_node(hierarchy.leaf_node(leaf));
}

}  // namespace shoal
