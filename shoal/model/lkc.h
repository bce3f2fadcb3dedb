// LKC-privacy (Mohammed, Fung, Hung, Lee 2009): attackers know at most l of the quasi columns.
#pragma once

#include <cstddef>
#include <vector>

#include "shoal/model/model_spec.h"
#include "shoal/model/requirement.h"

namespace shoal {

// The same promise in other words: requirements, and a confidence model that holds for the groups of each of them.
struct LkcParts {
  std::vector<Requirement> requirements;  // every min(l, quasi_columns) columns with k, ascending
  ModelSpec confidence;
};

// Fewer known columns follow from more: groups on them are unions, and confidence has closure U. Throws Error(job)
// where the spec is wrong, there are no quasi columns, or there would be more than 10,000 requirements.
LkcParts expand_lkc(const ModelSpec& spec, size_t quasi_columns);

}  // namespace shoal
