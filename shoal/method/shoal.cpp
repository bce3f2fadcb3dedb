// Method `shoal`: local recoding of least weighted NCP. The parts: ncp_space (boxes and their price), shoal_order
// (lines and how to cut them), shoal_window and shoal_refine (improving nearby groups), shoal_search (all of it over
// the whole table), shoal_bound (how good it could be at best).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/method/groups_recoding.h"
#include "shoal/method/shoal_bound.h"
#include "shoal/method/shoal_search.h"

namespace shoal {
namespace {

constexpr uint64_t kBoundWork[] = {1'000'000, 60'000'000, 600'000'000};  // comparisons, by effort

int effort_of(const Params& params) {
  const std::string& effort = setting(params, "effort");
  return effort == "fast" ? 0 : effort == "normal" ? 1 : 2;
}

// The price of mixing: a row in a group of perfectly mixed classes pays this share of having all its cells suppressed.
double mixing_price(const Problem& problem, const std::vector<size_t>& columns) {
  if (setting(problem.params, "objective") != "classification") return 0;
  if (!problem.table.target) {
    throw Error(ErrorKind::job,
                "objective=classification needs a class to keep apart, and no column is the target; name it with "
                "--target, or leave the objective at ncp");
  }
  double price = 0;
  for (size_t j : columns) price += problem.weights[j];
  return price * number_setting(problem.params, "mixing");
}

void report_counts(const ShoalSearch& search, const ShoalPlan& plan, SearchStats& stats) {
  const RefineCounts& counts = search.counts();
  stats.generated = counts.tried;
  stats.expanded = counts.opened;
  stats.details.emplace_back("passes", fmt::format("{} of {}", search.passes_done(), plan.passes));
  stats.details.emplace_back("improving steps",
                             fmt::format("{} rows moved, {} exchanged, {} slabs peeled, {} groups dissolved, {} runs "
                                         "cut anew, {} boxes opened of {} tried",
                                         counts.moves, counts.chains, counts.slabs, counts.dissolved, counts.recuts,
                                         counts.opened, counts.tried));
}

// The floor under the GCP, and how far above it the answer is at most. `ncp` is the answer's.
void report_bound(const Problem& problem, double bound, double ncp, SearchStats& stats) {
  const double cells =
      double(problem.table.rows) * std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
  if (cells <= 0) return;
  stats.bound = std::min(bound, ncp) / cells;  // rounding must not lift the floor above the answer
  stats.optimal = ncp <= bound * (1 + 1e-12);
  std::string words = fmt::format("GCP {:.5f}; no release can have less than {:.5f}", ncp / cells, *stats.bound);
  if (stats.optimal) {
    words += ": the best possible";
  } else if (bound > 0) {
    words += fmt::format(": at most {:.1f} % above the best possible", 100 * (ncp / bound - 1));
  }
  stats.details.emplace_back(kLowerBoundDetail, words);
}

class Shoal : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    SearchResult result;
    const Requirement& requirement = problem.requirements.front();
    const int effort = effort_of(problem.params);
    const NcpSpace space(problem, requirement.columns, mixing_price(problem, requirement.columns));
    const ShoalPlan plan = shoal_plan(effort, problem.table.rows, requirement.columns.size(), requirement.k);
    ShoalSearch search(space, requirement.k, plan, problem.seed, problem.threads, progress);
    search.start();
    // With k = 1 the first cut is as good as it gets: every row alone.
    while (requirement.k > 1 && search.passes_done() < plan.passes && !progress.out_of_time()) {
      progress.update(double(search.passes_done()) / double(plan.passes + 1));
      search.pass();
    }
    report_counts(search, plan, result.stats);
    if (requirement.k > 1 && search.passes_done() < plan.passes) {
      result.notices.push_back(
          fmt::format("stopped by the time budget after pass {} of {}; more time may lower the loss",
                      search.passes_done(), plan.passes));
    }
    if (progress.out_of_time()) {
      result.stats.details.emplace_back(kLowerBoundDetail, "not computed: no time was left");
    } else {
      const NcpSpace plain(problem, requirement.columns, 0);
      const BoundEffort bound_effort{kBoundWork[effort], problem.threads};
      report_bound(problem, shoal_lower_bound(plain, requirement.k, search.partition(), bound_effort, progress),
                   partition_cost(plain, search.partition()), result.stats);
    }
    result.recoding = groups_recoding(problem, requirement.columns, search.partition());
    progress.update(1);
    return result;
  }
};

}  // namespace

MethodEntry shoal_method() {
  return {
      .name = "shoal",
      .title = "our own local recoding: the lowest information loss, near-linear, with a proven lower bound",
      .paper = "Shoal",
      .shape = Shape::groups,
      .parameters = {{.name = "effort",
                      .meaning = "how long to search: fast for a quick look, best when a minute does not matter",
                      .default_value = "normal",
                      .choices = {"fast", "normal", "best"}},
                     {.name = "objective",
                      .meaning = "what to keep low: ncp (lost detail), or lost detail plus mixed classes, for learning",
                      .default_value = "ncp",
                      .choices = {"ncp", "classification"}},
                     {.name = "mixing",
                      .meaning = "for objective=classification: what a row pays in a group of mixed classes, as a "
                                 "share of suppressing it",
                      .default_value = "0.1",
                      .choices = {},
                      .minimum = 0,
                      .maximum = 1}},
      .several_requirements = false,
      .drops_rows = false,
      .needs_target = false,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<Shoal>(); }};
}

}  // namespace shoal
