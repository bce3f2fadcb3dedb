// optimal-cut: the best cut of all, with proof (docs/methods/optimal-cut.md).
#include <fmt/format.h>

#include <cmath>

#include "shoal/method/cuts/cut_search.h"
#include "shoal/method/method.h"
#include "shoal/method/rules.h"

namespace shoal {
namespace {

struct OptimalCutOptions {
  std::string objective;  // name of a measure
  size_t memory = 0;      // bytes for waiting states and clauses
};
OptimalCutOptions optimal_cut_options(const Params& params) {
  return {.objective = setting(params, "objective"),
          .memory = static_cast<size_t>(number_setting(params, "memory") * 1e6)};
}

class OptimalCut : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    const std::vector<size_t> requirements = needed_requirements(problem);
    const CutSpace space(problem.hierarchies, problem.requirements);
    const OptimalCutOptions options = optimal_cut_options(problem.params);
    const CutObjective objective(options.objective, problem, space);
    const CutSearch::Limits limits{options.memory / 2, options.memory / 4, options.memory / 4};
    CutSearch search(problem, requirements, space, objective, limits);
    search.run(progress);

    SearchResult result;
    result.answer = space.recoding(search.best());
    const double best = objective.shown(search.best_loss()), bound = objective.shown(search.bound());
    const auto& counts = search.counts();
    result.stats.generated = counts.generated;
    result.stats.expanded = counts.expanded;
    result.stats.pruned = counts.generated - counts.expanded + counts.dead;
    result.stats.optimal = search.proven();
    result.stats.bound = bound;
    const double gap = best == bound ? 0 : std::abs(best - bound) / std::max(std::abs(best), 1e-300);
    result.stats.details = {{"objective", objective.name()},
                            {"best", fmt::format("{:.10g}", best)},
                            {"bound", fmt::format("{:.10g}", bound)},
                            {"gap", fmt::format("{:.4g} %", 100 * gap)},
                            {"clauses learned", std::to_string(search.clauses())},
                            {"states without any satisfying cut", std::to_string(counts.dead)},
                            {"states taken depth-first", std::to_string(counts.depth_first)},
                            {"states visited by dives", std::to_string(counts.dived)}};
    if (!search.proven()) {
      result.notices.push_back(
          fmt::format("optimal-cut was stopped by the time budget: {} {:.6g} is the best found, no cut can be better "
                      "than {:.6g}; give it more time for a proof",
                      objective.name(), best, bound));
    }
    return result;
  }
};

}  // namespace

MethodEntry optimal_cut_method() {
  return {.name = "optimal-cut",
          .title = "the best of all cuts, with proof; anytime with a bound",
          .paper = "ours",
          .shape = Shape::cut,
          .parameters = {{.name = "objective",
                          .meaning = "the measure to be best in",
                          .default_value = "rows",
                          .choices = CutObjective::names()},
                         {.name = "memory",
                          .meaning = "MB for waiting states and clauses; beyond it the search goes depth-first",
                          .default_value = "1024",
                          .choices = {},
                          .minimum = 1,
                          .maximum = 1e6}},
          .several_requirements = true,
          .drops_rows = false,
          .needs_target = false,
          .make = []() -> std::unique_ptr<Method> { return std::make_unique<OptimalCut>(); },
          .obeys_models = true,
          .obeys_average_risk = true,
          .obeys_population = true,
          .alike_rows = [](const Params& params) { return AlikeRows{.rest = setting(params, "objective") == "rows"}; }};
}

}  // namespace shoal
