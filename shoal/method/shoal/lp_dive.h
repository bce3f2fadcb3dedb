// A solution from the linear programme: settles the sets that it uses most, solves the rest anew, and so on.
#pragma once

#include <optional>

#include "shoal/method/shoal/lp_bound.h"

namespace shoal {

struct DiveSettings {
  uint64_t k = 1;
  double share = 0.15;  // of the rows left, settled at a time
  size_t rounds = 2;    // of the solver in between
};

// Groups of k rows or more that cover all rows once. `solver` has been solved, and is used up. Deterministic. Nothing:
// the time ran out, or there was nothing to settle.
std::optional<RowGroups> lp_dive(const NcpSpace& space, const DistinctTuples& tuples, LpSolver& solver,
                                 const DiveSettings& settings, Progress& progress);

}  // namespace shoal
