// Evaluations for people and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "shoal/evaluate/evaluate.h"

namespace shoal {

// A table of errors in percent, one line per k and learner, methods side by side: BE (raw), UE (quasi columns removed)
// and every method's AE, with half the width of the 95 % interval; marks where the 5x2 test says so. Then the
// comparison.
std::string to_text(const Evaluation& evaluation);
std::string to_text(const Comparison& comparison);

nlohmann::ordered_json to_json(const Evaluation& evaluation);
nlohmann::ordered_json to_json(const Comparison& comparison);
// Reads to_json's text back, for comparisons over several runs. Throws Error(input) that names the file.
Evaluation evaluation_from_json(const std::string& text, const std::string& file);

// A header, then one line per k, learner and method of all evaluations. Baselines are lines of the methods `raw` and
// `without-quasi`, k 0.
std::string to_csv(const std::vector<Evaluation>& evaluations);

}  // namespace shoal
