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
// number column 8 bytes per leaf, a categorical one 4 bytes per leaf and power of two below the number of leaves.
class IntervalCost {
 public:
  IntervalCost(const Hierarchy& hierarchy, double weight);

  // Requires lo <= hi < leaves. Cost: two look-ups, whatever the tree's depth.
  double operator()(uint32_t lo, uint32_t hi) const {
    if (lo == hi) return 0;
    if (!positions_.empty()) return std::min(weight_, positions_[hi] - positions_[lo]);
    const auto power = static_cast<size_t>(std::bit_width(hi - lo) - 1);
    const uint32_t* const largest = largest_.data() + power * leaves_;
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): lo < hi, so that the width is at least 1
    return per_leaf_ * std::max(largest[lo], largest[hi - (uint32_t{1} << power)]);
  }

 private:
  double weight_;
  // Numeric: where each leaf lies, in [0, weight]; missing lies so far beyond that any interval up to it costs weight.
  std::vector<double> positions_;
  // Categorical: largest_[power * leaves_ + leaf] is the most leaves under any closest common ancestor of neighbours
  // among the 2^power + 1 leaves from `leaf` on. That ancestor is the ancestor of all of them.
  std::vector<uint32_t> largest_;
  size_t leaves_ = 0;
  double per_leaf_ = 0;
};

}  // namespace shoal
