// k-optimize (Bayardo and Agrawal 2005): the best release by values of all, with proof (docs/methods/k-optimize.md).
#include <fmt/format.h>

#include <cmath>

#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/method/splits/split_set_search.h"

namespace shoal {

MethodEntry k_optimize_method();

namespace {

struct KOptimizeOptions {
  std::string objective;
  size_t memory = 0;  // bytes for waiting states
};
KOptimizeOptions k_optimize_options(const Params& params) {
  return {.objective = setting(params, "objective"),
          .memory = static_cast<size_t>(number_setting(params, "memory") * 1e6)};
}

constexpr uint64_t kStatesWithoutDropping = 500;

class KOptimize final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    const KOptimizeOptions options = k_optimize_options(problem.params);
    const SplitScene scene(problem, split_cost(options.objective, problem));
    SplitSetSearch search(scene, options.memory);
    if (scene.limit() > 0) start_without_dropping(scene, options, search, progress);
    search.run(progress);

    SearchResult result;
    Recoding recoding = scene.recoding(search.best());
    const size_t dropped = recoding.dropped_rows.size();
    result.answer = std::move(recoding);
    const double best = scene.shown(double(search.best_cost())), bound = scene.shown(double(search.bound()));
    const auto& counts = search.counts();
    result.stats.generated = counts.generated;
    result.stats.expanded = counts.examined;
    result.stats.pruned = counts.dead;
    result.stats.optimal = search.proven();
    result.stats.bound = bound;
    const double gap = search.proven() ? 0 : (best - bound) / std::max(best, 1e-300);
    result.stats.details = {{"objective", options.objective},
                            {"best", fmt::format("{:.10g}", best)},
                            {"bound", fmt::format("{:.10g}", bound)},
                            {"gap", fmt::format("{:.4g} %", 100 * gap)},
                            {"splits to choose from", std::to_string(scene.space().size())},
                            {"sets tried for a first answer", std::to_string(counts.judged)},
                            {"states examined for a first answer", std::to_string(counts.coarse)},
                            {"states examined near the best answer", std::to_string(counts.near)},
                            {"states taken depth-first", std::to_string(counts.depth_first)}};
    if (!search.proven()) {
      result.notices.push_back(fmt::format(
          "k-optimize was stopped by the time budget: {} {:.8g} is the best found, nothing can be better than "
          "{:.8g}; give it more time for a proof",
          options.objective, best, bound));
    }
    if (dropped == 0 && scene.by_models() && problem.suppress_rows.value_or(0) > 0) {
      result.notices.emplace_back("k-optimize drops no rows where a requirement asks for more than k rows");
    }
    return result;
  }

 private:
  // Where no row may be dropped a bound is far better, and the answer there is one here.
  static void start_without_dropping(const SplitScene& scene, const KOptimizeOptions& options, SplitSetSearch& search,
                                     Progress& progress) {
    Problem strict = scene.problem();
    strict.suppress_rows = 0;
    const SplitScene strict_scene(strict, scene.cost());
    SplitSetSearch first(strict_scene, options.memory);
    first.run(progress, kStatesWithoutDropping);
    search.start_from(first.best(), first.best_cost());
  }
};

}  // namespace

MethodEntry k_optimize_method() {
  return {
      .name = "k-optimize",
      .title = "the best of all cuts and borders of ordered values, with proof; anytime with a bound",
      .paper = "Bayardo, Agrawal 2005",
      .shape = Shape::cut,
      .parameters = {{.name = "objective",
                      .meaning = "the cost to be least in: squared group sizes, or rows outside their majority class",
                      .default_value = "dm",
                      .choices = {"dm", "cm"}},
                     {.name = "memory",
                      .meaning = "MB for waiting states; beyond it the search goes depth-first",
                      .default_value = "1024",
                      .choices = {},
                      .minimum = 1,
                      .maximum = 1e6}},
      .several_requirements = true,
      .drops_rows = true,
      .needs_target = false,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<KOptimize>(); },
      .obeys_models = true,
      .obeys_average_risk = true,
      .alike_rows = [](const Params&) { return AlikeRows{}; }};
}

}  // namespace shoal
