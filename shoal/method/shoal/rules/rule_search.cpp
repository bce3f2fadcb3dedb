// Two families of starts, since neither is always better. Where models ask for little (a few different values), the
// answer is near that of k alone: begin there and unite what violates. Where models ask for a mix like the table's,
// uniting makes groups far too large: begin with the whole table and cut it fairly. Each start gets a few passes (none
// where there are few), the best of the two families a few more where they are near each other, and the cheapest goes
// on; passes have the steps of both families, because a group does not know where it came from.
#include "shoal/method/shoal/rules/rule_search.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "shoal/method/shoal/rules/fair_start.h"
#include "shoal/method/shoal/rules/merge_groups.h"

namespace shoal {

namespace {

// How pure the first cuts of a start may be. Pure cuts make small boxes at once and use up what the models leave free,
// so that groups stay large; fair ones keep it for later. Which is better depends on the model.
constexpr double kPurest[] = {0, 1};
constexpr double kPassShare[] = {1, 0.45, 0.25};  // of the passes of the search for k alone, by effort
constexpr size_t kTriedFrom = 10;                 // passes in all; with fewer, starts are judged as they are
constexpr double kAlike = 1.25;                   // times the cost of the best: a rival that may still win
constexpr uint64_t kRareBox = 200;                // fewer boxes opened than one of so many tried: not worth trying
constexpr size_t kPassesWithoutBoxes = 3;         // then, before they are tried again
constexpr double kMostChange = 2;                 // of the price of a group, after a pass
constexpr double kSteepness = 4;                  // how strongly that price answers to too many or too few groups
constexpr double kLastResort = 4;                 // times that price: what uniting two groups may cost at most
constexpr double kLeastPrice = 1e-9;              // above 0 also where nothing costs anything

}  // namespace

RulePlan rule_plan(int effort, const ShoalPlan& without) {
  RulePlan plan;
  plan.passes = std::max<size_t>(1, static_cast<size_t>(kPassShare[effort] * double(without.passes)));
  plan.trial_passes = plan.passes < kTriedFrom ? 0 : std::max<size_t>(1, plan.passes / 20);
  plan.refine = without.refine;
  return plan;
}

struct RuleSearch::Worker {
  Worker(const NcpSpace& space, const GroupRule& rule, const RowKinds& kinds)
      : window(space, rule.k(), &rule), refiner(window), fair(window, kinds) {
    window.set_kinds(kinds);
  }
  ShoalWindow window;
  ShoalRefiner refiner;
  FairRefiner fair;
};

RuleSearch::RuleSearch(const NcpSpace& space, const GroupRule& rule, const RulePlan& plan, uint64_t seed, int threads,
                       Progress& progress)
    : space_(space),
      rule_(rule),
      plan_(plan),
      random_(seed),
      progress_(progress),
      lines_(space, threads, progress),
      kinds_(rule, space.rows()) {}

// Some dozens of groups, whatever their size.
size_t RuleSearch::window_rows(const RowGroups& partition) const {
  const size_t size = partition.rows.size() / std::max<size_t>(1, partition.size());
  return std::min(300 + 100 * size, 1800 + 30 * size);
}

// Where models want a mix, hardly any box can be opened, and looking for one takes a quarter of the time: a pass in
// which almost none was found is followed by some that do not look.
void RuleSearch::pass(RowGroups& partition) {
  RefinePlan refine = plan_.refine;
  const bool boxes = passes_without_boxes_ == 0;
  if (!boxes) {
    refine.mutations = 0;
    refine.opened_lines = 0;
    --passes_without_boxes_;
  }
  const RefineCounts before = counts_;
  const LineOrder order = random_line(space_, random_);
  const WindowPlan windows(lines_, partition, order, random_(), window_rows(partition));
  std::mutex counts_mutex;
  partition = pass_over_windows(
      lines_, partition, windows, [&] { return std::make_unique<Worker>(space_, rule_, kinds_); },
      [&](Worker& worker, SeededRandom& random) {
        if (progress_.out_of_time()) return;  // the window's groups stay as they are
        worker.window.set_group_price(group_price_);
        worker.fair.refine(plan_.fair, random);
        worker.refiner.refine(refine, random);
        const std::lock_guard lock(counts_mutex);
        counts_ += worker.refiner.take_counts();
        fair_counts_ += worker.fair.take_counts();
      });
  if (!progress_.out_of_time()) ++passes_done_;
  const bool rare = (counts_.opened - before.opened) * kRareBox < counts_.tried - before.tried;
  if (boxes && rare) passes_without_boxes_ = kPassesWithoutBoxes;
}

std::vector<RuleSearch::Start> RuleSearch::starts(const RowGroups& k_only) {
  if (rule_.rows_only()) return {{"the answer for k alone", true, k_only}};
  std::vector<Start> all;
  const uint64_t merge_seed = random_(), fair_seed = random_();
  for (double purest : kPurest) {
    all.push_back({purest == 0 ? "the whole table, cut fairly" : "the whole table, cut as purely as models allow",
                   false, fair_start(lines_, rule_, kinds_, fair_seed, purest)});
  }
  for (MergePolicy policy : {MergePolicy::least_cost, MergePolicy::least_cost_per_deficit}) {
    all.push_back({policy == MergePolicy::least_cost ? "the answer for k alone, violators united where that is cheapest"
                                                     : "the answer for k alone, violators united for what they lack",
                   true, merged_violators(lines_, rule_, k_only, policy, window_rows(k_only), merge_seed)});
  }
  return all;
}

void RuleSearch::try_out(Start& start) {
  passes_without_boxes_ = 0;
  for (size_t i = 0; i < plan_.trial_passes && !progress_.out_of_time(); ++i) pass(start.groups);
  start.cost = partition_cost(space_, start.groups);
}

// The cheapest after some passes. Many small groups that keep the table's mix have far to fall, few large ones little,
// so that the two families may look alike for a while: where they do, the best of both go on for as many passes again.
RuleSearch::Start& RuleSearch::best_start(std::vector<Start>& all) {
  if (all.size() == 1) return all.front();
  for (Start& start : all) try_out(start);
  Start* best = &all.front();
  for (Start& start : all) best = start.cost < best->cost ? &start : best;
  Start* rival = nullptr;
  for (Start& start : all) {
    if (start.from_k != best->from_k && (!rival || start.cost < rival->cost)) rival = &start;
  }
  if (plan_.trial_passes == 0 || !rival || rival->cost > kAlike * best->cost) return *best;
  try_out(*best);
  try_out(*rival);
  return rival->cost < best->cost ? *rival : *best;
}

RowGroups RuleSearch::search(const RowGroups& k_only) {
  std::vector<Start> all = starts(k_only);
  Start& best = best_start(all);
  came_from_ = best.name;
  if (rule_.average_risk()) {
    return with_few_groups(std::move(best.groups), rule_.average_risk()->most_groups(space_.rows()));
  }
  while (passes_done_ < plan_.passes && !progress_.out_of_time()) pass(best.groups);
  return std::move(best.groups);
}

// ---- an average risk: at most so many groups ----

// The bound on the number of groups becomes a price that every group pays, which goes up while there are too many and
// down while there are fewer than allowed. After each pass the cheapest near pairs are united until the bound holds;
// the cheapest partition within it is the answer.
RowGroups RuleSearch::with_few_groups(RowGroups partition, size_t most) {
  std::optional<RowGroups> best;
  double best_cost = 0;
  const auto keep = [&] {
    if (partition.size() > most) return;
    const double cost = partition_cost(space_, partition);
    if (best && cost >= best_cost) return;
    best = partition;
    best_cost = cost;
  };
  const double all_in_one = partition_cost(space_, {partition.rows, {0, static_cast<uint32_t>(space_.rows())}});
  group_price_ = partition_cost(space_, partition) / double(partition.size()) / 4 + (1 + all_in_one) * kLeastPrice;
  keep();
  // Once passes or time are spent, groups are only united, at ever higher prices and from ever farther away.
  for (size_t wider = 1; !best || (passes_done_ < plan_.passes && !progress_.out_of_time());) {
    const bool spent = passes_done_ >= plan_.passes || progress_.out_of_time();
    if (!spent) pass(partition);
    const size_t groups = partition.size();
    if (groups > most) unite_cheap_pairs(partition, most, wider * window_rows(partition));
    keep();
    if (spent) wider *= 2;
    const double answer = std::pow(double(groups) / double(most), kSteepness);
    group_price_ *= spent ? kLastResort : std::clamp(answer, 1 / kMostChange, kMostChange);
  }
  return std::move(*best);
}

// As many of the cheapest pairs as there are groups too many, every window its share.
void RuleSearch::unite_cheap_pairs(RowGroups& partition, size_t most, size_t window_rows) {
  const double share = double(partition.size() - most) / double(partition.size());
  const LineOrder order = random_line(space_, random_);
  const WindowPlan windows(lines_, partition, order, random_(), window_rows);
  partition = pass_over_windows(
      lines_, partition, windows, [&] { return std::make_unique<Worker>(space_, rule_, kinds_); },
      [&](Worker& worker, SeededRandom&) {
        const double wanted = std::ceil(share * double(worker.window.groups()));
        merge_cheapest(worker.window, kLastResort * group_price_, static_cast<size_t>(wanted));
      });
}

}  // namespace shoal
