// What a group pays on one column under local recoding, as a function of its least and greatest leaf.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"

namespace shoal {

// cost(lo, hi) = weight x ncp(hierarchy, released_interval(hierarchy, lo, hi)), per row, up to rounding. Widening the
// interval never makes it cheaper. Immutable: safe to share between threads. Keeps nothing of the hierarchy. Memory: a
// column of ranges 8 bytes per leaf, one of nodes 4 bytes (8 where these are nodes over numbers) per leaf and power of
// two below the number of leaves.
class IntervalCost {
 public:
  IntervalCost(const Hierarchy& hierarchy, double weight);
  // Ranges over leaves that lie elsewhere than their numbers: positions in [0,1], ascending; kBeyond for missing.
  static constexpr double kBeyond = 3;
  IntervalCost(std::vector<double> positions, double weight);

  // Requires lo <= hi < leaves. Cost: two look-ups, whatever the tree's depth.
  double operator()(uint32_t lo, uint32_t hi) const {
    if (lo == hi) return 0;
    if (!positions_.empty()) return std::min(weight_, positions_[hi] - positions_[lo]);
    return extents_.empty() ? per_leaf_ * largest(largest_, lo, hi) : largest(extents_, lo, hi);
  }

 private:
  template <typename Size>
  Size largest(const std::vector<Size>& sizes, uint32_t lo, uint32_t hi) const {
    const auto power = static_cast<size_t>(std::bit_width(hi - lo) - 1);
    const Size* const from = sizes.data() + power * leaves_;
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): lo < hi, so that the width is at least 1
    return std::max(from[lo], from[hi - (uint32_t{1} << power)]);
  }
  template <typename Size>
  void add_powers(std::vector<Size>& sizes) const;

  double weight_;
  // Ranges: where each leaf lies, in [0, weight]; missing lies so far beyond that any interval up to it costs weight.
  std::vector<double> positions_;
  // Nodes: largest_[power * leaves_ + leaf] is the most leaves under any closest common ancestor of neighbours
  // among the 2^power + 1 leaves from `leaf` on. That ancestor is the ancestor of all of them.
  std::vector<uint32_t> largest_;
  std::vector<double> extents_;  // nodes over numbers: the same with weight x the extent of the ancestor's numbers
  size_t leaves_ = 0;
  double per_leaf_ = 0;
};

}  // namespace shoal
