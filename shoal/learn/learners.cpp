#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "shoal/error.h"
#include "shoal/learn/boosted.h"
#include "shoal/learn/c45.h"
#include "shoal/learn/learner.h"
#include "shoal/learn/logistic.h"
#include "shoal/learn/naive_bayes.h"
#include "shoal/learn/part.h"
#include "shoal/nearest_word.h"
#include "shoal/run/tasks.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

[[noreturn]] void wrong(const std::string& message) { throw Error(ErrorKind::job, message); }

void check_value(const LearnerEntry& learner, const Parameter& parameter, const std::string& value) {
  const auto& choices = parameter.choices;
  if (!choices.empty()) {
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
    wrong(fmt::format("parameter {} of learner {} cannot be '{}'; choices: {}", parameter.name, learner.name, value,
                      fmt::join(choices, ", ")));
  }
  const auto number = parse_number(value);
  if (!number || *number < parameter.minimum || *number > parameter.maximum) {
    wrong(fmt::format("parameter {} of learner {} is '{}'; it must be a number between {} and {}", parameter.name,
                      learner.name, value, parameter.minimum, parameter.maximum));
  }
}

}  // namespace

std::span<const LearnerEntry> learners() {
  static const std::array kLearners{c45_learner(), naive_bayes_learner(), logistic_learner(), part_learner(),
                                    boosted_learner()};
  return kLearners;
}

const LearnerEntry* find_learner(std::string_view name) {
  for (const LearnerEntry& learner : learners()) {
    if (learner.name == name) return &learner;
  }
  return nullptr;
}

Params learner_params(const LearnerEntry& learner, const Params& given) {
  for (const auto& [name, value] : given) {
    const auto found = std::find_if(learner.parameters.begin(), learner.parameters.end(),
                                    [&, &key = name](const Parameter& parameter) { return parameter.name == key; });
    if (found == learner.parameters.end()) {
      std::vector<std::string> names;
      for (const Parameter& parameter : learner.parameters) names.push_back(parameter.name);
      wrong(fmt::format("learner {} has no parameter '{}'; its parameters: {}", learner.name, name,
                        fmt::join(names, ", ")));
    }
    check_value(learner, *found, value);
  }
  return complete(given, learner.parameters);
}

std::unique_ptr<Classifier> train(std::string_view learner, const Dataset& data, const Params& given,
                                  Progress& progress) {
  const LearnerEntry* entry = find_learner(learner);
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const LearnerEntry& known : learners()) names.push_back(known.name);
    wrong(
        fmt::format("no learner '{}'{}; learners: {}", learner, did_you_mean(learner, names), fmt::join(names, ", ")));
  }
  if (data.rows == 0) wrong(fmt::format("learner {} was given a table without rows", learner));
  return entry->train(data, learner_params(*entry, given), progress);
}

uint32_t Classifier::predict(const Dataset& data, size_t row) const {
  std::vector<double> chances(data.classes.size());
  distribution(data, row, chances);
  return static_cast<uint32_t>(std::max_element(chances.begin(), chances.end()) - chances.begin());
}

std::vector<uint32_t> predict_all(const Classifier& classifier, const Dataset& test, int threads) {
  std::vector<uint32_t> predicted(test.rows);
  const size_t parts =
      std::max<size_t>(1, std::min<size_t>(static_cast<size_t>(std::max(threads, 1)), test.rows / 256));
  run_tasks(parts, threads, [&](size_t, size_t part) {
    std::vector<double> chances(test.classes.size());
    for (size_t row = test.rows * part / parts; row < test.rows * (part + 1) / parts; ++row) {
      classifier.distribution(test, row, chances);
      predicted[row] = static_cast<uint32_t>(std::max_element(chances.begin(), chances.end()) - chances.begin());
    }
  });
  return predicted;
}

double error_rate(const Classifier& classifier, const Dataset& test, int threads) {
  const auto predicted = predict_all(classifier, test, threads);
  double wrong_weight = 0, total = 0;
  for (size_t row = 0; row < test.rows; ++row) {
    total += test.weights[row];
    if (predicted[row] != test.class_of[row]) wrong_weight += test.weights[row];
  }
  return total > 0 ? wrong_weight / total : 0;
}

}  // namespace shoal
