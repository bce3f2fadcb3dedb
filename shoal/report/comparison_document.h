// What `shoal compare` found, as a document.
#pragma once

#include <optional>
#include <vector>

#include "shoal/evaluate/evaluate.h"
#include "shoal/examine/compare_methods.h"
#include "shoal/report/document.h"

namespace shoal {

// The mean error of all learners for each method and k, which a recommendation can use.
std::vector<MethodError> mean_errors(const Evaluation& evaluation);

struct ComparisonReport {
  MethodComparison comparison;
  std::optional<Evaluation> learners{};  // where the job has a target
  std::optional<Recommendation> recommendation{};
  std::vector<std::string> notices{};
  std::vector<std::string> data_notices{};  // those that quote values of the table or of a hierarchy
};
Document comparison_document(const ComparisonReport& report);

}  // namespace shoal
