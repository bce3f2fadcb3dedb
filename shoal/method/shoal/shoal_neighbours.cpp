// A floor for one row's share: its group has k rows, so its box reaches at least as far as its k-th nearest row does,
// whatever the group is. The k-th nearest is found in a k-d tree over distinct tuples, whose nodes have boxes: a node
// farther than the k-th so far is not entered.
#include "shoal/method/shoal/shoal_neighbours.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <queue>

#include "shoal/method/shoal/shoal_window.h"
#include "shoal/method/space/leaf_prices.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kLeafTuples = 12;
constexpr size_t kPilotQueries = 64;
constexpr size_t kQueryBlock = 128;
constexpr double kNothing = -1;  // known of what a tuple pays

// Distinct tuples in a tree of boxes: every node covers a run of tuples and knows the least and greatest leaf of each
// column among them.
template <typename Prices>
class TupleTree {
 public:
  using Leaf = typename Prices::Leaf;
  TupleTree(const NcpSpace& space, const Prices& prices, const DistinctTuples& tuples)
      : space_(space), tuples_(tuples), prices_(prices), stride_(prices.stride()), order_(tuples.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    grow(order_, 0, order_.size());
    // Tuples are stored in tree order, so that a leaf reads one stretch of memory.
    leaves_.resize(order_.size() * stride_);
    for (size_t i = 0; i < order_.size(); ++i) {
      prices.pack(tuples.codes.data() + order_[i] * space.columns(), leaves_.data() + i * stride_);
      counts_.push_back(tuples.counts[order_[i]]);
    }
  }

  size_t size() const { return counts_.size(); }
  // Which tuple stands at this place of the tree.
  uint32_t tuple_at(size_t place) const { return order_[place]; }

  // What a thread needs to ask for neighbours.
  struct Asker {
    explicit Asker(const Prices& prices) : from(prices) {}
    typename Prices::FromRow from;
    std::vector<std::pair<uint32_t, double>> open;  // nodes and how far they are
    uint64_t work = 0;                              // comparisons made
  };
  // Price of the tuple at this place together with its (k-1)-th nearest row; 0 where it is not above `known`.
  double kth_nearest(size_t place, uint64_t k, double known, Asker& asker) const {
    if (counts_[place] >= k) return 0;
    asker.from.set(leaves_.data() + place * stride_);
    std::priority_queue<std::pair<double, uint32_t>> nearest;  // farthest on top
    uint64_t rows = 0;
    auto& open = asker.open;
    open.assign(1, {0, 0.0});
    while (!open.empty()) {
      const auto [index, distance] = open.back();
      open.pop_back();
      if (rows >= k && distance >= nearest.top().first) continue;
      const Node& node = nodes_[index];
      if (node.right != 0) {
        const double left = gap(asker, index + 1), right = gap(asker, node.right);
        asker.work += 2;
        const bool left_first = left <= right;  // the nearer child is opened first: it comes last on the stack
        open.emplace_back(left_first ? node.right : index + 1, left_first ? right : left);
        open.emplace_back(left_first ? index + 1 : node.right, left_first ? left : right);
        continue;
      }
      for (size_t other = node.first; other < node.last; ++other) {
        ++asker.work;
        const double limit = rows >= k ? nearest.top().first : ShoalWindow::kUnlimited;
        const double cost = asker.from.price_below(leaves_.data() + other * stride_, limit);
        if (cost >= limit) continue;
        nearest.emplace(cost, counts_[other]);
        rows += counts_[other];
        while (rows - nearest.top().second >= k) {
          rows -= nearest.top().second;
          nearest.pop();
        }
        if (rows >= k && nearest.top().first <= known) return 0;
      }
    }
    return nearest.top().first;
  }

 private:
  struct Node {
    uint32_t first, last;
    uint32_t right = 0;  // the left child follows its parent; 0: a leaf
  };

  // Least cost of the point together with any point of the node's box.
  double gap(const Asker& asker, uint32_t index) const {
    return asker.from.least_with(lo_.data() + size_t{index} * stride_, hi_.data() + size_t{index} * stride_);
  }

