// A partition of the rows as a method's answer.
#pragma once

#include <cstddef>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/recode/recoding.h"

namespace shoal {

// Every group is released, on each of `columns` (indices into the quasi columns, ascending), as the least range or node
// that covers its rows. Requires: every row of the table in exactly one group. Cost: linear in rows x columns.
Recoding groups_recoding(const Problem& problem, const std::vector<size_t>& columns, const RowGroups& partition);

// The same without the releases, for methods that know them: group_releases has its size, [group * columns + i], and
// nothing in it. Rows in no group must be dropped.
GroupRecoding unreleased_groups(const Problem& problem, const std::vector<size_t>& columns, const RowGroups& partition);

}  // namespace shoal
