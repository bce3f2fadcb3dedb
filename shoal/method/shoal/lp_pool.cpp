// The primal-dual hybrid gradient method with diagonal steps (Chambolle & Pock 2011; Pock & Chambolle 2011) on
//   minimise sum k price x  so that every tuple's rows are covered, x >= 0.
// The step of a set is 1 / its rows = 1 / k, the step of a tuple 1 / (its rows in all sets that count).
#include "shoal/method/shoal/lp_pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kWakeEvery = 20;  // steps
// A step's sets are shared out into so many parts, whatever the number of threads: sums of doubles depend on it.
constexpr size_t kParts = 4;
constexpr size_t kWorthAThread = 20'000;  // members looked at in a step

}  // namespace

uint64_t SetPool::hash(std::span<const SetMember> members, double price) {
  uint64_t value = std::bit_cast<uint64_t>(price);
  for (const SetMember& member : members) {
    value = (value ^ (uint64_t{member.tuple} << 32 | member.rows)) * 0x9E3779B97F4A7C15ULL;
    value ^= value >> 29;
  }
  return value;
}

bool SetPool::add(std::span<const SetMember> members, double price, bool kept, double x) {
  if (!known_.insert(hash(members, price)).second) return false;
  members_.insert(members_.end(), members.begin(), members.end());
  starts_.push_back(members_.size());
  price_.push_back(price);
  x_.push_back(x);
  unused_.push_back(0);
  kept_.push_back(kept ? 1 : 0);
  return true;
}

// Sets that are used, or carry nearly their price, count until the next call.
void SetPool::wake(const std::vector<double>& dual, double margin) {
  awake_.clear();
  awake_rows_.assign(tuples_, 0);
  for (uint32_t set = 0; set < size(); ++set) {
    if (x_[set] == 0 && carried(set, dual) < double(k_) * (price_[set] - margin)) continue;
    awake_.push_back(set);
    for (const SetMember& member : members(set)) awake_rows_[member.tuple] += double(member.rows);
  }
}

// One step of the sets of a part: each is used more where it carries more than its price, and covers its rows that
// much.
uint64_t SetPool::step_sets(size_t part, double weight, const std::vector<double>& dual, std::vector<double>& covered) {
  std::fill(covered.begin(), covered.end(), 0);
  uint64_t looked_at = 0;
  for (size_t i = awake_.size() * part / kParts; i < awake_.size() * (part + 1) / kParts; ++i) {
    const uint32_t set = awake_[i];
    const double before = x_[set];
    const double after = std::max(0.0, before - weight * (price_[set] - carried(set, dual) / double(k_)));
    looked_at += members(set).size();
    if (before == 0 && after == 0) continue;
    x_[set] = after;
    const double ahead = 2 * after - before;
    for (const SetMember& member : members(set)) covered[member.tuple] += double(member.rows) * ahead;
  }
  return looked_at;
}

uint64_t SetPool::improve(const std::vector<uint32_t>& rows, const std::vector<double>& highest,
                          const Settings& settings, std::vector<double>& dual, const Progress& progress) {
  std::vector<double> dual_sum(tuples_, 0), x_sum(size(), 0);
  std::array<std::vector<double>, kParts> covered;
  std::array<uint64_t, kParts> looked_at_in{};
  covered.fill(std::vector<double>(tuples_));
  std::vector<double> lowest(dual), topmost(dual);
  for (size_t t = 0; t < tuples_; ++t) {
    topmost[t] = std::min(highest[t], dual[t] + settings.reach);
    lowest[t] = std::min(topmost[t], dual[t] - settings.reach);
  }
  const double weight = 1 / settings.usual, margin = settings.margin * settings.usual;
  uint64_t looked_at = 0, in_a_step = 0;
  size_t summed = 0;
  for (size_t step = 0; step < settings.steps; ++step) {
    if (step % kWakeEvery == 0) {
      progress.check();
      wake(dual, margin);
      looked_at += entries();
    }
    const int threads = in_a_step < kWorthAThread ? 1 : settings.threads;
    run_tasks(kParts, threads,
              [&](size_t, size_t part) { looked_at_in[part] = step_sets(part, weight, dual, covered[part]); });
    in_a_step = std::accumulate(looked_at_in.begin(), looked_at_in.end(), uint64_t{0});
    looked_at += in_a_step;
    for (size_t t = 0; t < tuples_; ++t) {
      if (rows[t] == 0) continue;
      const double step_size = 1 / (weight * std::max(awake_rows_[t], 1.0));
      double by_all = 0;
      for (const std::vector<double>& by_part : covered) by_all += by_part[t];
      dual[t] = std::clamp(dual[t] + (double(rows[t]) - by_all) * step_size, lowest[t], topmost[t]);
    }
    if (2 * step < settings.steps) continue;
    ++summed;
    for (size_t t = 0; t < tuples_; ++t) dual_sum[t] += dual[t];
    for (uint32_t set : awake_) x_sum[set] += x_[set];
  }
  if (summed == 0) return looked_at;
  for (size_t t = 0; t < tuples_; ++t) dual[t] = dual_sum[t] / double(summed);
  constexpr double kNothing = 1e-9;
  for (size_t set = 0; set < size(); ++set) {
    x_[set] = x_sum[set] > kNothing * double(summed) ? x_sum[set] / double(summed) : 0;
  }
  return looked_at;
}

void SetPool::drop_unused(const std::vector<double>& dual, uint32_t rounds, double slack) {
  constexpr double kUsed = 1e-6;
  for (size_t set = 0; set < size(); ++set) unused_[set] = x_[set] < kUsed ? unused_[set] + 1 : 0;
  keep_only([&](size_t set) {
    return kept_[set] != 0 || unused_[set] < rounds || carried(set, dual) > double(k_) * (price_[set] - slack);
  });
}

}  // namespace shoal
