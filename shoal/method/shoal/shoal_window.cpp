// What a move costs must be known without looking at the group's other rows. So every side of a box counts the rows
// that lie on it: a row that leaves makes the box smaller only where it was the last one there, and only then the
// members are measured again, once for all rows that leave together. Prices of columns are kept, so that joining adds
// the columns that grow. Floors (shoal_floors) say of all groups at once what a row would pay there at least; they are
// brought up to date lazily.
#include "shoal/method/shoal/shoal_window.h"

#include <algorithm>

namespace shoal {

void ShoalWindow::set_groups(size_t groups) {
  members_.resize(groups);
  boxes_.resize(groups * width_);
  price_.resize(groups, 0);
  squares_.resize(groups, 0);
  class_counts_.resize(groups * space_.classes(), 0);
  stamp_.resize(groups, 0);
  is_stale_.resize(groups, 0);
  shrunk_.resize(groups, 0);
  if (rule_) tallies_.resize(groups, rule_->tally());
  answers_.resize(groups);
  floors_.set_groups(groups);
}

// The group has changed.
void ShoalWindow::touch(uint32_t group) {
  stamp_[group] = ++clock_;
  if (is_stale_[group]) return;
  is_stale_[group] = 1;
  stale_.push_back(group);
}

void ShoalWindow::refresh_floors() {
  for (uint32_t group : stale_) {
    is_stale_[group] = 0;
    floors_.set_group(group, size(group), price_[group]);
    if (size(group) == 0) continue;
    for (size_t j = 0; j < width_; ++j) floors_.set_box(group, j, lo(group, j), hi(group, j));
  }
  stale_.clear();
}

void ShoalWindow::load(const RowGroups& partition, std::span<const uint32_t> groups) {
  table_rows_.clear();
  for (uint32_t group : groups) {
    const auto rows = partition.group(group);
    table_rows_.insert(table_rows_.end(), rows.begin(), rows.end());
  }
  codes_.resize(table_rows_.size() * width_);
  space_.gather(table_rows_, codes_.data());
  if (space_.mixing() > 0) {
    classes_.resize(table_rows_.size());
    space_.gather_classes(table_rows_, classes_.data());
  }
  group_of_.resize(table_rows_.size());
  place_of_.resize(table_rows_.size());
  stale_.clear();
  is_stale_.clear();
  floors_.load(codes_.data(), table_rows_.size());
  set_groups(groups.size());
  uint32_t row = 0;
  for (uint32_t group = 0; group < groups.size(); ++group) {
    members_[group].clear();
    for (size_t i = 0; i < partition.rows_in(groups[group]); ++i, ++row) {
      group_of_[row] = group;
      place_of_[row] = static_cast<uint32_t>(i);
      members_[group].push_back(row);
    }
    measure_box(group);
    count_members(group);
  }
}

void ShoalWindow::count_members(uint32_t group) {
  if (!rule_) return;
  counted_rows_.clear();
  for (uint32_t member : members_[group]) counted_rows_.push_back(table_rows_[member]);
  tallies_[group] = rule_->tally(counted_rows_);
}

void ShoalWindow::store(RowGroups& partition) const {
  for (const auto& members : members_) {
    if (members.empty()) continue;
    for (uint32_t row : members) partition.rows.push_back(table_rows_[row]);
    partition.starts.push_back(static_cast<uint32_t>(partition.rows.size()));
  }
}

double ShoalWindow::total_cost() const {
  double total = 0;
  for (uint32_t group = 0; group < groups(); ++group) total += cost(group);
  return total;
}

// Box, price and class counts from the members.
void ShoalWindow::measure_box(uint32_t group) {
  Side* const sides = box(group);
  for (size_t j = 0; j < width_; ++j) sides[j] = {UINT32_MAX, 0, 0, 0, 0};
  for (uint32_t member : members_[group]) {
    const uint32_t* const codes = row(member);
    for (size_t j = 0; j < width_; ++j) {
      Side& side = sides[j];
      const uint32_t code = codes[j];
      if (code < side.lo || side.at_lo == 0) side.lo = code, side.at_lo = 0;
      if (code > side.hi || side.at_hi == 0) side.hi = code, side.at_hi = 0;
      side.at_lo += code == side.lo;
      side.at_hi += code == side.hi;
    }
  }
  double price = 0;
  if (!members_[group].empty()) {
    for (size_t j = 0; j < width_; ++j) price += sides[j].cost = space_.cost(j, sides[j].lo, sides[j].hi);
  }
  price_[group] = price;
  touch(group);
  if (space_.mixing() == 0) return;
  uint32_t* const counts = class_counts_.data() + size_t{group} * space_.classes();
  std::fill_n(counts, space_.classes(), 0);
  double squares = 0;
  for (uint32_t member : members_[group]) squares += double(2 * uint64_t{counts[classes_[member]]++} + 1);
  squares_[group] = squares;
}

double ShoalWindow::mixing_added(uint32_t group, uint32_t row) const {
  if (space_.mixing() == 0) return 0;
  const double rows = double(size(group));
  const double squares = squares_[group] + 2 * double(class_count(group, row)) + 1;
  return mixing_penalty(space_.mixing(), rows + 1, squares) - mixing_penalty(space_.mixing(), rows, squares_[group]);
}

double ShoalWindow::cost_to_add(uint32_t group, uint32_t row_) const {
  const uint32_t* const codes = row(row_);
  const Side* const sides = box(group);
  double price = price_[group];
  for (size_t j = 0; j < width_; ++j) {
    const uint32_t code = codes[j];
    if (code < sides[j].lo) {
      price += space_.cost(j, code, sides[j].hi) - sides[j].cost;
    } else if (code > sides[j].hi) {
      price += space_.cost(j, sides[j].lo, code) - sides[j].cost;
    }
  }
  const double rows = double(size(group));
  return (rows + 1) * price - rows * price_[group] + mixing_added(group, row_);
}

bool ShoalWindow::holds_border(uint32_t group, uint32_t row_) const {
  const uint32_t* const codes = row(row_);
  const Side* const sides = box(group);
  for (size_t j = 0; j < width_; ++j) {
    if (codes[j] == sides[j].lo && sides[j].at_lo == 1) return true;
    if (codes[j] == sides[j].hi && sides[j].at_hi == 1) return true;
  }
  return false;
}

double ShoalWindow::price_without(uint32_t group, uint32_t row_) const {
  const uint32_t* const codes = row(row_);
  const Side* const sides = box(group);
  double price = price_[group];
  for (size_t j = 0; j < width_; ++j) {
    const Side& side = sides[j];
    const bool alone = (codes[j] == side.lo && side.at_lo == 1) || (codes[j] == side.hi && side.at_hi == 1);
    if (!alone || side.lo == side.hi) continue;
    uint32_t lo = UINT32_MAX, hi = 0;
    for (uint32_t member : members_[group]) {
      if (member == row_) continue;
      lo = std::min(lo, row(member)[j]);
      hi = std::max(hi, row(member)[j]);
    }
    price += space_.cost(j, lo, hi) - side.cost;
  }
  return price;
}

double ShoalWindow::saved_by_removing(uint32_t group, uint32_t row_) const {
  const double rows = double(size(group));
  if (rows == 1) return cost(group);
  double saved = price_[group];
  if (holds_border(group, row_)) saved = rows * price_[group] - (rows - 1) * price_without(group, row_);
  if (space_.mixing() == 0) return saved;
  const double squares = squares_[group] - 2 * double(class_count(group, row_)) + 1;
  return saved + mixing_penalty(space_.mixing(), rows, squares_[group]) -
         mixing_penalty(space_.mixing(), rows - 1, squares);
}

ShoalWindow::Place ShoalWindow::cheapest_place(uint32_t row_, uint32_t except, double limit, uint64_t since) {
  refresh_floors();
  const std::span<const float> floors = floors_.of_row(row_);
  Place best{kNone, limit};
  for (uint32_t group = 0; group < floors.size(); ++group) {
    if (floors[group] >= best.cost || stamp_[group] <= since || group == except || size(group) == 0) continue;
    const double cost = cost_to_add(group, row_);
    if (cost < best.cost && may_join(group, row_)) best = {group, cost};
  }
  return best;
}

void ShoalWindow::join_costs(uint32_t row_, uint32_t except, double limit,
                             std::vector<std::pair<double, uint32_t>>& found) {
  refresh_floors();
  found.clear();
  const std::span<const float> floors = floors_.of_row(row_);
  for (uint32_t group = 0; group < floors.size(); ++group) {
    if (size(group) == 0 || group == except || floors[group] >= limit + price_[group]) continue;
    const double cost = cost_to_add(group, row_) - price_[group];
    if (cost < limit) found.emplace_back(cost, group);
  }
}

double ShoalWindow::union_adds(uint32_t a, uint32_t b) const {
  const Side* const first = box(a);
  const Side* const second = box(b);
  double price = 0;
  for (size_t j = 0; j < width_; ++j) {
    price += space_.cost(j, std::min(first[j].lo, second[j].lo), std::max(first[j].hi, second[j].hi));
  }
  return double(size(a)) * (price - price_[a]) + double(size(b)) * (price - price_[b]);
}

void ShoalWindow::add(uint32_t group, uint32_t row_) {
  if (shrunk_[group]) measure_shrunk(group);
  place_of_[row_] = static_cast<uint32_t>(members_[group].size());
  members_[group].push_back(row_);
  group_of_[row_] = group;
  if (rule_) rule_->add(tallies_[group], table_rows_[row_]);
  if (members_[group].size() == 1) {
    measure_box(group);
    return;
  }
  const uint32_t* const codes = row(row_);
  Side* const sides = box(group);
  bool wider = false;
  for (size_t j = 0; j < width_; ++j) {
    Side& side = sides[j];
    const uint32_t code = codes[j];
    const bool outside = code < side.lo || code > side.hi;
    if (code < side.lo) side.lo = code, side.at_lo = 0;
    if (code > side.hi) side.hi = code, side.at_hi = 0;
    side.at_lo += code == side.lo;
    side.at_hi += code == side.hi;
    if (outside) side.cost = space_.cost(j, side.lo, side.hi);
    wider |= outside;
  }
  if (wider) {  // summed anew, so that no rounding piles up
    price_[group] = 0;
    for (size_t j = 0; j < width_; ++j) price_[group] += sides[j].cost;
  }
  touch(group);
  if (space_.mixing() == 0) return;
  uint32_t& count = class_counts_[size_t{group} * space_.classes() + classes_[row_]];
  squares_[group] += double(2 * uint64_t{count++} + 1);
}

void ShoalWindow::remove(uint32_t row_) {
  const uint32_t group = group_of_[row_];
  take_out(row_);
  if (shrunk_[group]) measure_shrunk(group);
}

void ShoalWindow::remove(std::span<const uint32_t> rows) {
  touched_.clear();
  for (uint32_t row_ : rows) {
    touched_.push_back(group_of_[row_]);
    take_out(row_);
  }
  measure_touched();
}

void ShoalWindow::move(std::span<const std::pair<uint32_t, uint32_t>> rows_and_groups) {
  touched_.clear();
  for (const auto& [row_, group] : rows_and_groups) {
    touched_.push_back(group_of_[row_]);
    take_out(row_);
    add(group, row_);
  }
  measure_touched();
}

void ShoalWindow::measure_shrunk(uint32_t group) {
  shrunk_[group] = 0;
  measure_box(group);
}

void ShoalWindow::measure_touched() {
  for (uint32_t group : touched_) {
    if (shrunk_[group]) measure_shrunk(group);
  }
}

// All but the new box, where the row was the last on one of its borders.
void ShoalWindow::take_out(uint32_t row_) {
  const uint32_t group = group_of_[row_], place = place_of_[row_];
  auto& members = members_[group];
  members[place] = members.back();
  place_of_[members[place]] = place;
  members.pop_back();
  if (rule_) rule_->remove(tallies_[group], table_rows_[row_]);
  const uint32_t* const codes = row(row_);
  Side* const sides = box(group);
  bool narrower = members.empty();
  for (size_t j = 0; j < width_; ++j) {
    if (codes[j] == sides[j].lo) narrower |= --sides[j].at_lo == 0;
    if (codes[j] == sides[j].hi) narrower |= --sides[j].at_hi == 0;
  }
  shrunk_[group] |= narrower ? 1 : 0;
  touch(group);
  if (space_.mixing() == 0) return;
  uint32_t& count = class_counts_[size_t{group} * space_.classes() + classes_[row_]];
  squares_[group] -= double(2 * uint64_t{--count} + 1);
}

uint32_t ShoalWindow::empty_group() {
  for (uint32_t group = 0; group < groups(); ++group) {
    if (members_[group].empty()) return group;
  }
  set_groups(groups() + 1);
  const auto group = static_cast<uint32_t>(groups() - 1);
  set_members(group, {});
  return group;
}

void ShoalWindow::set_members(uint32_t group, std::span<const uint32_t> rows) {
  members_[group].assign(rows.begin(), rows.end());
  for (uint32_t place = 0; place < rows.size(); ++place) {
    group_of_[rows[place]] = group;
    place_of_[rows[place]] = place;
  }
  measure_box(group);
  count_members(group);
}

void ShoalWindow::replace(std::span<const uint32_t> old_groups, std::span<const uint32_t> line,
                          std::span<const uint32_t> ends) {
  for (uint32_t group : old_groups) set_members(group, {});
  size_t begin = 0;
  for (size_t run = 0; run < ends.size(); ++run) {
    const uint32_t group = run < old_groups.size() ? old_groups[run] : empty_group();
    set_members(group, line.subspan(begin, ends[run] - begin));
    begin = ends[run];
  }
}

}  // namespace shoal
