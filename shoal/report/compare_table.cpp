#include "shoal/report/compare_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/encode/sampled_table.h"
#include "shoal/error.h"
#include "shoal/evaluate/evaluation_plan.h"

namespace shoal {
namespace {

bool has_target(const Job& job) {
  return std::any_of(job.columns.begin(), job.columns.end(),
                     [](const ColumnJob& column) { return column.role == Role::target; });
}

// Methods and k that had an answer everywhere; learners train on parts, which are smaller, so that one of them may
// still have none there.
EvaluateSettings learners_settings(const MethodComparison& comparison, const CompareTableSettings& settings) {
  EvaluateSettings evaluate;
  evaluate.learners = settings.learners;
  evaluate.five_by_two = false;
  evaluate.folds = settings.folds;
  for (const ComparedRun& run : comparison.runs) {
    const bool always = std::all_of(comparison.runs.begin(), comparison.runs.end(), [&](const ComparedRun& other) {
      return other.method != run.method || other.done();
    });
    const auto known = std::find(evaluate.methods.begin(), evaluate.methods.end(), run.method);
    if (always && known == evaluate.methods.end()) evaluate.methods.push_back(run.method);
    if (run.k && std::find(evaluate.ks.begin(), evaluate.ks.end(), *run.k) == evaluate.ks.end()) {
      evaluate.ks.push_back(*run.k);
    }
  }
  return evaluate;
}

void add_learners(const Job& job, const CompareTableSettings& settings, TableSource& source, Progress& progress,
                  ComparisonReport& report) {
  MethodComparison& comparison = report.comparison;
  const EvaluateSettings evaluation = learners_settings(comparison, settings);
  if (evaluation.methods.empty()) return;
  if (evaluation.ks.empty()) {
    report.notices.emplace_back("learners' errors are measured with a k over all quasi columns, and the job has none");
    return;
  }
  Job of_methods = job;  // params of methods that are left out belong to nobody
  of_methods.params.clear();
  for (const ComparedRun& run : comparison.runs) {
    for (const auto& [name, value] : run.params) {
      if (std::find(evaluation.methods.begin(), evaluation.methods.end(), run.method) != evaluation.methods.end()) {
        of_methods.params[run.method + "." + name] = value;
      }
    }
  }
  try {
    if (comparison.sample.empty()) {
      report.learners = evaluate(of_methods, evaluation, source, nullptr, progress);
    } else {
      SampledTable sampled(source, comparison.sample);
      report.learners = evaluate(of_methods, evaluation, sampled, nullptr, progress);
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) {
      report.notices.emplace_back("interrupted before the learners' errors were measured");
    } else {
      report.notices.push_back(fmt::format("learners' errors were not measured: {}", error.what()));
    }
  }
}

}  // namespace

ComparisonReport compare_table(const Job& job, const CompareTableSettings& settings, TableSource& source,
                               Progress& progress, const std::function<void(const ComparedRun&)>& told) {
  const bool learn = has_target(job) && !settings.learners.empty();
  if (learn) {  // names are told before the work
    EvaluateSettings named;
    named.methods = {"any"};
    named.learners = settings.learners;
    named.five_by_two = false;
    named.folds = settings.folds;
    check_settings(job, named);
  }
  ComparisonReport report;
  report.comparison = compare_methods(job, settings.compare, source, progress, told);
  if (learn && !report.comparison.interrupted) add_learners(job, settings, source, progress, report);
  report.recommendation =
      recommend(report.comparison, report.learners ? mean_errors(*report.learners) : std::vector<MethodError>{});
  for (const ComparedRun& run : report.comparison.runs) {
    for (const std::string& notice : run.notices) {
      report.notices.push_back(fmt::format("{}{}: {}", run.method, run.k ? fmt::format(" k={}", *run.k) : "", notice));
    }
  }
  return report;
}

}  // namespace shoal
