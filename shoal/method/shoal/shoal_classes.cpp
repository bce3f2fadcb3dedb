// Classes are many and of all sizes: small ones are shared out between threads, a large one has all of them.
#include "shoal/method/shoal/shoal_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "shoal/method/shoal/shoal_search.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kLargeClass = 16384;  // rows
constexpr size_t kLinesTried = 8;

}  // namespace

int ShoalClassSolver::effort(const Params& params) const {
  const std::string& effort = setting(params, "effort");
  return effort == "fast" ? 0 : effort == "best" ? 2 : 1;
}

std::string ShoalClassSolver::notice(const Params& params) const {
  const std::string& objective = setting(params, "objective");
  if (objective == "ncp") return "";
  return fmt::format("objective={} has no say where requirements share columns: there the NCP alone is kept low",
                     objective);
}

RowGroups ShoalClassSolver::solve(const Overlap& overlap, size_t part, const RowGroups& classes,
                                  Progress& progress) const {
  const Problem& problem = overlap.problem();
  const OverlapPart& asked = overlap.parts()[part];
  // By the rows of the table: a large one in many classes would take long as well.
  const ShoalPlan plan = shoal_plan(effort(problem.params), problem.table.rows, asked.own_columns.size(), asked.k);
  std::vector<RowGroups> found(classes.size());
  auto part_class = [&](OwnCutter& cutter, size_t c, int threads) {
    progress.check();
    const auto rows = classes.group(c);
    const double cost = cutter.cut(part, rows, asked.k, kLinesTried);
    RowGroups partition;
    for (uint32_t place : cutter.line()) partition.rows.push_back(rows[place]);
    for (uint32_t end : cutter.ends()) partition.starts.push_back(end);
    if (cost > 0) {
      ShoalSearch search(*asked.own, asked.k, plan, problem.seed + c, threads, progress);
      search.start(std::move(partition));
      while (search.passes_done() < plan.passes && !progress.out_of_time()) search.pass();
      partition = search.partition();
    }
    found[c] = std::move(partition);
  };
  std::vector<size_t> small;
  OwnCutter cutter(overlap);
  for (size_t c = 0; c < classes.size(); ++c) {
    if (classes.rows_in(c) < kLargeClass) {
      small.push_back(c);
    } else {
      part_class(cutter, c, problem.threads);
    }
  }
  run_tasks_with(
      small.size(), problem.threads, [&] { return std::make_unique<OwnCutter>(overlap); },
      [&](OwnCutter& own, size_t task) { part_class(own, small[task], 1); });
  RowGroups groups;
  for (const RowGroups& partition : found) {
    const auto first = static_cast<uint32_t>(groups.rows.size());
    groups.rows.insert(groups.rows.end(), partition.rows.begin(), partition.rows.end());
    for (size_t g = 1; g < partition.starts.size(); ++g) groups.starts.push_back(first + partition.starts[g]);
  }
  return groups;
}

}  // namespace shoal
