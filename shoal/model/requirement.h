// What a release must promise: how many rows look alike, on which columns, and what their groups must have besides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/model/model_spec.h"

namespace shoal {

// Every combination of released values on `columns` (indices into the quasi columns, ascending) occurs in >= k rows,
// and every such group keeps the promises of `models`. Persons are one of these; lkc never is (it is several
// requirements).
struct Requirement {
  std::vector<size_t> columns;
  uint64_t k = 1;
  std::vector<ModelSpec> models = {};
};

// Removes requirements that another one implies (same or more columns, same or larger k, all the models). Order is
// kept. No model has closure N, so what holds for groups holds for groups on fewer columns, their unions.
std::vector<Requirement> without_implied(std::vector<Requirement> requirements);

// The one requirement that implies all: their columns together, with the largest k and all models. Requires: at least
// one.
Requirement united(const std::vector<Requirement>& requirements);

}  // namespace shoal
