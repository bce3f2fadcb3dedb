#include "shoal/plan/fragments.h"

#include <algorithm>
#include <utility>

namespace shoal {
namespace {

constexpr size_t kUsualRows = 65'536, kLargestRows = 500'000;
constexpr size_t kLeastRows = 10'000;
constexpr size_t kLeastTuples = 2'000;  // chosen among 500, 1,000, 2,000 and 4,000 (docs/scale.md)
constexpr uint64_t kLeastGroups = 200;  // so many groups of k rows fit into a fragment at least
constexpr size_t kPilotRows = 30'000, kPilotRowsPerFragment = 256, kMostPilotRows = 1'000'000;

size_t pilot_rows(size_t fragments) {
  return std::clamp(fragments * kPilotRowsPerFragment, kPilotRows, kMostPilotRows);
}

// A fragment in the making: leaves of the tree, from left to right.
struct Joined {
  std::vector<uint32_t> leaves;
  uint64_t rows = 0;
};

// The fragments under a node are all good, or there is just one. A bad one alone on its side of a cut joins the other
// side's nearest, and with it further ones as long as it is bad; so this stays true up to the root.
class Joining {
 public:
  Joining(const CutTree& tree, const std::vector<uint64_t>& rows, size_t least_rows,
          const std::function<bool(std::span<const uint32_t>)>& holds)
      : tree_(tree), rows_(rows), least_rows_(least_rows), holds_(holds) {}

  // Children have higher numbers than their parents: the last node first.
  std::vector<Joined> fragments() {
    std::vector<std::vector<Joined>> under(tree_.nodes().size());
    for (size_t node = tree_.nodes().size(); node-- > 0;) {
      const CutTree::Node& here = tree_.nodes()[node];
      if (here.is_leaf()) {
        under[node].push_back({{static_cast<uint32_t>(node)}, rows_[node]});
      } else {
        under[node] = united(std::move(under[here.left]), std::move(under[here.right]));
      }
    }
    return std::move(under[0]);
  }

 private:
  bool good(const Joined& fragment) const { return fragment.rows >= least_rows_ && holds_(fragment.leaves); }

  // Along the tree the last of the left side and the first of the right side are nearest.
  std::vector<Joined> united(std::vector<Joined> left, std::vector<Joined> right) const {
    while (!left.empty() && !right.empty()) {
      const bool bad_left = left.size() == 1 && !good(left.front());
      const bool bad_right = right.size() == 1 && !good(right.front());
      if (!bad_left && !bad_right) break;
      Joined both = std::move(left.back());
      left.pop_back();
      both.leaves.insert(both.leaves.end(), right.front().leaves.begin(), right.front().leaves.end());
      both.rows += right.front().rows;
      right.erase(right.begin());
      if (left.empty()) {
        left.push_back(std::move(both));
      } else {
        right.insert(right.begin(), std::move(both));
      }
    }
    left.insert(left.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
    return left;
  }

  const CutTree& tree_;
  const std::vector<uint64_t>& rows_;
  const size_t least_rows_;
  const std::function<bool(std::span<const uint32_t>)>& holds_;
};

}  // namespace

FragmentSizes fragment_sizes(size_t rows, uint64_t k) {
  FragmentSizes sizes;
  const uint64_t groups = std::min<uint64_t>(k, rows) * kLeastGroups;
  sizes.least_rows = static_cast<size_t>(std::max<uint64_t>(kLeastRows, groups));
  const size_t usual = std::clamp(2 * sizes.least_rows, kUsualRows, kLargestRows);
  const size_t nearest = (rows + usual / 2) / usual;
  sizes.fragments = std::max<size_t>(1, std::min(nearest, rows / sizes.least_rows));
  sizes.pilot_rows = pilot_rows(sizes.fragments);
  return sizes;
}

FragmentSizes with_tuples(FragmentSizes sizes, size_t rows, size_t tuples) {
  const size_t by_rows = (rows + kLargestRows - 1) / kLargestRows;
  sizes.fragments = std::min(sizes.fragments, std::max({size_t{1}, by_rows, tuples / kLeastTuples}));
  return sizes;
}

FragmentSizes asked_fragments(size_t rows, uint64_t k, size_t fragments) {
  FragmentSizes sizes;
  sizes.least_rows = static_cast<size_t>(2 * std::min<uint64_t>(k, rows));
  sizes.fragments = std::clamp<size_t>(fragments, 1, std::max<size_t>(1, rows / std::max<size_t>(1, sizes.least_rows)));
  sizes.pilot_rows = pilot_rows(sizes.fragments);
  return sizes;
}

std::vector<uint32_t> fragments_of_leaves(const CutTree& tree, const std::vector<uint64_t>& rows, size_t least_rows,
                                          const std::function<bool(std::span<const uint32_t> leaves)>& holds) {
  std::vector<uint32_t> fragment_of(tree.nodes().size(), 0);
  uint32_t number = 0;
  for (const Joined& fragment : Joining(tree, rows, least_rows, holds).fragments()) {
    for (uint32_t leaf : fragment.leaves) fragment_of[leaf] = number;
    ++number;
  }
  return fragment_of;
}

}  // namespace shoal
