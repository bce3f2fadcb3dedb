// How low the NCP of any release can be at best, and what that says about an answer (docs/bound.md).
#pragma once

#include <string>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/space/ncp_space.h"

namespace shoal {

struct Floor {
  double ncp = 0;
  std::string shown_by;  // "": nothing is shown
};

// `plain`: a space without a price for mixed classes. effort: 0 fast, 1 normal, 2 best.

// The floor that needs no linear programme. `partition`: see shoal_lower_bound. Out of time: nothing is shown.
Floor simple_floor(const Problem& problem, const NcpSpace& plain, const RowGroups& partition, int effort,
                   Progress& progress);
// The floor from what rows are ready to pay: `values` by row, where they are known, else a share of what they pay in
// the answer. One walk over the boxes of the whole table lowers that until it holds; this alone makes it a floor. Too
// much work: nothing is shown.
Floor repaired_floor(const Problem& problem, const NcpSpace& plain, const RowGroups& groups,
                     const std::vector<float>& values, int effort, Progress& progress);
// What the floor says about an answer.
void report_floor(const Problem& problem, const NcpSpace& plain, const Floor& floor, const RowGroups& groups,
                  SearchStats& stats);

}  // namespace shoal
