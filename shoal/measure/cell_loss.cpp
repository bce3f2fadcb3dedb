#include "shoal/measure/cell_loss.h"

#include <cmath>

namespace shoal {
namespace {

// Range, mean, or node of a numeric column: the extent of the numbers it covers. Missing has no number, so what mixes
// it in is the root (see released_interval) and counts 1.
double numeric_extent(const Hierarchy& hierarchy, const Released& released) {
  if (released.is_root()) return 1;
  if (hierarchy.number_range() == 0) return 0;
  return (hierarchy.number(released.last) - hierarchy.number(released.first)) / hierarchy.number_range();
}

bool is_leaf_release(const Hierarchy& hierarchy, const Released& released) {
  return released.is_node() && released.first == released.last && hierarchy.is_leaf(released.number);
}

}  // namespace

double ncp(const Hierarchy& hierarchy, const Released& released) {
  if (is_leaf_release(hierarchy, released)) return 0;
  if (hierarchy.numeric()) return numeric_extent(hierarchy, released);
  return double(released.last - released.first + 1) / double(hierarchy.leaves());
}

std::vector<double> group_losses(const GroupRecoding& recoding, const std::vector<Hierarchy>& hierarchies) {
  const std::vector<size_t>& columns = recoding.recoded_columns;
  std::vector<double> losses(recoding.groups(), 0);
  for (size_t group = 0; group < losses.size(); ++group) {
    for (size_t i = 0; i < columns.size(); ++i) {
      losses[group] += ncp(hierarchies[columns[i]], recoding.group_releases[group * columns.size() + i]);
    }
  }
  return losses;
}

double precision_loss(const Hierarchy& hierarchy, uint32_t leaf, const Released& released) {
  if (!released.is_node()) return ncp(hierarchy, released);
  const double depth = hierarchy.node(hierarchy.leaf_node(leaf)).depth;
  return depth == 0 ? 0 : (depth - hierarchy.node(released.number).depth) / depth;
}

double iyengar_loss(const Hierarchy& hierarchy, const Released& released) {
  if (is_leaf_release(hierarchy, released)) return 0;
  if (hierarchy.numeric()) return numeric_extent(hierarchy, released);
  if (hierarchy.leaves() == 1) return released.is_root() ? 1 : 0;
  return double(released.last - released.first) / double(hierarchy.leaves() - 1);
}

double weighted_hierarchical_distance(const Hierarchy& hierarchy, uint32_t leaf, const Released& released,
                                      double beta) {
  if (!released.is_node()) return ncp(hierarchy, released);
  const int leaf_depth = static_cast<int>(hierarchy.node(hierarchy.leaf_node(leaf)).depth);
  const int depth = static_cast<int>(hierarchy.node(released.number).depth);
  return weighted_hierarchical_distance(leaf_depth + 1, depth + 1, leaf_depth + 1, beta);
}

double weighted_hierarchical_distance(int p, int q, int h, double beta) {
  double raised = 0, all = 0;
  for (int level = 2; level <= h; ++level) {
    const double weight = beta == 0 ? 1 : std::pow(level - 1, -beta);
    all += weight;
    if (level > q && level <= p) raised += weight;
  }
  return all == 0 ? 0 : raised / all;
}

}  // namespace shoal
