#include "shoal/method/shoal_bound.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <queue>

#include "shoal/method/shoal_search.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

constexpr size_t kLeafTuples = 12;
constexpr size_t kPilotQueries = 64;
constexpr size_t kQueryBlock = 128;

// Distinct tuples in a tree of boxes: every node covers a run of tuples and knows the least and greatest leaf of each
// column among them.
class TupleTree {
 public:
  TupleTree(const ShoalSpace& space, std::vector<uint32_t> codes, std::vector<uint32_t> counts)
      : space_(space), width_(space.columns()) {
    std::vector<uint32_t> order(counts.size());
    std::iota(order.begin(), order.end(), 0);
    codes_ = std::move(codes);
    grow(order, 0, order.size());
    // Tuples are stored in tree order, so that a leaf reads one stretch of memory.
    std::vector<uint32_t> sorted(codes_.size());
    for (size_t i = 0; i < order.size(); ++i) {
      std::copy_n(codes_.data() + order[i] * width_, width_, sorted.data() + i * width_);
      counts_.push_back(counts[order[i]]);
    }
    codes_ = std::move(sorted);
  }

  size_t size() const { return counts_.size(); }
  uint32_t count(size_t tuple) const { return counts_[tuple]; }

  // Cost of the tuple together with its (k-1)-th nearest row. Adds the comparisons made to `work`.
  double kth_nearest(size_t tuple, uint64_t k, uint64_t& work) const {
    if (counts_[tuple] >= k) return 0;
    const uint32_t* const codes = codes_.data() + tuple * width_;
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

  const ShoalSpace& space_;
  const size_t width_;
  std::vector<uint32_t> codes_, counts_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> boxes_;  // [node][column]: least, greatest
};

TupleTree tuple_tree(const ShoalSpace& space) {
  std::vector<uint32_t> representative, counts;
  {
    const Groups groups = group_rows(space.rows(), space.group_keys());
    counts = groups.sizes;
    representative.resize(counts.size());
    for (size_t row = space.rows(); row-- > 0;) representative[groups.group_of_row[row]] = static_cast<uint32_t>(row);
  }
  std::vector<uint32_t> codes(representative.size() * space.columns());
  space.gather(representative, codes.data());
  return {space, std::move(codes), std::move(counts)};
}

}  // namespace

ShoalBound shoal_lower_bound(const ShoalSpace& space, uint64_t k, uint64_t work, int threads, Progress& progress) {
  if (k <= 1 || space.rows() < k) return {0, space.rows()};
  const TupleTree tree = tuple_tree(space);
  // How many can be afforded? Ask a few, spread over the tree.
  uint64_t pilot_work = 1;
  const size_t pilots = std::min(kPilotQueries, tree.size());
  for (size_t i = 0; i < pilots; ++i) tree.kth_nearest(i * tree.size() / pilots, k, pilot_work);
  const double affordable = double(work) * double(pilots) / double(pilot_work);
  const size_t queries = affordable >= double(tree.size()) ? tree.size() : static_cast<size_t>(affordable);
  if (queries == 0) return {};
  const size_t blocks = (queries + kQueryBlock - 1) / kQueryBlock;
  std::vector<double> sums(blocks, 0);
  std::vector<uint64_t> examined(blocks, 0);
  run_blocks(
      threads, blocks, [] { return std::make_unique<uint64_t>(0); },
      [&](uint64_t& spent, size_t block) {
        progress.check();
        for (size_t query = block * kQueryBlock; query < std::min(queries, (block + 1) * kQueryBlock); ++query) {
          const size_t tuple = queries == tree.size() ? query : query * tree.size() / queries;
          sums[block] += double(tree.count(tuple)) * tree.kth_nearest(tuple, k, spent);
          examined[block] += tree.count(tuple);
        }
      });
  // Block by block, so that the sum is the same whatever the number of threads.
  ShoalBound bound;
  for (size_t block = 0; block < blocks; ++block) {
    bound.ncp += sums[block];
    bound.rows_examined += examined[block];
  }
  return bound;
}

}  // namespace shoal
