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
  enum Row : uint8_t { right, mistaken, not_tested };
  std::vector<uint8_t> rows;  // a Row for each test row of the split, in order

  void add(Row row) {
    rows.push_back(row);
    wrong += row == mistaken ? 1 : 0;
    tested += row == not_tested ? 0 : 1;
  }
};

// What all folds said. Filled by many threads at once, each in its own places.
struct FoldErrors {
  FoldErrors(const std::vector<EvaluationSetup>& setups, size_t split_count, size_t learner_count)
      : splits(split_count),
        learners(learner_count),
        raw(splits * learners),
        without(splits * learners),
        majority(splits),
        anonymized((setups.back().first_variant + setups.back().readings.size()) * splits * learners),
        by_group(setups.size() * splits),
        seconds(setups.size() * splits),
        dropped(setups.size() * splits) {}

  size_t splits, learners;
  std::vector<FoldError> raw, without;  // [split * learners + learner]
  std::vector<FoldError> majority;      // [split]
  std::vector<FoldError> anonymized;    // [(variant * splits + split) * learners + learner]; a setup and a reading
  std::vector<FoldError> by_group;      // [setup * splits + split]
  std::vector<double> seconds;          // the same
  std::vector<uint64_t> dropped;        // the same
};

// Fills the baselines and cells of `evaluation`, whose rows `splits` test.
void summarise(const EvaluateSettings& settings, const std::vector<EvaluationSetup>& setups,
               const std::vector<FoldSplit>& splits, const FoldErrors& errors, Evaluation& evaluation);

}  // namespace shoal
