// Methods side by side on one table, in memory: what each would lose, what risk would stay, how long it takes. Nothing
// is released or verified (docs/compare.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/measure/measures.h"
#include "shoal/measure/model_values.h"
#include "shoal/measure/risk.h"
#include "shoal/method/method.h"
#include "shoal/run/progress.h"

namespace shoal {

struct CompareSettings {
  std::vector<std::string>
      methods{};               // by name; empty: default_methods(). Params named "method.param" are for that method
  std::vector<uint64_t> ks{};  // over all quasi columns, in place of the job's k; empty: default_ks()
  std::optional<uint64_t> sample{};  // run on so many rows, drawn by the job's seed; nothing: on all
};

// What the loss on all rows will be, from a sample: that on the sample carried on along the line through the losses of
// the sample and of its halves (docs/compare.md says how good that is).
struct WholeLoss {
  double gcp = 0;
  double margin = 0;  // the sample's part in its error: two standard deviations
};

// One method with one k.
struct ComparedRun {
  std::string method;
  Shape shape = Shape::groups;
  std::optional<uint64_t> k{};  // over all quasi columns; nothing: the job asks by other requirements alone
  std::string refused{};        // why there is no release; what follows is empty then. "": there is one
  Params params{};              // complete
  uint64_t rows_dropped = 0;
  Measures measures{};
  Risk risk{};
  PrivacyValues privacy{};  // models of sensitive columns, persons; over all quasi columns
  double seconds = 0;       // of the search, wall clock
  // No release with these requirements has a smaller GCP, whatever the method: from the method that knows such a bound,
  // for all of the same k. Nothing where nobody does, or where it does not hold (a few rows dropped).
  std::optional<double> bound{};
  bool best_possible = false;        // proven: no release has a smaller GCP
  std::optional<WholeLoss> whole{};  // where a sample was run
  std::vector<std::string> notices{};

  bool done() const { return refused.empty(); }
  // The highest risk of a row, or of a person where the table says who that is.
  double highest_risk() const { return privacy.persons ? privacy.persons->prosecutor_max : risk.prosecutor_max; }
};

struct MethodComparison {
  std::string input;
  std::vector<std::string> quasi;
  uint64_t rows = 0, compared_rows = 0;  // of the table, and of what was run
  std::vector<uint32_t> sample{};        // the rows that were run, where these are not all
  uint64_t seed = 1;
  Risk risk_before{};               // of the rows that were run
  std::vector<ComparedRun> runs{};  // by k, methods in the order asked for; up to the interruption
  size_t planned = 0;               // runs
  bool interrupted = false;
};

// A method of each kind that takes any job and is quick, those for classification where there is a target, and the one
// that the job names.
std::vector<std::string> default_methods(const Job& job);
// The job's own k; 2, 5 and 10 where it has none and no other requirement either; else none: as the job asks.
std::vector<uint64_t> default_ks(const Job& job);
// The question that a run answered: the job with its method, params and k.
Job job_of(const Job& job, const ComparedRun& run);

// Runs every method with every k, one after the other, each on job.threads. The job's models, further requirements,
// hierarchies (at hand), weights, ranges, seed and time_budget (for each search) count; suppress_rows for the methods
// that can drop rows. A method that cannot do what is asked is a run with its reason. `told`, where given, is called
// with every run when it is done.
//
// Interrupted before the first run it throws Error(cancelled); later it answers with what is done so far. Throws
// Error(job) for mistakes that are not a method's: unknown names, no quasi column, a sample smaller than 2 rows.
MethodComparison compare_methods(const Job& job, const CompareSettings& settings, TableSource& source,
                                 Progress& progress, const std::function<void(const ComparedRun&)>& told = {});

// ---- which one to take ----

// What learners lose with a method's release, for the recommendation.
struct MethodError {
  std::string method;
  uint64_t k = 0;
  double error = 0, margin = 0;  // mean over the learners; half its 95 % interval
};

struct Recommendation {
  size_t run = 0;  // in MethodComparison::runs
  std::string reason;
};

// Nothing when no run has a release. The rule, which `reason` repeats with its numbers:
//  1. Of several k the smallest with which all methods keep the highest risk at `acceptable_risk` or below; where
//     there is none, the largest.
//  2. Where learners' errors are known: methods whose error is within the margin of the least.
//  3. Of these the least GCP; the first of equals. Methods that release a model in place of a table are left out.
std::optional<Recommendation> recommend(const MethodComparison& comparison, const std::vector<MethodError>& errors = {},
                                        double acceptable_risk = kRiskThreshold);

}  // namespace shoal
