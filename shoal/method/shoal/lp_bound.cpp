// Covering every row once by sets of k rows, each at k times the price of its box, as cheaply as possible, is a linear
// programme when sets may be used in part; its optimum is below every release, since a group of k or more rows is a
// mean of its sets of k. There are far too many sets. So (column generation): take some, find dual values for them,
// look for sets that overpay, take those as well, and so on. What the duals of the last round are worth, the repair
// says (lp_repair.h).
#include "shoal/method/shoal/lp_bound.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

// By how much a set has to overpay to be taken, in mean prices of the start; finer after some rounds.
constexpr double kTolerances[] = {0.04, 0.01, 0.004, 0.001};
constexpr size_t kLastTolerance = 3;
constexpr size_t kRoundsPerTolerance = 3;
constexpr size_t kStartsPerSet = 10;  // large k: the first sets begin at every (k/10)-th row of a group only
constexpr size_t kIdleRounds = 3;     // without anything new, before it ends
constexpr size_t kBoxesPerCell = 3;
constexpr uint32_t kSetsPerTuple = 6;   // taken per round, about
constexpr size_t kMostFound = 100'000;  // sets kept at a time by a part of the walk
constexpr uint32_t kUnusedRounds = 4;
constexpr double kDropSlack = 0.04;  // in mean prices
// Steps per round: few while many sets are still unknown.
constexpr size_t kFirstSteps = 80, kFirstRounds = 4, kSteps = 200;
// How far a dual value may move in a round, in typical prices of the start. Without this the values run away as long as
// the sets that would hold them are unknown (a trust region; Marsten, Hogan & Blankenship 1975 call it boxstep).
constexpr double kReach = 0.6, kReachFalls = 0.85, kReachGrows = 1.2, kLeastReach = 0.1;
// Where a walk takes much of the work, values move less: the further they go, the more boxes the next one has to look
// at.
constexpr double kReachOfCheapWalks = 0.01;  // times how many such walks the work allows
// The first dual value of a row is this share of what it pays in the start. The values that prove most are below what
// is paid; from above them nearly every box is overpaid, and the first walk takes more work than all others together.
constexpr double kFirstShare = 0.7;
constexpr double kMargin = 0.1;   // in mean prices: sets that carry so much less are looked at now and then
constexpr double kHighest = 1.5;  // dual values stay below this many times the dearest box
// One walk may spend this part of the work, or the cells are made coarser: enough must be left to walk these.
constexpr uint64_t kWalkShare = 2;

}  // namespace

std::vector<double> group_prices(const NcpSpace& space, const DistinctTuples& tuples, const RowGroups& partition) {
  const size_t width = space.columns();
  std::vector<double> prices(partition.size(), 0);
  for (size_t g = 0; g < partition.size(); ++g) {
    for (size_t j = 0; j < width; ++j) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (uint32_t row : partition.group(g)) {
        const uint32_t code = tuples.codes[size_t{tuples.of_row[row]} * width + j];
        lo = std::min(lo, code);
        hi = std::max(hi, code);
      }
      prices[g] += space.cost(j, lo, hi);
    }
  }
  return prices;
}

struct LpSolver::Found {
  double excess = 0, price = 0;
  std::vector<SetMember> members;
};

// Takes the k dearest rows of the most overpaid boxes of every cell.
class LpSolver::Collector : public BoxVisitor {
 public:
  Collector(const BoxCells& cells, const RankedTuples& tuples, uint64_t k)
      : values_(cells.slid ? &tuples.codes[*cells.slid] : nullptr), tuples_(tuples), k_(k) {}

  void cell(std::span<const uint32_t> inside, std::span<const OverpaidBox> boxes) override {
    chosen_.assign(boxes.begin(), boxes.end());
    const size_t count = std::min(chosen_.size(), kBoxesPerCell);
    std::partial_sort(chosen_.begin(), chosen_.begin() + static_cast<ptrdiff_t>(count), chosen_.end(),
                      [](const OverpaidBox& a, const OverpaidBox& b) {
                        if (a.excess != b.excess) return a.excess > b.excess;
                        return a.first != b.first ? a.first < b.first : a.last < b.last;
                      });
    for (size_t i = 0; i < count; ++i) take(inside, chosen_[i]);
    if (found.size() >= 2 * kMostFound) keep_worst();
  }

  // The sets that overpay most.
  void keep_worst() {
    auto worse = [](const Found& a, const Found& b) { return a.excess > b.excess; };
    std::stable_sort(found.begin(), found.end(), worse);
    if (found.size() > kMostFound) found.resize(kMostFound);
  }

