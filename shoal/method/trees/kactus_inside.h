// kACTUS's groups split further so that little detail is lost: the tree decides who may share a group, method `shoal`
// how.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/method/trees/kactus_prune.h"

namespace shoal::kactus {

// The groups, those of at least 2k rows cut into groups of k rows or more as `shoal` would a table of theirs (effort
// normal, without its linear programme). A group of which some part would break the rule stays whole, and so does what
// is left when the time is up. Requires that all groups hold. On problem.threads threads; the same answer for any
// number.
RowGroups split_inside(const Problem& problem, const std::vector<size_t>& columns, std::span<const Group> groups,
                       Progress& progress);

}  // namespace shoal::kactus
