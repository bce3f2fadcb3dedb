// From counts by fold to errors, intervals and tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/evaluate/evaluate.h"
#include "shoal/evaluate/evaluation_plan.h"

namespace shoal {

// What one fold says about one kind of data.
struct FoldError {
  double wrong = 0, tested = 0;
};

// What all folds said. Filled by many threads at once, each in its own places.
struct FoldErrors {
  FoldErrors(size_t setups, size_t split_count, size_t learner_count)
      : splits(split_count),
        learners(learner_count),
        raw(splits * learners),
        without(splits * learners),
        anonymized(setups * splits * learners),
        seconds(setups * splits),
        dropped(setups * splits) {}

  size_t splits, learners;
  std::vector<FoldError> raw, without;  // [split * learners + learner]
  std::vector<FoldError> anonymized;    // [(setup * splits + split) * learners + learner]
  std::vector<double> seconds;          // [setup * splits + split]
  std::vector<uint64_t> dropped;        // the same
};

// Fills the baselines and cells of `evaluation`.
void summarise(const EvaluateSettings& settings, const std::vector<EvaluationSetup>& setups, const FoldErrors& errors,
               Evaluation& evaluation);

}  // namespace shoal