  std::vector<Found> found;

 private:
  void take(std::span<const uint32_t> inside, const OverpaidBox& box) {
    Found set{box.excess, box.price, {}};
    uint64_t rows = 0;
    for (uint32_t rank : inside) {
      if (rows == k_) break;
      if (values_ != nullptr && ((*values_)[rank] < box.first || (*values_)[rank] > box.last)) continue;
      const uint64_t taken = std::min<uint64_t>(tuples_.rows[rank], k_ - rows);
      set.members.push_back({tuples_.tuple[rank], static_cast<uint32_t>(taken)});
      rows += taken;
    }
    found.push_back(std::move(set));
  }

  const std::vector<uint32_t>* values_;
  const RankedTuples& tuples_;
  const uint64_t k_;
  std::vector<OverpaidBox> chosen_;
};

LpSolver::LpSolver(const NcpSpace& space, const DistinctTuples& tuples, const RowGroups& partition,
                   const LpSettings& settings, Progress& progress)
    : space_(space),
      tuples_(tuples),
      settings_(settings),
      progress_(progress),
      cells_(box_cells(space, fineness_)),
      pool_(tuples.size(), settings.k),
      rows_(tuples.counts),
      reach_(kReach) {
  double dearest = 0;
  for (size_t j = 0; j < space.columns(); ++j) dearest += space.cost(j, 0, space.leaves(j) - 1);
  highest_.assign(tuples.size(), kHighest * dearest);
  start(partition);
}

// The sets of k neighbouring rows in each group, in a circle: used by 1/k each, they cover every row once (large k:
// fewer sets, used more, cover every row about once). A tuple's first dual value is a share of what its rows pay now,
// on average.
void LpSolver::start(const RowGroups& partition) {
  const std::vector<double> prices = group_prices(space_, tuples_, partition);
  const auto k = static_cast<size_t>(settings_.k);
  dual_.assign(tuples_.size(), 0);
  const size_t stride = std::max<size_t>(1, k / kStartsPerSet);
  double squares = 0;
  std::vector<uint32_t> members;
  std::vector<SetMember> set;
  for (size_t g = 0; g < partition.size(); ++g) {
    members.clear();
    for (uint32_t row : partition.group(g)) members.push_back(tuples_.of_row[row]);
    std::sort(members.begin(), members.end());
    for (uint32_t tuple : members) dual_[tuple] += kFirstShare * prices[g] / double(rows_[tuple]);
    mean_price_ += prices[g] * double(members.size()) / double(space_.rows());
    squares += prices[g] * prices[g] * double(members.size());
    const bool alone = members.size() == k;
    for (size_t first = 0; first < (alone ? 1 : members.size()); first += stride) {
      set.clear();
      for (size_t i = 0; i < k; ++i) {
        const uint32_t tuple = members[(first + i) % members.size()];
        if (set.empty() || set.back().tuple != tuple) set.push_back({tuple, 0});
        ++set.back().rows;
      }
      if (set.size() > 1 && set.front().tuple == set.back().tuple) {
        set.front().rows += set.back().rows;
        set.pop_back();
      }
      if (pool_.entries() + set.size() > settings_.most_members) continue;
      pool_.add(set, prices[g], true, alone ? 1.0 : double(stride) / double(k));
    }
  }
  typical_price_ = std::sqrt(squares / double(space_.rows()));
}

double LpSolver::carried() const {
  double sum = 0;
  for (size_t t = 0; t < tuples_.size(); ++t) sum += double(rows_[t]) * dual_[t];
  return sum;
}

// The sets that overpay most first. Nothing: too much work.
std::optional<std::vector<LpSolver::Found>> LpSolver::overpaid_sets() {
  const RankedTuples ranked(space_, tuples_, rows_, dual_);
  const size_t parts = BoxWalk::parts(cells_);
  const uint64_t most = settings_.work / kWalkShare;
  std::atomic<uint64_t> looked_at{0};
  const BoxWalk::Settings settings{settings_.k, kTolerances[tolerance_] * mean_price_, BoxChoice::dearest, most,
                                   &looked_at};
  std::vector<BoxWalk> walks;
  for (size_t i = 0; i < task_workers(parts, settings_.threads); ++i) {
    walks.emplace_back(space_, cells_, ranked, settings, progress_);
  }
  std::vector<Collector> collectors(parts, Collector(cells_, ranked, settings_.k));
  run_tasks(parts, settings_.threads, [&](size_t worker, size_t part) { walks[worker].walk(part, collectors[part]); });
  bool gave_up = false;
  last_walk_ = 0;
  for (const BoxWalk& walk : walks) {
    last_walk_ += walk.looked_at();
    gave_up |= walk.gave_up();
  }
  work_ += std::min(last_walk_, most);
  if (gave_up || last_walk_ > most) return std::nullopt;
  std::vector<Found> all;
  for (Collector& collector : collectors) {
    std::move(collector.found.begin(), collector.found.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.excess > b.excess; });
  return all;
}

