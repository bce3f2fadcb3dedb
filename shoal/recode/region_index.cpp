#include "shoal/recode/region_index.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace shoal {
namespace {

constexpr uint32_t kBoxesPerLeaf = 8;

}  // namespace

struct RegionIndex::Best {
  RegionMatch match{};
  uint32_t region = 0;
  bool any = false;
};

RegionIndex::RegionIndex(const RegionBoxes& boxes) : boxes_(boxes), width_(boxes.leaves.size()) {
  order_.resize(boxes.losses.size());
  std::iota(order_.begin(), order_.end(), uint32_t{0});
  build(0, static_cast<uint32_t>(order_.size()));
}

// The column in which the middles of the boxes are furthest apart, as a share of all its leaves.
size_t RegionIndex::widest_column(uint32_t begin, uint32_t end) const {
  size_t widest = 0;
  double most = -1;
  for (size_t i = 0; i < width_; ++i) {
    uint64_t low = std::numeric_limits<uint64_t>::max(), high = 0;
    for (uint32_t place = begin; place < end; ++place) {
      const LeafInterval& box = boxes_.covers[order_[place] * width_ + i];
      const uint64_t middle = uint64_t{box.first} + box.last;
      low = std::min(low, middle);
      high = std::max(high, middle);
    }
    const double spread = static_cast<double>(high - low) / static_cast<double>(boxes_.leaves[i]);
    if (spread > most) {
      most = spread;
      widest = i;
    }
  }
  return most > 0 ? widest : width_;
}

uint32_t RegionIndex::build(uint32_t begin, uint32_t end) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({begin, end, 0, 0, std::numeric_limits<double>::infinity()});
  around_.resize(around_.size() + width_, {std::numeric_limits<uint32_t>::max(), 0});
  for (uint32_t place = begin; place < end; ++place) {
    const uint32_t region = order_[place];
    nodes_[node].least_loss = std::min(nodes_[node].least_loss, boxes_.losses[region]);
    for (size_t i = 0; i < width_; ++i) {
      const LeafInterval& box = boxes_.covers[region * width_ + i];
      LeafInterval& around = around_[node * width_ + i];
      around.first = std::min(around.first, box.first);
      around.last = std::max(around.last, box.last);
    }
  }
  if (end - begin <= kBoxesPerLeaf) return node;
  const size_t column = widest_column(begin, end);
  if (column == width_) return node;  // all have the same middle
  const uint32_t middle = begin + (end - begin) / 2;
  const auto at = [&](uint32_t place) { return order_.begin() + static_cast<ptrdiff_t>(place); };
  const auto centre = [&](uint32_t region) {
    const LeafInterval& box = boxes_.covers[region * width_ + column];
    return uint64_t{box.first} + box.last;
  };
  std::nth_element(at(begin), at(middle), at(end), [&](uint32_t a, uint32_t b) { return centre(a) < centre(b); });
  const uint32_t left = build(begin, middle);
  const uint32_t right = build(middle, end);
  nodes_[node].left = left;
  nodes_[node].right = right;
  return node;
}

// No box below the node is nearer: each of its parts is at most that of the box, and rounding keeps the order of sums
// that are added up alike.
double RegionIndex::gap_of_node(uint32_t node, std::span<const uint32_t> row) const {
  return boxes_.gap(std::span(around_).subspan(node * width_, width_), row);
}

void RegionIndex::look(uint32_t number, double gap, std::span<const uint32_t> row, Best& best) const {
  const Node& node = nodes_[number];
  if (best.any) {
    if (gap > best.match.gap) return;
    const bool settled = best.match.held || boxes_.holds.empty();  // nothing but a smaller loss could be better
    if (gap == best.match.gap && settled && node.least_loss > best.match.loss) return;
  }
  if (node.left == 0) {
    for (uint32_t place = node.begin; place < node.end; ++place) {
      const uint32_t region = order_[place];
      const RegionMatch match = boxes_.match(region, row);
      if (!best.any || match.better_than(best.match) || (!best.match.better_than(match) && region < best.region)) {
        best = {match, region, true};
      }
    }
    return;
  }
  const double left = gap_of_node(node.left, row), right = gap_of_node(node.right, row);
  const bool left_first = left <= right;
  look(left_first ? node.left : node.right, left_first ? left : right, row, best);
  look(left_first ? node.right : node.left, left_first ? right : left, row, best);
}

uint32_t RegionIndex::region_of(std::span<const uint32_t> row) const {
  Best best;
  look(0, gap_of_node(0, row), row, best);
  return best.region;
}

}  // namespace shoal
