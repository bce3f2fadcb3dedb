// A floor for one row's share: its group has k rows, so its box reaches at least as far as its k-th nearest row does,
// whatever the group is. The k-th nearest is found in a k-d tree over distinct tuples, whose nodes have boxes: a node
// farther than the k-th so far is not entered.
#include "shoal/method/shoal/shoal_neighbours.h"

#include <algorithm>
#include <numeric>
#include <queue>

#include "shoal/method/shoal/shoal_window.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kLeafTuples = 12;
constexpr size_t kPilotQueries = 64;
constexpr size_t kQueryBlock = 128;

// Distinct tuples in a tree of boxes: every node covers a run of tuples and knows the least and greatest leaf of each
// column among them.
class TupleTree {
 public:
  TupleTree(const NcpSpace& space, const DistinctTuples& tuples)
      : space_(space), width_(space.columns()), codes_(tuples.codes), order_(tuples.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    grow(order_, 0, order_.size());
    // Tuples are stored in tree order, so that a leaf reads one stretch of memory.
    for (size_t i = 0; i < order_.size(); ++i) {
      std::copy_n(tuples.codes.data() + order_[i] * width_, width_, codes_.data() + i * width_);
      counts_.push_back(tuples.counts[order_[i]]);
    }
  }

  size_t size() const { return counts_.size(); }
  // Which tuple stands at this place of the tree.
  uint32_t tuple_at(size_t place) const { return order_[place]; }

  // Price of the tuple at this place together with its (k-1)-th nearest row. Adds the comparisons made to `work`.
  double kth_nearest(size_t place, uint64_t k, uint64_t& work) const {
    if (counts_[place] >= k) return 0;
    const uint32_t* const codes = codes_.data() + place * width_;
    std::priority_queue<std::pair<double, uint32_t>> nearest;  // farthest on top
    uint64_t rows = 0;
    std::vector<std::pair<uint32_t, double>> open{{0, 0.0}};
    while (!open.empty()) {
      const auto [index, distance] = open.back();
      open.pop_back();
      if (rows >= k && distance >= nearest.top().first) continue;
      const Node& node = nodes_[index];
      if (node.right != 0) {
        const double left = gap(codes, index + 1), right = gap(codes, node.right);
        work += 2;
        const bool left_first = left <= right;  // the nearer child is opened first: it comes last on the stack
        open.emplace_back(left_first ? node.right : index + 1, left_first ? right : left);
        open.emplace_back(left_first ? index + 1 : node.right, left_first ? left : right);
        continue;
      }
      for (size_t other = node.first; other < node.last; ++other) {
        ++work;
        const double limit = rows >= k ? nearest.top().first : ShoalWindow::kUnlimited;
        const double cost = pair_cost(codes, codes_.data() + other * width_, limit);
        if (cost >= limit) continue;
        nearest.emplace(cost, counts_[other]);
        rows += counts_[other];
        while (rows - nearest.top().second >= k) {
          rows -= nearest.top().second;
          nearest.pop();
        }
      }
    }
    return nearest.top().first;
  }

 private:
  struct Node {
    uint32_t first, last;
    uint32_t right = 0;  // the left child follows its parent; 0: a leaf
  };

  double pair_cost(const uint32_t* a, const uint32_t* b, double limit) const {
    double cost = 0;
    for (size_t j = 0; j < width_ && cost < limit; ++j) {
      if (a[j] != b[j]) cost += space_.cost(j, std::min(a[j], b[j]), std::max(a[j], b[j]));
    }
    return cost;
  }
  // Least cost of the point together with any point of the node's box.
  double gap(const uint32_t* codes, uint32_t index) const {
    const uint32_t* const box = boxes_.data() + size_t{index} * 2 * width_;
    double cost = 0;
    for (size_t j = 0; j < width_; ++j) {
      if (codes[j] < box[2 * j]) cost += space_.cost(j, codes[j], box[2 * j]);
      if (codes[j] > box[2 * j + 1]) cost += space_.cost(j, box[2 * j + 1], codes[j]);
    }
    return cost;
  }

  // Splits on the column whose interval costs most, at the border between values that lies nearest to the middle.
  uint32_t grow(std::vector<uint32_t>& order, size_t first, size_t last) {
    const auto index = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
    boxes_.resize(boxes_.size() + 2 * width_);
    uint32_t* const box = boxes_.data() + size_t{index} * 2 * width_;
    size_t widest = 0;
    double widest_cost = -1;
    for (size_t j = 0; j < width_; ++j) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (size_t i = first; i < last; ++i) {
        const uint32_t code = codes_[size_t{order[i]} * width_ + j];
        lo = std::min(lo, code);
        hi = std::max(hi, code);
      }
      box[2 * j] = lo;
      box[2 * j + 1] = hi;
      if (lo < hi && space_.cost(j, lo, hi) > widest_cost) {
        widest = j;
        widest_cost = space_.cost(j, lo, hi);
      }
    }
    if (last - first <= kLeafTuples || widest_cost < 0) return index;
    auto code = [&](uint32_t tuple) { return codes_[size_t{tuple} * width_ + widest]; };
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
  const size_t width_;
  std::vector<uint32_t> codes_, counts_, order_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> boxes_;  // [node][column]: least, greatest
};

}  // namespace

std::vector<double> neighbour_prices(const NcpSpace& space, const DistinctTuples& tuples, uint64_t k, uint64_t work,
                                     int threads, Progress& progress) {
  const TupleTree tree(space, tuples);
  // How many can be afforded? Ask a few, spread over the tree.
  uint64_t pilot_work = 1;
  const size_t pilots = std::min(kPilotQueries, tree.size());
  for (size_t i = 0; i < pilots; ++i) tree.kth_nearest(i * tree.size() / pilots, k, pilot_work);
  const double affordable = double(work) * double(pilots) / double(pilot_work);
  const size_t queries = affordable >= double(tree.size()) ? tree.size() : static_cast<size_t>(affordable);
  std::vector<double> prices(tuples.size(), 0);
  run_tasks((queries + kQueryBlock - 1) / kQueryBlock, threads, [&](size_t, size_t block) {
    progress.check();
    uint64_t spent = 0;
    for (size_t query = block * kQueryBlock; query < std::min(queries, (block + 1) * kQueryBlock); ++query) {
      const size_t place = query * tree.size() / queries;
      prices[tree.tuple_at(place)] = tree.kth_nearest(place, k, spent);
    }
  });
  return prices;
}

}  // namespace shoal
