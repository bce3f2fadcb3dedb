// New boxes: the steps that change what groups there are. A box is tried by asking who would be better off inside.
#include <algorithm>
#include <numeric>

#include "shoal/method/shoal/shoal_refine.h"

namespace shoal {
namespace {

constexpr int kMostBroken = 3;

bool inside(const ShoalRefiner::Box& box, std::span<const size_t> columns, const uint32_t* codes) {
  for (size_t j : columns) {
    if (codes[j] < box.lo[j] || codes[j] > box.hi[j]) return false;
  }
  return true;
}

}  // namespace

// Collects into donors_ the groups that pay more than the box and have rows inside it.
bool ShoalRefiner::find_donors(const Box& box) {
  donors_.clear();
  inside_.clear();
  for (uint32_t group = 0; group < window_.groups(); ++group) {
    if (window_.size(group) == 0 || window_.price(group) <= box.price + kWorthwhile) continue;
    bool apart = false;
    sticking_out_.clear();
    for (size_t j = 0; j < box.lo.size() && !apart; ++j) {
      const uint32_t lo = window_.lo(group, j), hi = window_.hi(group, j);
      apart = hi < box.lo[j] || lo > box.hi[j];
      if (lo < box.lo[j] || hi > box.hi[j]) sticking_out_.push_back(j);
    }
    if (apart) continue;
    Donor donor{group, inside_.size(), 0, 0, false};
    for (uint32_t row : window_.members(group)) {
      if (inside(box, sticking_out_, window_.row(row))) inside_.push_back(row);
    }
    donor.count = inside_.size() - donor.first;
    if (donor.count == 0) continue;
    donor.broken = donor.count == window_.size(group);
    donor.given = donor.broken ? donor.count : std::min<size_t>(donor.count, window_.size(group) - window_.k());
    donors_.push_back(donor);
  }
  return !donors_.empty();
}

// While fewer than k rows are given freely, breaks up the group that lies inside the box for the largest part.
bool ShoalRefiner::enough_donors() {
  size_t rows = 0;
  for (const Donor& donor : donors_) rows += donor.given;
  for (int broken = 0; rows < window_.k(); ++broken) {
    Donor* best = nullptr;
    double best_share = 0;
    for (Donor& donor : donors_) {
      const double share = double(donor.count) / double(window_.size(donor.group));
      if (donor.given == donor.count || share <= best_share) continue;
      best = &donor;
      best_share = share;
    }
    if (best == nullptr || broken == kMostBroken) return false;
    rows += best->count - best->given;
    best->given = best->count;
    best->broken = true;
  }
  return true;
}

void ShoalRefiner::undo_moves() {
  std::reverse(undo_.begin(), undo_.end());
  window_.move(undo_);
  undo_.clear();
}

// With a rule: the new group, and those that gave rows and stay.
bool ShoalRefiner::all_hold(uint32_t opened) const {
  return window_.holds(opened) && std::all_of(donors_.begin(), donors_.end(), [&](const Donor& donor) {
           return donor.broken || donor.given == 0 || window_.holds(donor.group);
         });
}

bool ShoalRefiner::open_box(const Box& box) {
  ++counts_.tried;
  if (!find_donors(box) || !enough_donors()) return false;
  const uint32_t opened = window_.empty_group();
  undo_.clear();
  double change = 0;
  for (const Donor& donor : donors_) {
    if (donor.given == 0) continue;
    const auto first = inside_.begin() + static_cast<ptrdiff_t>(donor.first);
    if (donor.given < donor.count) {  // rather those that hold a border: the donor's box may become cheaper
      std::stable_partition(first, first + static_cast<ptrdiff_t>(donor.count),
                            [&](uint32_t row) { return window_.holds_border(donor.group, row); });
    }
    change -= window_.cost(donor.group);
    given_.clear();
    for (auto row = first; row != first + static_cast<ptrdiff_t>(donor.given); ++row) {
      undo_.emplace_back(*row, donor.group);
      given_.emplace_back(*row, opened);
    }
    window_.move(given_);
    // What is left of a broken group has to leave too: its cost goes, and is paid again place by place below.
    if (!donor.broken) change += window_.cost(donor.group);
  }
  change += window_.cost(opened);
  bool pays = change < -kWorthwhile && (!window_.rule() || all_hold(opened));
  for (const Donor& donor : donors_) {
    if (!pays || !donor.broken) continue;
    pooled_ = window_.members(donor.group);
    for (uint32_t row : pooled_) {
      const auto place = window_.cheapest_place(row, donor.group, -change - kWorthwhile);
      pays = place.group != ShoalWindow::kNone;
      if (!pays) break;
      undo_.emplace_back(row, donor.group);
      window_.move(row, place.group);
      change += place.cost;
    }
  }
  if (!pays) {
    undo_moves();
    return false;
  }
  ++counts_.opened;
  return true;
}

bool ShoalRefiner::open_boxes_along(const LineOrder& order) {
  if (window_.rows() < window_.k()) return false;
  pooled_.resize(window_.rows());
  std::iota(pooled_.begin(), pooled_.end(), 0);
  line_up(pooled_, order);
  cutter_.cut(window_.codes(), window_.classes(), line_, run_size());
  const size_t width = space_.columns();
  std::vector<Box> boxes;
  size_t begin = 0;
  for (uint32_t end : cutter_.ends()) {
    Box box{std::vector<uint32_t>(width, UINT32_MAX), std::vector<uint32_t>(width, 0), 0, 0};
    for (size_t i = begin; i < end; ++i) {
      const uint32_t* const codes = window_.row(line_[i]);
      for (size_t j = 0; j < width; ++j) {
        box.lo[j] = std::min(box.lo[j], codes[j]);
        box.hi[j] = std::max(box.hi[j], codes[j]);
      }
      box.gain += window_.price(window_.group_of(line_[i]));
    }
    for (size_t j = 0; j < width; ++j) box.price += space_.cost(j, box.lo[j], box.hi[j]);
    box.gain -= double(end - begin) * box.price;
    if (box.gain > kWorthwhile) boxes.push_back(std::move(box));
    begin = end;
  }
  std::stable_sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.gain > b.gain; });
  bool better = false;
  for (const Box& box : boxes) better |= open_box(box);
  return better;
}

