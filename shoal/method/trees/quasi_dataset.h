// Quasi columns and target as a learner sees them, straight from codes.
#pragma once

#include <vector>

#include "shoal/learn/dataset.h"
#include "shoal/method/method.h"
#include "shoal/table/groups.h"

namespace shoal {

// Distinct combinations of these quasi columns and the target (the last column of the tuples). Cost: linear in rows.
Tuples tuples_with_target(const Problem& problem, const std::vector<size_t>& columns);

// A row per tuple, weighted by its count. Attribute i is columns[i]: numeric columns by their numbers, others with a
// category for every leaf (its number the leaf's; hierarchies play no part), the missing leaf as missing.
Dataset quasi_dataset(const Problem& problem, const Tuples& tuples, const std::vector<size_t>& columns);

}  // namespace shoal
