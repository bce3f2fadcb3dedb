// Compliance is not monotone in the size of a group (seven rows may hold where ten cannot), so no step fixes sizes:
// pools are cut at random places, and whatever holds and is cheaper stays. Dealing two groups anew with their old
// histograms always holds: that is how boxes shrink once sizes are settled.
#include "shoal/method/shoal/rules/fair_refine.h"

#include <algorithm>

namespace shoal {
namespace {

constexpr double kWorthwhile = 1e-9;  // less than this is rounding
constexpr size_t kHugeGroup = 400;    // rows of such groups are not tried one against all others

}  // namespace

FairCounts& FairCounts::operator+=(const FairCounts& other) {
  dealt += other.dealt;
  cut += other.cut;
  split += other.split;
  triples += other.triples;
  swaps += other.swaps;
  merged += other.merged;
  return *this;
}

void FairRefiner::refine(const FairPlan& plan, SeededRandom& random) {
  const auto groups = static_cast<uint32_t>(window_.groups());
  for (uint32_t group = 0; group < groups; ++group) {
    for (size_t i = 0; i < plan.splits && window_.size(group) > 0; ++i) split(group, random);
    if (window_.size(group) == 0) continue;
    std::vector<uint32_t> near = nearest(group, plan.near);
    if (near.empty()) return;
    for (size_t i = 0; i < plan.pairs && window_.size(group) > 0; ++i) {
      const uint32_t other = near[random.below(near.size())];
      if (window_.size(other) > 0) recut_pair(group, other, random);
    }
    for (size_t i = 0; i < plan.triples && near.size() > 1 && window_.size(group) > 0; ++i) {
      const size_t first = random.below(near.size()), second = random.below(near.size());
      if (first == second || window_.size(near[first]) == 0 || window_.size(near[second]) == 0) continue;
      recut_triple(group, near[first], near[second], random);
    }
  }
  swap_rows(plan.swap_places);
}

const std::vector<uint32_t>& FairRefiner::nearest(uint32_t group, size_t most) {
  ranked_.clear();
  for (uint32_t other = 0; other < window_.groups(); ++other) {
    if (other != group && window_.size(other) > 0) ranked_.emplace_back(window_.union_adds(group, other), other);
  }
  const size_t count = std::min(most, ranked_.size());
  std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<ptrdiff_t>(count), ranked_.end());
  nearest_.clear();
  for (size_t i = 0; i < count; ++i) nearest_.push_back(ranked_[i].second);
  return nearest_;
}

Pool FairRefiner::pool_of(std::span<const uint32_t> groups) const {
  Pool pool{window_.codes(), window_.classes(), window_.table_rows(), {}};
  for (uint32_t group : groups) {
    const auto& members = window_.members(group);
    pool.rows.insert(pool.rows.end(), members.begin(), members.end());
  }
  return pool;
}

// By one column, or along a walk: one as often as the other.
void FairRefiner::line_up(Pool& pool, SeededRandom& random) {
  const LineOrder order = random_line(space_, random);
  if (random.below(2) == 0) {
    cutter_.line_up(pool, order);
  } else {
    cutter_.line_up(pool, order, random.below(space_.columns()));
  }
}

// The rows of `groups` in new groups.
void FairRefiner::release(std::span<const uint32_t> groups, const std::vector<std::vector<uint32_t>>& sides) {
  line_.clear();
  ends_.clear();
  for (const auto& side : sides) {
    line_.insert(line_.end(), side.begin(), side.end());
    ends_.push_back(static_cast<uint32_t>(line_.size()));
  }
  window_.replace(groups, line_, ends_);
}

bool FairRefiner::split(uint32_t group, SeededRandom& random) {
  const double before = window_.cost(group);
  if (window_.price(group) <= 0 || window_.size(group) < 2 * window_.k()) return false;
  const uint32_t groups[] = {group};
  Pool pool = pool_of(groups);
  line_up(pool, random);
  const size_t left = pool.rows.size() / 4 + random.below(pool.rows.size() / 2 + 1);
  if (left == 0 || left == pool.rows.size()) return false;
  if (cutter_.cut(pool, left, random) + 2 * window_.group_price() >= before - kWorthwhile) return false;
  release(groups, {cutter_.left(), cutter_.right()});
  ++counts_.split;
  return true;
}

