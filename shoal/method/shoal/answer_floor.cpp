#include "shoal/method/shoal/answer_floor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/method/shoal/lp_bound.h"
#include "shoal/method/shoal/lp_repair.h"
#include "shoal/method/shoal/shoal_bound.h"

namespace shoal {
namespace {

constexpr uint64_t kBoundWork[] = {1'000'000, 60'000'000, 600'000'000};  // comparisons, by effort
// Where there is no linear programme over the whole table: tuples that one repair may look at, per row, by effort; and
// the share of what rows pay that it begins with.
constexpr uint64_t kWholeRepairWork[] = {0, 500, 10'000};
constexpr double kReadyShare = 0.8;
constexpr double kRoundedOptimum = 1e-8;  // bounds are that much too low by rounding

// The floor under the GCP, and how far above it the answer is at most. `ncp` is the answer's.
void report_bound(const Problem& problem, const Floor& floor, double ncp, SearchStats& stats) {
  const double cells =
      double(problem.table.rows) * std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
  if (cells <= 0) return;
  const double bound = floor.ncp;
  stats.bound = std::min(bound, ncp) / cells;  // rounding must not lift the floor above the answer
  stats.optimal = ncp <= bound * (1 + kRoundedOptimum);
  std::string words =
      fmt::format("no release can have a GCP below {:.5f}; this one has {:.5f}", *stats.bound, ncp / cells);
  if (stats.optimal) {
    words += ": the best possible";
  } else if (bound > 0) {
    words += fmt::format(": at most {:.1f} % above the best possible", 100 * (ncp / bound - 1));
  }
  stats.details.emplace_back(kLowerBoundDetail, words);
  stats.details.emplace_back("lower bound shown by", floor.shown_by);
}

}  // namespace

Floor simple_floor(const Problem& problem, const NcpSpace& plain, const RowGroups& partition, int effort,
                   Progress& progress) {
  if (progress.out_of_time()) return {};
  const BoundEffort work{kBoundWork[effort], problem.threads};
  return {shoal_lower_bound(plain, problem.requirements.front().k, partition, work, progress),
          "the cheapest box of every row"};
}

Floor repaired_floor(const Problem& problem, const NcpSpace& plain, const RowGroups& groups,
                     const std::vector<float>& values, int effort, Progress& progress) {
  const uint64_t per_row = kWholeRepairWork[effort];
  if (per_row == 0 || problem.requirements.front().k == 1 || progress.out_of_time()) return {};
  const DistinctTuples tuples = distinct_tuples_of(plain);
  const std::vector<double> prices = group_prices(plain, tuples, groups);
  std::vector<double> dual(tuples.size(), 0);
  bool known = false;
  for (size_t g = 0; g < groups.size(); ++g) {
    for (uint32_t row : groups.group(g)) {
      const bool has_value = !values.empty() && !std::isnan(values[row]);
      known |= has_value;
      const uint32_t tuple = tuples.of_row[row];
      dual[tuple] += (has_value ? double(values[row]) : kReadyShare * prices[g]) / double(tuples.counts[tuple]);
    }
  }
  const uint64_t work = std::max<uint64_t>(kLeastLpWork, per_row * plain.rows());
  const RepairSettings settings{problem.requirements.front().k, problem.threads, work};
  const auto floor = repaired_within_work(plain, box_cells(plain, {}), tuples, dual, settings, progress);
  if (!floor) return {};
  return {floor->bound, known ? "linear programming in every fragment, one repair over the whole table"
                              : "what groups pay, repaired over the whole table"};
}

void report_floor(const Problem& problem, const NcpSpace& plain, const Floor& floor, const RowGroups& groups,
                  SearchStats& stats) {
  if (floor.shown_by.empty()) {
    stats.details.emplace_back(kLowerBoundDetail, "not computed: no time was left");
    return;
  }
  report_bound(problem, floor, partition_cost(plain, groups), stats);
  if (stats.bound && problem.has_models()) {
    stats.details.emplace_back("lower bound holds for",
                               "groups of k rows whatever else they must have: models only ask for more");
  }
}

}  // namespace shoal
