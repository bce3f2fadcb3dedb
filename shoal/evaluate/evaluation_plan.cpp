#include "shoal/evaluate/evaluation_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "shoal/job/method_params.h"
#include "shoal/learn/learner.h"
#include "shoal/nearest_word.h"

namespace shoal {
namespace {

// What the readings asked for come to for this shape, each once, in order.
std::vector<Reading> readings_of(Shape shape, const EvaluateSettings& settings) {
  std::vector<Reading> readings;
  for (Reading reading : settings.readings) {
    if (shape == Shape::levels || shape == Shape::cut) {
      if (reading == Reading::mapped) reading = Reading::values;
    } else if (reading == Reading::values || shape != Shape::groups || settings.protocol == Protocol::joint) {
      reading = Reading::ranges;
    }
    if (std::find(readings.begin(), readings.end(), reading) == readings.end()) readings.push_back(reading);
  }
  return readings;
}

}  // namespace

void check_settings(const Job& job, const EvaluateSettings& settings) {
  check_columns(job);
  if (std::none_of(job.columns.begin(), job.columns.end(),
                   [](const ColumnJob& column) { return column.role == Role::target; })) {
    throw Error(ErrorKind::job, "no target; say which column learners are to predict", Advice{Setting::target});
  }
  if (settings.methods.empty())
    throw Error(ErrorKind::job, "no method to evaluate; name at least one", Advice{Setting::methods});
  if (settings.learners.empty())
    throw Error(ErrorKind::job, "no learner; name at least one", Advice{Setting::learners});
  std::vector<std::string> names;
  for (const LearnerEntry& entry : learners()) names.push_back(entry.name);
  for (const std::string& name : settings.learners) {
    if (!find_learner(name)) {
      throw Error(ErrorKind::job, fmt::format("unknown learner '{}'{}; there are {}", name, did_you_mean(name, names),
                                              fmt::join(names, ", ")));
    }
  }
  if (settings.readings.empty()) throw Error(ErrorKind::job, "no reading; name at least one");
  if (settings.test.empty() && !settings.five_by_two && settings.folds < 2) {
    throw Error(ErrorKind::job, "at least 2 folds are needed");
  }
}

std::vector<EvaluationSetup> plan_setups(const Job& job, const EvaluateSettings& settings) {
  std::vector<const MethodEntry*> entries;
  for (const std::string& name : settings.methods) {
    Job one = job;
    one.method = name;
    one.params.clear();
    one.k = 1;
    const MethodEntry* entry = find_method(name);
    if (!entry) check_job(one);  // says so, with a suggestion
    entries.push_back(entry);
  }
  std::vector<uint64_t> ks = settings.ks;
  if (ks.empty() && job.k) ks.push_back(*job.k);
  // Requirements over some of the columns alone: nothing is asked over all of them. The largest k stands for the set.
  const bool by_requirements = ks.empty() && !job.requirements.empty();
  if (by_requirements) {
    const auto largest = std::max_element(job.requirements.begin(), job.requirements.end(),
                                          [](const auto& a, const auto& b) { return a.k < b.k; });
    ks.push_back(largest->k);
  }
  if (ks.empty()) throw Error(ErrorKind::job, "no k to evaluate with; give one or several", Advice{Setting::ks});
  std::vector<EvaluationSetup> setups;
  for (uint64_t k : ks) {
    for (const MethodEntry* entry : entries) {
      EvaluationSetup setup{.k = k, .method = entry, .job = job};
      if (!by_requirements) setup.job.k = k;
      setup.job.threads = 1;  // folds run side by side
      setup.job.method = entry->name;
      setup.job.params = params_for(job, *entry, entries);
      // A limit on dropped rows is for those that drop any.
      if (!entry->drops_rows) setup.job.suppress_rows.reset();
      check_job(setup.job);
      setup.readings = readings_of(entry->shape, settings);
      if (!setups.empty()) setup.first_variant = setups.back().first_variant + setups.back().readings.size();
      setup.group_majority =
          (entry->shape == Shape::groups || entry->shape == Shape::regions) &&
          settings.protocol == Protocol::train_only &&
          std::find(settings.readings.begin(), settings.readings.end(), Reading::mapped) != settings.readings.end();
      setups.push_back(std::move(setup));
    }
  }
  return setups;
}

std::vector<FoldSplit> plan_splits(const EvaluationTable& table, const EvaluateSettings& settings, uint64_t seed) {
  if (!settings.test.empty()) {
    FoldSplit split;
    split.train.resize(table.training_rows());
    std::iota(split.train.begin(), split.train.end(), uint32_t{0});
    split.test.resize(table.rows() - table.training_rows());
    std::iota(split.test.begin(), split.test.end(), static_cast<uint32_t>(table.training_rows()));
    return {std::move(split)};
  }
  return settings.five_by_two ? five_by_two(table.class_of(), seed) : k_fold(table.class_of(), settings.folds, seed);
}

}  // namespace shoal
