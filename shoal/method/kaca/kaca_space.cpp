#include "shoal/method/kaca/kaca_space.h"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

// Thirds, fourths, .. sixteenths of a unit are whole numbers, so that trees of such heights count without rounding.
constexpr double kDivisible = 720720;

// Weight of the path from the root down to each depth, in steps (uniform) or in parts of 2^20 (by height).
std::vector<KacaCost> path_weights(uint32_t depths, double beta) {
  std::vector<KacaCost> weights{0};
  double sum = 0;
  for (uint32_t depth = 1; depth <= depths; ++depth) {
    sum += std::pow(depth, -beta);
    weights.push_back(beta == 0 ? KacaCost{depth} : std::max<KacaCost>(std::llround(sum * 0x1p20), 1));
  }
  return weights;
}

uint32_t depth_of_leaf(const Hierarchy& hierarchy, uint32_t leaf) {
  return hierarchy.node(hierarchy.leaf_node(leaf)).depth;
}

uint32_t deepest_leaf(const Hierarchy& hierarchy) {
  uint32_t depth = 0;
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) depth = std::max(depth, depth_of_leaf(hierarchy, leaf));
  return depth;
}

}  // namespace

KacaSpace::KacaSpace(const Problem& problem, const std::vector<size_t>& columns, double beta, uint64_t k) {
  double weights = 0;
  for (size_t quasi : columns) weights += problem.weights[quasi];
  // Two groups of less than 2k rows each, all cells raised: at most 2^62.
  const double largest = std::min(0x1p40, 0x1p61 / (2 * double(k)));
  double unit = largest / std::max(weights, 1e-200);  // finite, also where every weight is 0
  if (unit > kDivisible) unit = std::floor(unit / kDivisible) * kDivisible;
  std::vector<Place> even, uneven, ranges;
  for (size_t quasi : columns) {
    const Hierarchy& hierarchy = problem.hierarchies[quasi];
    Place place{
        quasi, &hierarchy, &problem.table.quasi[quasi].codes, static_cast<uint32_t>(hierarchy.leaves()), false, {}, {},
        {},    {}};
    const double weighted = unit * problem.weights[quasi];
    place.range = hierarchy.numeric() && deepest_leaf(hierarchy) < 2;
    whole_row_ += std::llround(weighted);
    if (place.range) {
      place_range(place, weighted);
      ranges.push_back(std::move(place));
    } else {
      (place_tree(place, weighted, beta) ? even : uneven).push_back(std::move(place));
    }
  }
  even_trees_ = even.size();
  uneven_trees_ = uneven.size();
  for (auto* run : {&even, &uneven, &ranges}) std::move(run->begin(), run->end(), std::back_inserter(columns_));
}

void KacaSpace::place_range(Place& place, double unit) const {
  const Hierarchy& hierarchy = *place.hierarchy;
  place.position.assign(place.leaves, 0);
  const uint32_t numbers = place.leaves - (hierarchy.missing() ? 1 : 0);
  for (uint32_t leaf = 0; leaf < numbers; ++leaf) {
    const double from_least = hierarchy.number(leaf) - hierarchy.number(0);
    place.position[leaf] =
        hierarchy.number_range() > 0 ? std::llround(from_least / hierarchy.number_range() * unit) : 0;
  }
  // The root tells nothing; the full range of all numbers neither.
  place.kept_of_node = {std::llround(unit)};
}

bool KacaSpace::place_tree(Place& place, double unit, double beta) const {
  const Hierarchy& hierarchy = *place.hierarchy;
  const uint32_t deepest = deepest_leaf(hierarchy);
  const std::vector<KacaCost> weights = path_weights(deepest, beta);
  bool even = true;
  for (uint32_t leaf = 0; leaf < place.leaves; ++leaf) {
    const uint32_t depth = depth_of_leaf(hierarchy, leaf);
    even = even && depth == deepest;
    place.share_of_leaf.push_back(depth == 0 ? 0 : std::llround(unit / double(weights[depth])));
  }
  for (uint32_t node = 0; node < hierarchy.nodes(); ++node) {
    place.kept_of_node.push_back(weights[hierarchy.node(node).depth]);
    if (even) place.kept_of_node.back() *= place.share_of_leaf.front();
  }
  if (even) place.share_of_leaf.clear();
  const size_t nodes = hierarchy.nodes();
  if (nodes * nodes > kDenseCells) return even;
  place.dense.resize(nodes * nodes);
  for (uint32_t a = 0; a < nodes; ++a) {
    for (uint32_t b = 0; b < nodes; ++b) {
      const auto &one = hierarchy.node(a), &other = hierarchy.node(b);
      const KacaCell hull{std::min(one.first, other.first), std::max(one.last, other.last)};
      place.dense[a * nodes + b] = place.kept_of_node[node_of(place, hull)];
    }
  }
  return even;
}

KacaCell KacaSpace::join(size_t column, KacaCell a, KacaCell b) const {
  const Place& place = columns_[column];
  KacaCell hull{std::min(a.first, b.first), std::max(a.last, b.last)};
  if (hull.first == hull.last) return hull;
  const Hierarchy& hierarchy = *place.hierarchy;
  if (place.range) return hierarchy.missing() == hull.last ? KacaCell{0, place.leaves - 1} : hull;
  const auto& node = hierarchy.node(node_of(place, hull));
  return {node.first, node.last};
}

KacaCost KacaSpace::kept(size_t column, KacaCell cell) const {
  const Place& place = columns_[column];
  if (!place.range) return place.kept_of_node[node_of(place, cell)];
  const KacaCost whole = place.kept_of_node.front();
  if (cell.first == cell.last) return whole;
  if (place.hierarchy->missing() == cell.last) return 0;
  return whole - (place.position[cell.last] - place.position[cell.first]);
}

KacaCost KacaSpace::least_step(size_t column) const {
  const Place& place = columns_[column];
  if (place.range) return 0;
  KacaCost least = INT64_MAX;
  for (uint32_t leaf = 0; leaf < place.leaves; ++leaf) {
    const uint32_t node = place.hierarchy->leaf_node(leaf);
    const KacaCost step = place.kept_of_node[node] - place.kept_of_node[place.hierarchy->node(node).parent];
    least = std::min(least, step * (place.share_of_leaf.empty() ? 1 : place.share_of_leaf[leaf]));
  }
  return least;
}

Released KacaSpace::released(size_t column, KacaCell cell) const {
  const Place& place = columns_[column];
  if (place.range) return released_interval(*place.hierarchy, cell.first, cell.last);
  return released_node(*place.hierarchy, node_of(place, cell));
}

void KacaSpace::gather(uint32_t row, uint32_t* leaves) const {
  for (const Place& place : columns_) *leaves++ = (*place.codes)[row];
}

}  // namespace shoal