// Narrows the box on one column, around the value of one member: a range loses a piece at one end, a node becomes one
// below it.
void ShoalRefiner::narrow(Box& box, uint32_t group, size_t column, SeededRandom& random) const {
  const auto& members = window_.members(group);
  const uint32_t centre = window_.row(members[random.below(members.size())])[column];
  uint32_t& lo = box.lo[column];
  uint32_t& hi = box.hi[column];
  if (centre < lo || centre > hi) return;
  if (space_.hierarchy(column).releases_ranges()) {
    if (random.below(2) == 0) {
      lo += static_cast<uint32_t>(random.below(centre - lo + 1));
    } else {
      hi = centre + static_cast<uint32_t>(random.below(hi - centre + 1));
    }
    return;
  }
  const uint32_t other = window_.row(members[random.below(members.size())])[column];
  const uint32_t least = std::min(centre, other), greatest = std::max(centre, other);
  const bool below = space_.cost(column, least, greatest) < window_.column_price(group, column) - kWorthwhile;
  lo = below ? least : centre;
  hi = below ? greatest : centre;
}

ShoalRefiner::Box ShoalRefiner::mutated_box(SeededRandom& random) const {
  Box box;
  const auto group = static_cast<uint32_t>(random.below(window_.groups()));
  if (window_.size(group) == 0) return box;
  const size_t width = space_.columns();
  std::vector<size_t> wide;
  for (size_t j = 0; j < width; ++j) {
    box.lo.push_back(window_.lo(group, j));
    box.hi.push_back(window_.hi(group, j));
    if (box.lo[j] < box.hi[j]) wide.push_back(j);
  }
  if (wide.empty()) return {};  // nothing cheaper than a single tuple
  const size_t narrowed = 1 + random.below(2);
  for (size_t i = 0; i < narrowed; ++i) narrow(box, group, wide[random.below(wide.size())], random);
  if (random.below(2) == 0) {
    const size_t column = random.below(width);
    const uint32_t code = window_.row(static_cast<uint32_t>(random.below(window_.rows())))[column];
    box.lo[column] = std::min(box.lo[column], code);
    box.hi[column] = std::max(box.hi[column], code);
  }
  for (size_t j = 0; j < width; ++j) {
    space_.widen(j, box.lo[j], box.hi[j]);
    box.price += space_.cost(j, box.lo[j], box.hi[j]);
  }
  return box;
}

bool ShoalRefiner::open_mutated_boxes(size_t tries, SeededRandom& random) {
  bool better = false;
  if (window_.groups() == 0) return false;
  for (size_t i = 0; i < tries; ++i) {
    const Box box = mutated_box(random);
    if (!box.lo.empty()) better |= open_box(box);
  }
  return better;
}

}  // namespace shoal
