// The hierarchy that a column's type asks for.
#pragma once

#include <optional>

#include "shoal/job/job.h"

namespace shoal {

// A quasi column of type date or ordinal for which no hierarchy is given has one built from its values: by `dates`, or
// by `ordinal` with the column's stated order. Nothing for other columns.
std::optional<HierarchySpec> implied_hierarchy(const ColumnJob& column);

}  // namespace shoal
