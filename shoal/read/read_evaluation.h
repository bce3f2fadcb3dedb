// Results of earlier evaluations, for comparisons over several runs.
#pragma once

#include <string>
#include <vector>

#include "shoal/evaluate/evaluate.h"

namespace shoal {

// Reads the JSON that `evaluate` wrote: one evaluation, or several under "evaluations". `file` for messages. Throws
// Error(input).
std::vector<Evaluation> read_evaluations(const std::string& json, const std::string& file);

}  // namespace shoal