bool FairRefiner::recut_pair(uint32_t a, uint32_t b, SeededRandom& random) {
  const uint32_t groups[] = {a, b};
  const double before = window_.cost(a) + window_.cost(b);
  if (before <= kWorthwhile) return false;
  Pool pool = pool_of(groups);
  const double pair_price = 2 * window_.group_price();
  double best = before - kWorthwhile;
  uint64_t* counted = nullptr;
  const auto keep_if_better = [&](double cost, uint64_t& count) {
    if (cost + pair_price >= best) return;
    best = cost + pair_price;
    sides_.resize(2);
    sides_[0] = cutter_.left();
    sides_[1] = cutter_.right();
    counted = &count;
  };
  if (window_.group_price() > 0 && cutter_.cost(pool, pool.rows) + window_.group_price() < best &&
      window_.rule()->holds_union(window_.tally(a), window_.tally(b))) {
    best = cutter_.cost(pool, pool.rows) + window_.group_price();
    sides_.assign(1, pool.rows);
    counted = &counts_.merged;
  }
  line_up(pool, random);
  keep_if_better(cutter_.deal(pool, window_.members(a)), counts_.dealt);
  keep_if_better(cutter_.deal(pool, window_.members(b)), counts_.dealt);
  keep_if_better(cutter_.cut(pool, window_.size(a), random), counts_.cut);
  const size_t left = pool.rows.size() / 4 + random.below(pool.rows.size() / 2 + 1);
  if (left > 0 && left < pool.rows.size()) keep_if_better(cutter_.cut(pool, left, random), counts_.cut);
  if (!counted) return false;
  release(groups, sides_);
  ++*counted;
  return true;
}

bool FairRefiner::recut_triple(uint32_t a, uint32_t b, uint32_t c, SeededRandom& random) {
  constexpr int kLines = 2;  // per cut
  const uint32_t groups[] = {a, b, c};
  const double before = window_.cost(a) + window_.cost(b) + window_.cost(c);
  if (before <= kWorthwhile) return false;
  std::vector<Pool> waiting{pool_of(groups)};
  sides_.clear();
  double after = 0;
  while (!waiting.empty()) {
    Pool pool = std::move(waiting.back());
    waiting.pop_back();
    double best = cutter_.cost(pool, pool.rows) + window_.group_price();
    const Pool empty{pool.codes, pool.classes, pool.table_rows, {}};
    Pool left = empty, right = empty;
    for (int line = 0; line < kLines && best > kWorthwhile && pool.rows.size() >= 2 * window_.k(); ++line) {
      line_up(pool, random);
      const size_t place = std::max<size_t>(1, pool.rows.size() / 3 + random.below(pool.rows.size() / 3 + 1));
      const double cost = cutter_.cut(pool, place, random) + 2 * window_.group_price();
      if (cost >= best) continue;
      best = cost;
      left.rows = cutter_.left();
      right.rows = cutter_.right();
    }
    if (left.rows.empty()) {
      after += best;
      sides_.push_back(std::move(pool.rows));
    } else {
      waiting.push_back(std::move(left));
      waiting.push_back(std::move(right));
    }
  }
  if (after >= before - kWorthwhile) return false;
  release(groups, sides_);
  ++counts_.triples;
  return true;
}

// ---- rows change places ----

// Sizes stay, so only boxes matter: a row is worth changing where its own group's box becomes cheaper without it.
bool FairRefiner::swap_rows(size_t places) {
  bool better = false;
  for (uint32_t row = 0; row < window_.rows(); ++row) {
    const uint32_t group = window_.group_of(row);
    if (window_.size(group) > kHugeGroup || !window_.holds_border(group, row)) continue;
    const double gained = window_.saved_by_removing(group, row) - window_.price(group);
    if (gained <= kWorthwhile) continue;
    window_.join_costs(row, group, gained, ranked_);
    const size_t count = std::min(places, ranked_.size());
    std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<ptrdiff_t>(count), ranked_.end());
    for (size_t i = 0; i < count; ++i) {
      if (!swap_with_one_of(row, ranked_[i].second)) continue;
      ++counts_.swaps;
      better = true;
      break;
    }
  }
  return better;
}

// The row goes to `group`, and the row of it that may best take its place comes back.
bool FairRefiner::swap_with_one_of(uint32_t row, uint32_t group) {
  const uint32_t own = window_.group_of(row);
  const double before = window_.cost(own) + window_.cost(group);
  if (window_.size(own) < 2 || window_.size(group) > kHugeGroup) return false;
  window_.move(row, group);
  const double base = window_.cost(own) + window_.cost(group);
  uint32_t best = ShoalWindow::kNone;
  double best_cost = before - kWorthwhile;
  for (uint32_t other : window_.members(group)) {
    if (other == row) continue;
    const double joined = base + window_.cost_to_add(own, other);
    if (joined - window_.cost(group) >= best_cost) continue;
    const double cost = joined - window_.saved_by_removing(group, other);
    if (cost >= best_cost) continue;
    if (!kinds_.alike(window_.table_rows()[other], window_.table_rows()[row]) &&
        !(window_.may_leave(other) && window_.may_join(own, other))) {
      continue;
    }
    best = other;
    best_cost = cost;
  }
  if (best == ShoalWindow::kNone) {
    window_.move(row, own);
    return false;
  }
  window_.move(best, own);
  return true;
}

}  // namespace shoal
