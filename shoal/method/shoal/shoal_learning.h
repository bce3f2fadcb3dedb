// objective=learning: a release for those who will predict the target.
//
// A decision tree for the target says who may share a group (kactus_tree), and within its groups detail is kept
// (kactus_inside) by what it tells about the target (learning_prices). Looks at the class of every row.
#pragma once

#include "shoal/method/method.h"

namespace shoal {

// The groups of the first requirement, without a lower bound. Every group obeys the rule; an
// average risk is kept by groups of at least 1/risk rows. effort: 0 fast, 1 normal, 2 best. Requires a target.
// Deterministic for the problem's seed, whatever the threads.
SearchResult search_for_learning(const Problem& problem, int effort, Progress& progress);

}  // namespace shoal