// Takes sets into the pool, but not many for the same tuples. How many; nothing: no cells are coarse enough.
std::optional<size_t> LpSolver::take_overpaid_sets() {
  auto found = overpaid_sets();
  while (!found) {
    const auto next = coarser(space_, fineness_);
    if (!next || work_ >= settings_.work || progress_.out_of_time()) return std::nullopt;
    fineness_ = *next;
    cells_ = box_cells(space_, fineness_);
    found = overpaid_sets();
  }
  std::vector<uint32_t> taken(tuples_.size(), 0);
  size_t added = 0;
  for (const Found& set : *found) {
    const bool wanted = std::any_of(set.members.begin(), set.members.end(),
                                    [&](const SetMember& member) { return taken[member.tuple] < kSetsPerTuple; });
    if (!wanted || pool_.entries() + set.members.size() > settings_.most_members) continue;
    if (!pool_.add(set.members, set.price, false, 0)) continue;
    for (const SetMember& member : set.members) ++taken[member.tuple];
    ++added;
  }
  return added;
}

bool LpSolver::round() {
  if (mean_price_ <= 0) return false;  // the start costs nothing: there is nothing to prove
  const auto added = take_overpaid_sets();
  if (!added) return false;
  // Once nothing new is found, only the dual values for the known sets can become better.
  idle_rounds_ = *added == 0 && tolerance_ == kLastTolerance ? idle_rounds_ + 1 : 0;
  if (idle_rounds_ > kIdleRounds) return false;
  if (*added < tuples_.size() / 10 + 1 || rounds_ % kRoundsPerTolerance + 1 == kRoundsPerTolerance) {
    tolerance_ = std::min(tolerance_ + 1, kLastTolerance);
  }
  const double walks = double(settings_.work) / double(std::max<uint64_t>(1, last_walk_));
  const double reach = std::min(reach_, std::max(kLeastReach, kReachOfCheapWalks * walks));
  const SetPool::Settings settings{rounds_ < kFirstRounds ? kFirstSteps : kSteps, mean_price_, reach * typical_price_,
                                   kMargin, settings_.threads};
  work_ += pool_.improve(rows_, highest_, settings, dual_, progress_);
  pool_.drop_unused(dual_, kUnusedRounds, kDropSlack * mean_price_);
  // While many sets are found the values are far off and move too far; once few are, they may go where they want.
  reach_ = *added > tuples_.size() / 20 ? std::max(kLeastReach, reach_ * kReachFalls)
                                        : std::min(kReach, reach_ * kReachGrows);
  ++rounds_;
  return true;
}

// True: the bound is as good as it gets.
bool LpSolver::repair() {
  auto now =
      repaired_within_work(space_, cells_, tuples_, dual_, {settings_.k, settings_.threads, settings_.work}, progress_);
  if (!now) return false;
  work_ += now->looked_at;
  const double carried_now = carried();
  const bool close = now->bound >= carried_now * (1 - settings_.close_enough) &&
                     std::abs(carried_now - carried_before_) < settings_.close_enough * carried_now;
  carried_before_ = carried_now;
  if (!best_ || now->bound > best_->bound) best_ = std::move(now);
  return close;
}

void LpSolver::solve() {
  bool repaired_now = false;
  // The last repair costs about as much as the last walk.
  while (rounds_ < settings_.rounds && work_ + 2 * last_walk_ < settings_.work && !progress_.out_of_time() && round()) {
    repaired_now = rounds_ % settings_.repair_every == 0;
    if (repaired_now && repair()) return;
  }
  if (rounds_ > 0 && !repaired_now && !progress_.out_of_time()) repair();
}

void LpSolver::settle(std::span<const SetMember> members) {
  for (const SetMember& member : members) rows_[member.tuple] -= member.rows;
  idle_rounds_ = 0;
}

void LpSolver::forget_sets_that_do_not_fit() {
  pool_.keep_only([&](size_t set) {
    const auto members = pool_.members(set);
    return std::all_of(members.begin(), members.end(),
                       [&](const SetMember& member) { return member.rows <= rows_[member.tuple]; });
  });
}

}  // namespace shoal
