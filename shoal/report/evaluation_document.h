// What anonymization costs learners, as a document and as a table for other programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/evaluate/evaluate.h"
#include "shoal/report/document.h"

namespace shoal {

// Errors in percent, one line per k and learner, methods side by side: BE (raw), UE (quasi columns removed) and every
// method's AE, with half the width of the 95 % interval and marks where the 5x2 test says so; then the comparison over
// all sets. People see the evaluation that was just made, if any (`fresh`, the last one), machines all of them.
Document evaluation_document(const std::vector<Evaluation>& evaluations, const std::optional<Comparison>& comparison,
                             bool fresh);

// A header, then one line per k, learner, method and reading of all evaluations. Baselines are lines of the methods
// `raw`, `without-quasi` and `majority`, k 0.
std::string evaluation_csv(const std::vector<Evaluation>& evaluations);

}  // namespace shoal
