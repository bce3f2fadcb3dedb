// A violator needs a partner that has what it lacks and lies near. Near ones are those in its window: the partner is
// looked for among some dozens of groups, so that the whole stays linear in the groups. What finds no partner in one
// window meets others in the next pass.
#include "shoal/method/shoal/rules/merge_groups.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <tuple>

namespace shoal {
namespace {

constexpr double kLowered = 1e-9;
constexpr size_t kFreePasses = 4;  // before violators must be united with whatever is near

struct MergeWorker {
  MergeWorker(const NcpSpace& space, const GroupRule& rule) : window(space, rule.k(), &rule) {}
  ShoalWindow window;
};

void unite(ShoalWindow& window, uint32_t into, uint32_t group) {
  const std::vector<uint32_t> rows = window.members(group);
  for (uint32_t row : rows) window.move(row, into);
}

// The partner of a violator; kNone when there is none.
uint32_t best_partner(const ShoalWindow& window, uint32_t violator, const std::vector<double>& deficits,
                      MergePolicy policy, bool forced) {
  uint32_t best = ShoalWindow::kNone;
  double best_rank = 0;
  bool best_helps = false;
  for (uint32_t group = 0; group < window.groups(); ++group) {
    if (group == violator || window.size(group) == 0) continue;
    const double adds = window.union_adds(violator, group);
    if (policy == MergePolicy::least_cost && best_helps && adds >= best_rank) continue;
    const double both = deficits[violator] + deficits[group];
    const double removed = both - window.rule()->deficit_union(window.tally(violator), window.tally(group));
    const bool helps = removed > kLowered;
    if (!helps && (!forced || best_helps)) continue;
    const double rank = policy == MergePolicy::least_cost || !helps ? adds : adds / removed;
    if (best != ShoalWindow::kNone && helps == best_helps && rank >= best_rank) continue;
    best = group;
    best_rank = rank;
    best_helps = helps;
  }
  return best;
}

size_t violators(const TableLines& lines, const GroupRule& rule, const RowGroups& partition) {
  constexpr size_t kBlock = 1024;
  const size_t blocks = (partition.size() + kBlock - 1) / kBlock;
  std::vector<size_t> found(blocks, 0);
  run_tasks(blocks, lines.threads(), [&](size_t, size_t block) {
    lines.progress().check();
    for (size_t g = block * kBlock; g < std::min(partition.size(), (block + 1) * kBlock); ++g) {
      found[block] += !rule.holds(partition.group(g));
    }
  });
  size_t all = 0;
  for (size_t count : found) all += count;
  return all;
}

}  // namespace

void merge_violators(ShoalWindow& window, MergePolicy policy, bool forced) {
  std::vector<double> deficits(window.groups());
  std::vector<std::pair<size_t, uint32_t>> waiting;  // size and group, the smallest last
  for (uint32_t group = 0; group < window.groups(); ++group) {
    deficits[group] = window.rule()->deficit(window.tally(group));
    if (deficits[group] > 0) waiting.emplace_back(window.size(group), group);
  }
  const auto larger = [](const auto& a, const auto& b) { return a > b; };
  std::make_heap(waiting.begin(), waiting.end(), larger);
  while (!waiting.empty()) {
    const auto [size, violator] = waiting.front();
    std::pop_heap(waiting.begin(), waiting.end(), larger);
    waiting.pop_back();
    if (window.size(violator) != size || deficits[violator] == 0) continue;  // united in the meantime
    const uint32_t partner = best_partner(window, violator, deficits, policy, forced);
    if (partner == ShoalWindow::kNone) continue;
    unite(window, partner, violator);
    deficits[partner] = window.rule()->deficit(window.tally(partner));
    deficits[violator] = 0;
    if (deficits[partner] == 0) continue;
    waiting.emplace_back(window.size(partner), partner);
    std::push_heap(waiting.begin(), waiting.end(), larger);
  }
}

void merge_cheapest(ShoalWindow& window, double price, size_t unions) {
  struct Pair {
    double adds;
    uint32_t a, b;
    uint64_t as_of;  // the window's clock when this was found out
    bool operator>(const Pair& other) const { return std::tie(adds, a, b) > std::tie(other.adds, other.a, other.b); }
  };
  std::vector<Pair> waiting;
  // The cheapest partner of `a` that may be united with it.
  const auto look = [&](uint32_t a) {
    Pair best{price, a, ShoalWindow::kNone, window.clock()};
    for (uint32_t b = 0; b < window.groups(); ++b) {
      if (b == a || window.size(b) == 0) continue;
      const double adds = window.union_adds(a, b);
      if (adds >= best.adds || !window.rule()->holds_union(window.tally(a), window.tally(b))) continue;
      best.adds = adds;
      best.b = b;
    }
    if (best.b == ShoalWindow::kNone) return;
    waiting.push_back(best);
    std::push_heap(waiting.begin(), waiting.end(), std::greater<>());
  };
  for (uint32_t group = 0; group < window.groups(); ++group) {
    if (window.size(group) > 0) look(group);
  }
  while (!waiting.empty() && unions > 0) {
    std::pop_heap(waiting.begin(), waiting.end(), std::greater<>());
    const Pair pair = waiting.back();
    waiting.pop_back();
    if (window.size(pair.a) == 0) continue;
    if (window.stamp(pair.a) > pair.as_of || window.stamp(pair.b) > pair.as_of) {
      look(pair.a);
      continue;
    }
    unite(window, pair.b, pair.a);
    --unions;
    look(pair.b);
  }
}

RowGroups merged_violators(const TableLines& lines, const GroupRule& rule, RowGroups partition, MergePolicy policy,
                           size_t window_rows, uint64_t seed) {
  SeededRandom random(seed);
  const auto make_worker = [&] { return std::make_unique<MergeWorker>(lines.space(), rule); };
  size_t left = violators(lines, rule, partition);
  for (size_t pass = 0; left > 0 && partition.size() > 1; ++pass) {
    const LineOrder order = random_line(lines.space(), random);
    const WindowPlan windows(lines, partition, order, random(), window_rows);
    partition = pass_over_windows(lines, partition, windows, make_worker, [&](MergeWorker& worker, SeededRandom&) {
      merge_violators(worker.window, policy, pass >= kFreePasses);
    });
    const size_t now = violators(lines, rule, partition);
    if (now > left / 2) window_rows *= 2;  // small windows do not have what they lack
    left = now;
  }
  return partition;
}

}  // namespace shoal
