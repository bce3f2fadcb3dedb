// What anonymization costs a learner: errors on rows that were not trained on, raw, anonymized, and without the quasi
// columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/job.h"
#include "shoal/learn/significance.h"
#include "shoal/progress.h"

namespace shoal {

enum class Protocol {
  joint,       // all rows are anonymized together, then split: both sides are released rows
  train_only,  // only the rows trained on are anonymized; the others go through the recoding where there is one (shapes
               // levels, cut, regions) and stay as they are where there is none (groups)
};
std::string to_string(Protocol protocol);

struct EvaluateSettings {
  std::vector<std::string> methods;   // by name; params named "method.param" are for that method only
  std::vector<std::string> learners;  // by name
  std::vector<uint64_t> ks;           // over all quasi columns; replaces the job's k
  Protocol protocol = Protocol::train_only;
  std::string test{};       // file with the rows to test on; "": cross-validation
  size_t folds = 10;        // of cross-validation
  bool five_by_two = true;  // five times two folds instead
};

// Errors of one learner on one kind of data. Shares of rows in [0,1].
struct ErrorSummary {
  double error = 0;  // wrong rows / tested rows, over all folds
  ErrorInterval interval;
  std::vector<double> folds;  // five by two: repetition i has folds 2i, 2i + 1
};

struct EvaluationCell {
  uint64_t k = 0;
  std::string learner;  // "c45" for a method that releases a tree of its own
  std::string method;
  ErrorSummary anonymized;
  std::optional<FTest> against_raw;    // five by two only
  std::optional<FTest> against_first;  // five by two only; the first method of the list, same k and learner
  double search_seconds = 0;           // of all folds
  uint64_t rows_dropped = 0;           // of all folds' training rows
};

struct Evaluation {
  std::string input, test, target;
  std::vector<std::string> quasi;
  uint64_t rows = 0;
  Protocol protocol = Protocol::train_only;
  size_t folds = 0;  // 0: presplit
  bool five_by_two = false;
  uint64_t seed = 1;
  struct Baseline {
    std::string learner;
    ErrorSummary raw, without_quasi;  // BE, UE
  };
  std::vector<Baseline> baselines;    // one per learner
  std::vector<EvaluationCell> cells;  // by k, learner, method
  std::vector<std::string> notices;
};

// Runs every method with every k and learner. Methods search on one thread each, folds run side by side on job.threads;
// the answer does not depend on their number. The job's weights, hierarchies, seed, suppress_rows and time_budget (per
// search) count. Throws Error(job) for unknown names, a missing target, a k that a training part cannot meet.
Evaluation evaluate(const Job& job, const EvaluateSettings& settings, Progress& progress);

// Methods compared over many sets: combinations of input, quasi columns, k and learner.
struct Comparison {
  std::vector<std::string> methods;
  size_t sets = 0;
  std::vector<double> mean_errors;  // by method
  FriedmanTest friedman;
  double distance = 0;  // of mean ranks, Bonferroni-Dunn at 0.05, the first method being the control
};
// Methods that every set has, in order of first appearance. Nothing when fewer than two of them, or two sets, are
// there.
std::optional<Comparison> compare(const std::vector<Evaluation>& evaluations);

}  // namespace shoal
