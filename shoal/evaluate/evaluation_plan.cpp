#include "shoal/evaluate/evaluation_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "shoal/learn/learner.h"
#include "shoal/nearest_word.h"

namespace shoal {
namespace {

Params params_for(const Job& job, const MethodEntry& method, std::span<const MethodEntry* const> all) {
  Params params = complete({}, method.parameters);
  for (const auto& [name, value] : job.params) {
    const size_t dot = name.find('.');
    const std::string owner = dot == std::string::npos ? "" : name.substr(0, dot);
    const std::string setting = dot == std::string::npos ? name : name.substr(dot + 1);
    auto has = [&](const MethodEntry* entry) {
      return (owner.empty() || owner == entry->name) &&
             std::any_of(entry->parameters.begin(), entry->parameters.end(),
                         [&](const Parameter& parameter) { return parameter.name == setting; });
    };
    if (std::none_of(all.begin(), all.end(), has)) {
      throw Error(ErrorKind::job, fmt::format("param '{}' belongs to none of the methods asked for; name it as "
                                              "METHOD.NAME=VALUE or see `shoal methods NAME`",
                                              name));
    }
    if (has(&method)) params[setting] = value;
  }
  return params;
}

}  // namespace

void check_settings(const Job& job, const EvaluateSettings& settings) {
  check_columns(job);
  if (std::none_of(job.columns.begin(), job.columns.end(),
                   [](const ColumnJob& column) { return column.role == Role::target; })) {
    throw Error(ErrorKind::job, "no target: say which column learners are to predict, as in --target income");
  }
  if (settings.methods.empty()) throw Error(ErrorKind::job, "no method to evaluate; give --methods kactus,tdr");
  if (settings.learners.empty()) throw Error(ErrorKind::job, "no learner; give --learners c45,nb");
  std::vector<std::string> names;
  for (const LearnerEntry& entry : learners()) names.push_back(entry.name);
  for (const std::string& name : settings.learners) {
    if (!find_learner(name)) {
      throw Error(ErrorKind::job, fmt::format("unknown learner '{}'{}; there are {}", name, did_you_mean(name, names),
                                              fmt::join(names, ", ")));
    }
  }
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
  if (ks.empty()) throw Error(ErrorKind::job, "no k to evaluate with; give --k 10 or a list, --k 10,50,100");
  std::vector<EvaluationSetup> setups;
  for (uint64_t k : ks) {
    for (const MethodEntry* entry : entries) {
      EvaluationSetup setup{k, entry, job};
      setup.job.k = k;
      setup.job.method = entry->name;
      setup.job.params = params_for(job, *entry, entries);
      // A limit on dropped rows is for those that drop any.
      if (!entry->drops_rows) setup.job.suppress_rows.reset();
      check_job(setup.job);
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