  // Splits on the column whose interval costs most, at the border between values that lies nearest to the middle.
  uint32_t grow(std::vector<uint32_t>& order, size_t first, size_t last) {
    const auto index = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
    const size_t width = space_.columns();
    std::vector<uint32_t> least(width), greatest(width);
    size_t widest = 0;
    double widest_cost = -1;
    for (size_t j = 0; j < width; ++j) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (size_t i = first; i < last; ++i) {
        const uint32_t code = tuples_.codes[size_t{order[i]} * width + j];
        lo = std::min(lo, code);
        hi = std::max(hi, code);
      }
      least[j] = lo;
      greatest[j] = hi;
      if (lo < hi && space_.cost(j, lo, hi) > widest_cost) {
        widest = j;
        widest_cost = space_.cost(j, lo, hi);
      }
    }
    lo_.resize(nodes_.size() * stride_);
    hi_.resize(nodes_.size() * stride_);
    prices_.pack(least.data(), lo_.data() + index * stride_);
    prices_.pack(greatest.data(), hi_.data() + index * stride_);
    if (last - first <= kLeafTuples || widest_cost < 0) return index;
    auto code = [&](uint32_t tuple) { return tuples_.codes[size_t{tuple} * width + widest]; };
    const auto begin = order.begin() + static_cast<ptrdiff_t>(first),
               end = order.begin() + static_cast<ptrdiff_t>(last);
    const auto middle = begin + (end - begin) / 2;
    std::nth_element(begin, middle, end, [&](uint32_t a, uint32_t b) { return code(a) < code(b); });
    const uint32_t border = code(*middle);
    auto cut = std::partition(begin, end, [&](uint32_t tuple) { return code(tuple) < border; });
    if (cut == begin) cut = std::partition(begin, end, [&](uint32_t tuple) { return code(tuple) <= border; });
    const auto split = static_cast<size_t>(cut - order.begin());
    grow(order, first, split);
    nodes_[index].right = grow(order, split, last);
    return index;
  }

  const NcpSpace& space_;
  const DistinctTuples& tuples_;
  const Prices& prices_;
  const size_t stride_;
  std::vector<Leaf> leaves_;  // [place * stride + column]
  std::vector<uint32_t> counts_, order_;
  std::vector<Node> nodes_;
  std::vector<Leaf> lo_, hi_;  // [node * stride + column]: least, greatest
};

template <typename Prices>
std::vector<double> prices_by(const Prices& tabled, const NcpSpace& space, const DistinctTuples& tuples,
                              const NeighbourSearch& search, Progress& progress) {
  using Tree = TupleTree<Prices>;
  const Tree tree(space, tabled, tuples);
  // How many can be afforded? Ask a few, spread over the tree.
  typename Tree::Asker pilot(tabled);
  pilot.work = 1;
  const size_t pilots = std::min(kPilotQueries, tree.size());
  for (size_t i = 0; i < pilots; ++i) tree.kth_nearest(i * tree.size() / pilots, search.k, kNothing, pilot);
  const double affordable = double(search.work) * double(pilots) / double(pilot.work);
  const size_t queries = affordable >= double(tree.size()) ? tree.size() : static_cast<size_t>(affordable);
  std::vector<double> prices(tuples.size(), 0);
  run_tasks_with((queries + kQueryBlock - 1) / kQueryBlock, search.threads,
                 [&] { return std::make_unique<typename Tree::Asker>(tabled); },
                 [&](typename Tree::Asker& asker, size_t block) {
                   progress.check();
                   for (size_t query = block * kQueryBlock; query < std::min(queries, (block + 1) * kQueryBlock);
                        ++query) {
                     const size_t place = query * tree.size() / queries;
                     const uint32_t tuple = tree.tuple_at(place);
                     const double known = search.known.empty() ? kNothing : search.known[tuple];
                     prices[tuple] = tree.kth_nearest(place, search.k, known, asker);
                   }
                 });
  return prices;
}

}  // namespace

std::vector<double> neighbour_prices(const NcpSpace& space, const DistinctTuples& tuples, const NeighbourSearch& search,
                                     Progress& progress) {
  if (TabledPrices::fits(space)) return prices_by(TabledPrices(space), space, tuples, search, progress);
  return prices_by(SpacePrices(space), space, tuples, search, progress);
}

}  // namespace shoal
