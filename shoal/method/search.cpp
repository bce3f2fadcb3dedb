#include "shoal/method/search.h"

#include <stdexcept>

#include "shoal/method/local/population_merges.h"
#include "shoal/model/population_index.h"

namespace shoal {

PopulationUse population_use(const MethodEntry& method) {
  if (method.obeys_population) return PopulationUse::in_search;
  const bool by_groups = method.shape == Shape::groups || method.shape == Shape::regions;
  return by_groups && method.obeys_models && !method.releases_means ? PopulationUse::by_merging : PopulationUse::none;
}

SearchResult search(const MethodEntry& method, const Problem& problem, Progress& progress) {
  return search(method, problem, progress,
                [&](const Problem& asked_of) { return method.make()->search(asked_of, progress); });
}

SearchResult search(const MethodEntry& method, const Problem& problem, Progress& progress, const RunSearch& run) {
  const bool asks = std::any_of(problem.rules.begin(), problem.rules.end(),
                                [](const auto& rule) { return rule->needs_population(); });
  if (!asks || population_use(method) == PopulationUse::in_search) return run(problem);
  if (population_use(method) == PopulationUse::none || problem.requirements.size() != 1) {
    throw std::logic_error("a method was asked for a model of the population that it cannot keep");
  }
  Problem rest = problem;
  rest.rules = {without_population(problem.rule(0))};
  if (!rest.has_models()) rest.rules.clear();
  SearchResult result = run(rest);
  merge_for_population(problem, result, progress);
  return result;
}

}  // namespace shoal
