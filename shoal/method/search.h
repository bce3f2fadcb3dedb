// Running a method, with what it leaves to do for models of the population.
#pragma once

#include <functional>

#include "shoal/method/method.h"

namespace shoal {

// How a method keeps models of the population.
enum class PopulationUse {
  none,        // it counts the rows of the table alone
  by_merging,  // k-map: its groups are put together in the end until each fits enough people; one requirement
  in_search,   // every state is tested: k-map and delta-presence, as long as no row is dropped
};
PopulationUse population_use(const MethodEntry& method);

// The method's search. Where a rule has models of the population and the method keeps them by merging, it searches for
// the rest, and then every group that fits too few people is merged with the one where that costs least: groups that
// keep k and models of sensitive columns also keep them as one. `run` searches a problem without such models in place
// of the method's own search (in fragments, say). Requires a method that keeps what the rules ask.
using RunSearch = std::function<SearchResult(const Problem&)>;
SearchResult search(const MethodEntry& method, const Problem& problem, Progress& progress, const RunSearch& run);
SearchResult search(const MethodEntry& method, const Problem& problem, Progress& progress);

}  // namespace shoal
