// A tree like a k-d tree over boxes, built by halving along the column on which boxes lie farthest apart. A node keeps
// for every column the greatest lower end and the least upper end of its boxes: any union with one of them covers at
// least the stretch from the query to there, which gives the floor. A merged group keeps the slot of one of the two,
// and only the nodes above both are refreshed; the tree is not balanced again, since groups only become fewer.
#include "shoal/method/local/group_index.h"

#include <algorithm>
#include <numeric>

namespace shoal {
namespace {

constexpr size_t kLongPart = 4096;  // groups that take long enough to part to look at the clock before

std::vector<LeafSpan> boxes_of(const RowCodes& codes, const RowGroups& groups) {
  std::vector<LeafSpan> boxes(groups.size() * codes.width());
  for (size_t g = 0; g < groups.size(); ++g) codes.measure(groups.group(g), boxes.data() + g * codes.width());
  return boxes;
}

std::vector<uint32_t> sizes_of(const RowGroups& groups) {
  std::vector<uint32_t> sizes;
  for (size_t g = 0; g < groups.size(); ++g) sizes.push_back(static_cast<uint32_t>(groups.rows_in(g)));
  return sizes;
}

}  // namespace

GroupIndex::GroupIndex(const RowCodes& codes, Nearness nearness, const RowGroups& groups, const Progress* progress)
    : GroupIndex(codes.space(), nearness, boxes_of(codes, groups), sizes_of(groups), progress) {}

GroupIndex::GroupIndex(const NcpSpace& space, Nearness nearness, std::span<const LeafSpan> boxes,
                       std::span<const uint32_t> rows, const Progress* progress)
    : space_(space),
      nearness_(nearness),
      width_(space.columns()),
      progress_(progress),
      slot_(rows.size()),
      group_(rows.size()),
      bucket_(rows.size()) {
  boxes_.assign(boxes.begin(), boxes.end());
  rows_.assign(rows.begin(), rows.end());
  std::iota(slot_.begin(), slot_.end(), 0u);
  std::iota(group_.begin(), group_.end(), 0u);
  for (uint32_t group = 0; group < rows.size(); ++group) price_.push_back(box_price(space_, box(group)));
  std::vector<uint32_t> order = group_;
  if (!rows.empty()) build(order, 0, 0);
  if (stop_building()) return;
  progress_ = nullptr;
  // Neighbours lie beside each other from now on.
  std::vector<LeafSpan> sorted_boxes(boxes_.size());
  std::vector<double> sorted_price(rows.size());
  for (uint32_t slot = 0; slot < order.size(); ++slot) {
    slot_[order[slot]] = slot;
    rows_[slot] = rows[order[slot]];
    sorted_price[slot] = price_[order[slot]];
    std::copy_n(boxes_.begin() + static_cast<ptrdiff_t>(order[slot] * width_), width_,
                sorted_boxes.begin() + static_cast<ptrdiff_t>(slot * width_));
  }
  group_ = std::move(order);
  boxes_ = std::move(sorted_boxes);
  price_ = std::move(sorted_price);
  reach_.resize(nodes_.size() * width_);
  for (size_t node = nodes_.size(); node-- > 0;) refresh(static_cast<uint32_t>(node));
}

bool GroupIndex::stop_building() const {
  if (!progress_) return false;
  progress_->check();
  return progress_->out_of_time();
}

// Depth is logarithmic: part() halves, give or take equal values, and where it cannot it halves by number.
uint32_t GroupIndex::build(std::span<uint32_t> order, uint32_t begin, uint32_t parent) {
  const auto at = static_cast<uint32_t>(nodes_.size());
  const auto end = begin + static_cast<uint32_t>(order.size());
  nodes_.push_back({begin, end, 0, parent, 0, 0, 0, 0, 0});
  if (order.size() > kLongPart && stop_building()) return at;
  if (order.size() <= kBucket) {
    for (uint32_t slot = begin; slot < end; ++slot) bucket_[slot] = at;
    return at;
  }
  const size_t left = part(order);
  build(order.first(left), begin, at);
  const uint32_t right = build(order.subspan(left), begin + static_cast<uint32_t>(left), at);
  nodes_[at].right = right;
  return at;
}

// Parts the groups along the column on which their boxes lie farthest apart, at a border between values near the
// median; gives how many come first.
size_t GroupIndex::part(std::span<uint32_t> order) const {
  size_t column = width_;
  double widest = 0;
  for (size_t j = 0; j < width_; ++j) {
    uint32_t max_lo = 0, min_hi = UINT32_MAX;
    for (uint32_t group : order) {
      max_lo = std::max(max_lo, boxes_[size_t{group} * width_ + j].lo);
      min_hi = std::min(min_hi, boxes_[size_t{group} * width_ + j].hi);
    }
    const double width = min_hi < max_lo ? space_.cost(j, min_hi, max_lo) : 0;
    if (width > widest) widest = width, column = j;
  }
  const size_t half = order.size() / 2;
  if (column == width_) {
    std::nth_element(order.begin(), order.begin() + static_cast<ptrdiff_t>(half), order.end());
    return half;
  }
  auto key = [&](uint32_t group) {
    const LeafSpan& side = boxes_[size_t{group} * width_ + column];
    return uint64_t{side.lo} + side.hi;
  };
  std::nth_element(order.begin(), order.begin() + static_cast<ptrdiff_t>(half), order.end(),
                   [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  const uint64_t median = key(order[half]);
  const auto below = std::partition(order.begin(), order.end(), [&](uint32_t group) { return key(group) < median; });
  const auto upto = std::partition(below, order.end(), [&](uint32_t group) { return key(group) == median; });
  const auto before = static_cast<size_t>(below - order.begin()), with = static_cast<size_t>(upto - order.begin());
  // Far from the middle, a border between values makes the tree too deep: then the middle itself.
  const bool nearer = with < order.size() && (before == 0 || with - half < half - before);
  const size_t cut = nearer ? with : before;
  return std::min(cut, order.size() - cut) * 16 >= order.size() ? cut : half;
}

void GroupIndex::refresh(uint32_t at) {
  Node& node = nodes_[at];
  Reach* const reach = reach_.data() + size_t{at} * width_;
  for (size_t j = 0; j < width_; ++j) reach[j] = {0, UINT32_MAX, UINT32_MAX, 0};
  node.min_rows = node.min_group = kNone;
  node.max_rows = 0;
  node.max_price = 0;
  node.min_price = std::numeric_limits<double>::infinity();
  if (node.right == 0) {
    for (uint32_t slot = node.begin; slot < node.end; ++slot) {
      if (rows_[slot] == 0) continue;
      node.min_rows = std::min(node.min_rows, rows_[slot]);
      node.max_rows = std::max(node.max_rows, rows_[slot]);
      node.min_group = std::min(node.min_group, group_[slot]);
      node.min_price = std::min(node.min_price, price_[slot]);
      node.max_price = std::max(node.max_price, price_[slot]);
      const LeafSpan* const box = boxes_.data() + size_t{slot} * width_;
      for (size_t j = 0; j < width_; ++j) {
        reach[j] = {std::max(reach[j].max_lo, box[j].lo), std::min(reach[j].min_hi, box[j].hi),
                    std::min(reach[j].min_lo, box[j].lo), std::max(reach[j].max_hi, box[j].hi)};
      }
    }
    return;
  }
  for (uint32_t child : {at + 1, node.right}) {
    node.min_rows = std::min(node.min_rows, nodes_[child].min_rows);
    node.max_rows = std::max(node.max_rows, nodes_[child].max_rows);
    node.min_group = std::min(node.min_group, nodes_[child].min_group);
    node.min_price = std::min(node.min_price, nodes_[child].min_price);
    node.max_price = std::max(node.max_price, nodes_[child].max_price);
    const Reach* const below = reach_.data() + size_t{child} * width_;
    for (size_t j = 0; j < width_; ++j) {
      reach[j] = {std::max(reach[j].max_lo, below[j].max_lo), std::min(reach[j].min_hi, below[j].min_hi),
                  std::min(reach[j].min_lo, below[j].min_lo), std::max(reach[j].max_hi, below[j].max_hi)};
    }
  }
}

void GroupIndex::refresh_above(uint32_t slot) {
  uint32_t at = bucket_[slot];
  while (true) {
    refresh(at);
    if (at == 0) return;
    at = nodes_[at].parent;
  }
}

// Every step below rounds a monotone function of the price, so that the distance of a part of the sum, and of a floor
// of the price, is a floor of the distance.
double GroupIndex::distance(double price, uint32_t rows, uint32_t other_rows, double other_price) const {
  const double base = nearness_ == Nearness::least_growth ? other_price : 0;
  return double(rows) * price + double(other_rows) * std::max(0.0, price - base);
}

template <typename Accepted>
void GroupIndex::consider(uint32_t slot, const LeafSpan* box, uint32_t rows, Neighbour& best,
                          const Accepted& accept) const {
  const LeafSpan* const other = boxes_.data() + size_t{slot} * width_;
  double price = 0;
  for (size_t j = 0; j < width_; ++j) {
    price += space_.cost(j, std::min(box[j].lo, other[j].lo), std::max(box[j].hi, other[j].hi));
    if (double(rows) * price > best.distance) return;
  }
  const Neighbour found{distance(price, rows, rows_[slot], price_[slot]), rows_[slot], group_[slot]};
  if (found < best && accept(found.group)) best = found;
}

// More than `limit`, or a floor of the distance to any group below the node.
double GroupIndex::floor(uint32_t at, const LeafSpan* box, uint32_t rows, double limit) const {
  const Node& node = nodes_[at];
  if (node.max_rows == 0) return std::numeric_limits<double>::infinity();
  const Reach* const reach = reach_.data() + size_t{at} * width_;
  double price = 0;
  for (size_t j = 0; j < width_; ++j) {
    price += space_.cost(j, std::min(box[j].lo, reach[j].max_lo), std::max(box[j].hi, reach[j].min_hi));
    if (double(rows) * price > limit) break;
  }
  return distance(std::max(price, node.min_price), rows, node.min_rows, node.max_price);
}

double GroupIndex::donor_floor(uint32_t at, const LeafSpan* box) const {
  if (nodes_[at].max_rows == 0) return std::numeric_limits<double>::infinity();
  const Reach* const reach = reach_.data() + size_t{at} * width_;
  double price = 0;
  for (size_t j = 0; j < width_; ++j) {
    price += space_.cost(j, std::min(box[j].lo, reach[j].max_hi), std::max(box[j].hi, reach[j].min_lo));
  }
  return price;
}

// At least what the box costs with any row of the group.
double GroupIndex::row_floor(uint32_t slot, const LeafSpan* box) const {
  const LeafSpan* const other = boxes_.data() + size_t{slot} * width_;
  double price = 0;
  for (size_t j = 0; j < width_; ++j) {
    price += space_.cost(j, std::min(box[j].lo, other[j].hi), std::max(box[j].hi, other[j].lo));
  }
  return price;
}

namespace {
constexpr auto kAnyGroup = [](uint32_t) { return true; };
}

GroupIndex::Neighbour GroupIndex::nearest(uint32_t group) const { return find_nearest(group, kAnyGroup); }

GroupIndex::Neighbour GroupIndex::nearest_where(uint32_t group, const Accept& accept) const {
  return find_nearest(group, accept);
}

template <typename Accepted>
GroupIndex::Neighbour GroupIndex::find_nearest(uint32_t group, const Accepted& accept) const {
  const LeafSpan* const mine = box(group);
  const uint32_t my_slot = slot_[group], my_rows = rows_[my_slot];
  Neighbour best;
  std::vector<std::pair<double, uint32_t>> open{{0, 0}};  // floor and node
  while (!open.empty()) {
    const auto [least, at] = open.back();
    open.pop_back();
    const Node& node = nodes_[at];
    if (node.max_rows == 0 || !(Neighbour{least, node.min_rows, node.min_group} < best)) continue;
    if (node.right == 0) {
      for (uint32_t slot = node.begin; slot < node.end; ++slot) {
        if (rows_[slot] > 0 && slot != my_slot) consider(slot, mine, my_rows, best, accept);
      }
      continue;
    }
    std::pair near{floor(at + 1, mine, my_rows, best.distance), at + 1};
    std::pair far{floor(node.right, mine, my_rows, best.distance), node.right};
    if (far.first < near.first) std::swap(near, far);
    if (far.first <= best.distance) open.push_back(far);
    if (near.first <= best.distance) open.push_back(near);
  }
  return best;
}

GroupIndex::Neighbour GroupIndex::nearest_by_scan(uint32_t group) const {
  Neighbour best;
  for (uint32_t slot = 0; slot < rows_.size(); ++slot) {
    if (rows_[slot] > 0 && group_[slot] != group) best = nearer(group, group_[slot], best);
  }
  return best;
}

GroupIndex::Neighbour GroupIndex::nearer(uint32_t group, uint32_t other, Neighbour best) const {
  consider(slot_[other], box(group), rows(group), best, kAnyGroup);
  return best;
}

void GroupIndex::merge(uint32_t into, uint32_t group) {
  const uint32_t to = slot_[into], from = slot_[group];
  for (size_t j = 0; j < width_; ++j) grow(boxes_[size_t{to} * width_ + j], boxes_[size_t{from} * width_ + j]);
  rows_[to] += rows_[from];
  rows_[from] = 0;
  price_[to] = box_price(space_, box(into));
  refresh_above(to);
  refresh_above(from);
}

void GroupIndex::replace(uint32_t group, std::span<const LeafSpan> box, uint32_t rows) {
  const uint32_t slot = slot_[group];
  std::copy(box.begin(), box.end(), boxes_.begin() + static_cast<ptrdiff_t>(size_t{slot} * width_));
  rows_[slot] = rows;
  price_[slot] = box_price(space_, box.data());
  refresh_above(slot);
}

}  // namespace shoal
