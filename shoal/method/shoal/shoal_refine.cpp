// Local search on a window, as for clustering: single rows change groups, chains of two change places, the rows at one
// border leave together, groups are given up, stretches of groups are cut anew along another line. A step is taken only
// when the whole of it pays, and is taken back otherwise. A group that has not changed since a row last looked at it is
// not looked at again (stamps).
#include "shoal/method/shoal/shoal_refine.h"

#include <algorithm>

namespace shoal {
namespace {

constexpr int kSlabsPerSide = 3;
// Under a rule groups may have to be huge (a rare value needs half the table around it). Their boxes are what they are;
// looking for chains through all their rows would take the time that the other groups need.
constexpr size_t kHugeGroup = 400;

}  // namespace

RefineCounts& RefineCounts::operator+=(const RefineCounts& other) {
  moves += other.moves;
  chains += other.chains;
  slabs += other.slabs;
  dissolved += other.dissolved;
  recuts += other.recuts;
  opened += other.opened;
  tried += other.tried;
  return *this;
}

void ShoalRefiner::refine(const RefinePlan& plan, SeededRandom& random) {
  for (int round = 0; round < plan.recuts; ++round) {
    const size_t run = 2 + random.below(5);
    recut(run, random_line(space_, random));
  }
  for (int round = 0; round < plan.opened_lines; ++round) open_boxes_along(random_line(space_, random));
  open_mutated_boxes(static_cast<size_t>(plan.mutations * double(window_.groups())), random);
  examined_.assign(window_.rows(), 0);
  for (int sweep = 0; sweep < plan.sweeps; ++sweep) {
    bool better = move_rows(plan.chains);
    better |= peel_slabs();
    if (sweep == 0) better |= dissolve_groups();
    if (!better) break;
  }
}

bool ShoalRefiner::move_rows(bool chains) {
  bool better = false;
  examined_.resize(window_.rows(), 0);
  for (uint32_t row = 0; row < window_.rows(); ++row) {
    const uint32_t group = window_.group_of(row);
    // What was no use before can only be of use where something has changed since.
    const uint64_t since = window_.stamp(group) > examined_[row] ? 0 : examined_[row];
    examined_[row] = window_.clock();
    const double saved = window_.saved_by_removing(group, row);
    const ShoalWindow::Place place = window_.cheapest_place(row, group, saved - kWorthwhile, since);
    if (place.group == ShoalWindow::kNone) continue;
    if (window_.may_leave(row)) {
      window_.move(row, place.group);
      ++counts_.moves;
      better = true;
    } else if (chains && !(window_.rule() && window_.size(group) > kHugeGroup)) {
      window_.move(row, place.group);
      if (refill(group, row, saved - place.cost)) {
        ++counts_.chains;
        better = true;
      } else {
        window_.move(row, group);
        examined_[row] = window_.clock();
      }
    }
  }
  return better;
}

// Finds the row that may best take the leaver's place, at a cost below `gain`.
bool ShoalRefiner::refill(uint32_t group, uint32_t leaver, double gain) {
  if (window_.size(group) == 0) return false;  // k = 1
  uint32_t best = ShoalWindow::kNone;
  double limit = gain - kWorthwhile;
  const double rows = double(window_.size(group));
  const bool at_once = window_.answers_at_once();
  for (uint32_t donor = 0; donor < window_.groups(); ++donor) {
    if (donor == group || window_.size(donor) <= window_.k()) continue;
    if (window_.rule() && window_.size(donor) > kHugeGroup) continue;
    // Any row of the donor widens the group's box at least to the donor's nearer side. Rows whose leaving makes the
    // donor's own box cheaper could save more than its price, but they are few, and move_rows tries them first.
    double price = window_.price(group);
    const double ceiling = (limit + window_.price(donor) + rows * window_.price(group)) / (rows + 1);
    for (size_t j = 0; j < space_.columns() && price < ceiling; ++j) {
      const uint32_t lo = window_.lo(group, j), hi = window_.hi(group, j);
      if (window_.hi(donor, j) < lo) price += space_.cost(j, window_.hi(donor, j), hi) - window_.column_price(group, j);
      if (window_.lo(donor, j) > hi) price += space_.cost(j, lo, window_.lo(donor, j)) - window_.column_price(group, j);
    }
    if (price >= ceiling && space_.mixing() == 0) continue;
    for (uint32_t row : window_.members(donor)) {
      if (row == leaver) continue;
      const auto allowed = [&] { return window_.may_leave(row) && window_.may_join(group, row); };
      if (at_once && !allowed()) continue;
      const double added = window_.cost_to_add(group, row);
      if (added >= limit + window_.cost(donor)) continue;
      const double cost = added - window_.saved_by_removing(donor, row);
      if (cost < limit && (at_once || allowed())) {
        limit = cost;
        best = row;
      }
    }
  }
  if (best == ShoalWindow::kNone) return false;
  window_.move(best, group);
  return true;
}

// The rows leave the group, each for where it adds least; all come back unless the whole pays.
bool ShoalRefiner::evict(uint32_t group, std::vector<uint32_t> rows) {
  double change = -window_.cost(group);
  window_.remove(rows);
  change += window_.cost(group);
  size_t placed = 0;
  for (const bool kept = window_.holds(group); kept && placed < rows.size(); ++placed) {
    const auto place = window_.cheapest_place(rows[placed], group, -change - kWorthwhile);
    if (place.group == ShoalWindow::kNone) break;
    window_.add(place.group, rows[placed]);
    change += place.cost;
  }
  if (placed == rows.size()) return true;
  window_.remove(std::span(rows).first(placed));
  for (uint32_t row : rows) window_.add(group, row);
  return false;
}

bool ShoalRefiner::peel_slabs() {
  bool better = false;
  for (uint32_t group = 0; group < window_.groups(); ++group) {
    for (size_t side = 0; side < 2 * space_.columns(); ++side) {
      const size_t column = side / 2;
      const bool upper = side % 2 == 1;
      if (window_.size(group) <= window_.k()) break;
      if (window_.lo(group, column) == window_.hi(group, column)) continue;
      const size_t spare = window_.size(group) - window_.k();
      auto code = [&](uint32_t row) { return window_.row(row)[column]; };
      pooled_ = window_.members(group);
      // Only the spare + 1 outermost rows matter.
      std::partial_sort(pooled_.begin(), pooled_.begin() + static_cast<ptrdiff_t>(spare) + 1, pooled_.end(),
                        [&](uint32_t a, uint32_t b) {
                          if (code(a) != code(b)) return upper ? code(a) > code(b) : code(a) < code(b);
                          return a < b;
                        });
      size_t rows = 0;
      for (int tries = 0; tries < kSlabsPerSide;) {
        const uint32_t edge = code(pooled_[rows]);
        while (rows <= spare && code(pooled_[rows]) == edge) ++rows;
        if (rows > spare) break;
        const uint32_t rest = code(pooled_[rows]);
        const double price = upper ? space_.cost(column, window_.lo(group, column), rest)
                                   : space_.cost(column, rest, window_.hi(group, column));
        if (price >= window_.column_price(group, column) - 1e-12) continue;  // the same node still
        ++tries;
        if (!evict(group, {pooled_.begin(), pooled_.begin() + static_cast<ptrdiff_t>(rows)})) continue;
        ++counts_.slabs;
        better = true;
        break;
      }
    }
  }
  return better;
}

bool ShoalRefiner::dissolve_groups() {
  bool better = false;
  for (uint32_t group = 0; group < window_.groups(); ++group) {
    if (window_.size(group) == 0 || !evict(group, window_.members(group))) continue;
    ++counts_.dissolved;
    better = true;
  }
  return better;
}

void ShoalRefiner::line_up(std::span<const uint32_t> rows, const LineOrder& order) {
  keys_.clear();
  const Walk walk(space_, order);
  for (uint32_t row : rows) keys_.emplace_back(walk.key(window_.row(row)), row);
  sort_keyed(keys_, spare_keys_);
  line_.clear();
  for (const auto& [key, row] : keys_) line_.push_back(row);
}

// How many rows the runs of a line need. With a rule groups are as large as they must be: two thirds of what they are
// now, since runs have up to twice as many.
uint64_t ShoalRefiner::run_size() const {
  if (!window_.rule()) return window_.k();
  size_t groups = 0;
  for (uint32_t group = 0; group < window_.groups(); ++group) groups += window_.size(group) > 0;
  const size_t wanted = 2 * window_.rows() / (3 * std::max<size_t>(groups, 1));
  return std::max<uint64_t>(window_.k(), std::min(line_.size(), wanted));
}

bool ShoalRefiner::runs_hold() const {
  GroupTally tally = window_.rule()->tally();
  size_t begin = 0;
  for (uint32_t end : cutter_.ends()) {
    tally = window_.rule()->tally();
    for (size_t i = begin; i < end; ++i) window_.rule()->add(tally, window_.table_rows()[line_[i]]);
    if (!window_.rule()->holds(tally)) return false;
    begin = end;
  }
  return true;
}

bool ShoalRefiner::recut(size_t run, const LineOrder& order) {
  bool better = false;
  const size_t groups = window_.groups();
  for (size_t first = 0; first + 1 < groups; first += run) {
    run_groups_.clear();
    pooled_.clear();
    double before = 0;
    for (size_t g = first; g < std::min(groups, first + run); ++g) {
      const auto group = static_cast<uint32_t>(g);
      if (window_.size(group) == 0) continue;
      run_groups_.push_back(group);
      const auto& members = window_.members(group);
      pooled_.insert(pooled_.end(), members.begin(), members.end());
      before += window_.cost(group);
    }
    if (run_groups_.size() < 2 || before <= kWorthwhile) continue;
    line_up(pooled_, order);
    const double after = cutter_.cut(window_.codes(), window_.classes(), line_, run_size()) +
                         window_.group_price() * double(cutter_.ends().size());
    if (after >= before - kWorthwhile) continue;
    if (window_.rule() && !runs_hold()) continue;
    window_.replace(run_groups_, line_, cutter_.ends());
    ++counts_.recuts;
    better = true;
  }
  return better;
}

}  // namespace shoal
