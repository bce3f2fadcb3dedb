#include "shoal/measure/interval_cost.h"

#include "shoal/measure/cell_loss.h"

namespace shoal {

IntervalCost::IntervalCost(const Hierarchy& hierarchy, double weight)
    : weight_(weight), leaves_(hierarchy.leaves()), per_leaf_(weight / double(hierarchy.leaves())) {
  if (hierarchy.releases_ranges()) {
    const double scale = hierarchy.number_range() == 0 ? 0 : weight / hierarchy.number_range();
    for (uint32_t leaf = 0; leaf < leaves_; ++leaf) {
      const bool missing = leaf == hierarchy.missing();
      positions_.push_back(missing ? kBeyond * weight : (hierarchy.number(leaf) - hierarchy.number(0)) * scale);
    }
    return;
  }
  // The closest common ancestor of an interval of leaves has two different children in it, so two neighbours meet in it
  // as well; all other neighbours meet below it. Hence the largest of the neighbours' ancestors is the interval's, and
  // maxima over 2^power neighbours answer any interval with two look-ups.
  const auto meeting = [&](uint32_t leaf) { return hierarchy.common_ancestor(leaf, leaf + 1); };
  if (hierarchy.numeric()) {
    for (uint32_t leaf = 0; leaf + 1 < leaves_; ++leaf) {
      extents_.push_back(weight * ncp(hierarchy, released_node(hierarchy, meeting(leaf))));
    }
    add_powers(extents_);
    return;
  }
  for (uint32_t leaf = 0; leaf + 1 < leaves_; ++leaf) {
    largest_.push_back(static_cast<uint32_t>(hierarchy.leaves_under(meeting(leaf))));
  }
  add_powers(largest_);
}

IntervalCost::IntervalCost(std::vector<double> positions, double weight)
    : weight_(weight), positions_(std::move(positions)), leaves_(positions_.size()) {
  for (double& position : positions_) position *= weight;
}

// `sizes` has those of all neighbours.
template <typename Size>
void IntervalCost::add_powers(std::vector<Size>& sizes) const {
  sizes.resize(leaves_ > 1 ? leaves_ * static_cast<size_t>(std::bit_width(leaves_ - 1)) : 0);
  for (size_t half = 1, from = 0; 2 * half < leaves_; half *= 2, from += leaves_) {
    for (size_t leaf = 0; leaf + 2 * half < leaves_; ++leaf) {
      sizes[from + leaves_ + leaf] = std::max(sizes[from + leaf], sizes[from + leaf + half]);
    }
  }
}

}  // namespace shoal
