// What every learner takes and gives. One .cpp (or more) per learner in this folder; learners.cpp lists them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/learn/dataset.h"
#include "shoal/model/parameter.h"
#include "shoal/run/progress.h"

namespace shoal {

// A trained model. Immutable; safe to use from several threads.
class Classifier {
 public:
  virtual ~Classifier() = default;
  // The chance of every class for one row of `data`, which must have been read like the training data (same columns,
  // categories and classes: a subset of it, or read_dataset_like). `chances` has one place per class; they sum to 1.
  virtual void distribution(const Dataset& data, size_t row, std::span<double> chances) const = 0;
  // The likeliest class, the first one on ties.
  uint32_t predict(const Dataset& data, size_t row) const;
  // The model for people to read, several lines.
  virtual std::string text() const = 0;
};

struct LearnerEntry {
  std::string name;   // c45, nb, logistic, part, boosted
  std::string title;  // one line
  std::string paper;  // who and when
  std::vector<Parameter> parameters;
  // `params` complete and checked. Deterministic. Throws Error(cancelled) when progress says so.
  std::unique_ptr<Classifier> (*train)(const Dataset& data, const Params& params, Progress& progress);
};

// All learners, in the order they are shown.
std::span<const LearnerEntry> learners();
// nullptr when there is none of that name.
const LearnerEntry* find_learner(std::string_view name);
// `given` with defaults filled in. Throws Error(job) on an unknown name or a value that cannot be, with what can.
Params learner_params(const LearnerEntry& learner, const Params& given);
// Trains by name with some parameters set. Throws Error(job) on unknown names and a dataset without rows.
std::unique_ptr<Classifier> train(std::string_view learner, const Dataset& data, const Params& given,
                                  Progress& progress);

// Share of the rows' weight, in [0,1], that the classifier gets wrong. Rows are spread over `threads`; the answer is
// the same for any number.
double error_rate(const Classifier& classifier, const Dataset& test, int threads = 1);
// The class predicted for every row.
std::vector<uint32_t> predict_all(const Classifier& classifier, const Dataset& test, int threads = 1);

}  // namespace shoal
