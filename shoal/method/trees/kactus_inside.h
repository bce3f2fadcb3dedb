// kACTUS's groups split further so that little detail is lost: the tree decides who may share a group, method `shoal`
// how.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shoal/measure/interval_cost.h"
#include "shoal/method/method.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/method/trees/kactus_prune.h"

namespace shoal::kactus {

// How the groups are split.
struct InsideSearch {
  int effort = 1;                         // as of `shoal`: 0 fast, 1 normal, 2 best; without its linear programme
  std::vector<IntervalCost> prices = {};  // one per column, in place of the NCP's
};

// The groups, those of at least 2k rows cut into groups of k rows or more as `shoal` would a table of theirs. A group
// of which some part would break the rule stays whole, and so does what is left when the time is up. Requires that all
// groups hold. On problem.threads threads; the same answer for any number.
RowGroups split_inside(const Problem& problem, const std::vector<size_t>& columns, std::span<const Group> groups,
                       const InsideSearch& settings, Progress& progress);

}  // namespace shoal::kactus
