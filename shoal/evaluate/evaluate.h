// What anonymization costs a learner: errors on rows that were not trained on, raw, anonymized, and without the quasi
// columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/learn/significance.h"
#include "shoal/run/progress.h"

namespace shoal {

enum class Protocol {
  joint,       // all rows are anonymized together, then split: both sides are released rows
  train_only,  // only the rows trained on are anonymized; the others go through the recoding where there is one (shapes
               // levels, cut, regions) and stay as they are where there is none (groups)
};
std::string to_string(Protocol protocol);

// How learners read released cells.
enum class Reading {
  values,  // levels, cut: every released text of a recoded column, intervals and `*` included, is a category of its
           // own, as the authors of top-down refinement do. Other shapes: as `ranges`.
  ranges,  // a cell stands for what it covers; `*` says nothing. Test rows of groups are as collected.
  mapped,  // test rows of groups take the cells of the tightest group that covers them (nearest_groups). Regions are
           // mapped anyway; other shapes: as `values`.
};
std::string to_string(Reading reading);
// Throws Error(job), with what can be said.
Reading reading_named(const std::string& name);

struct EvaluateSettings {
  std::vector<std::string> methods;   // by name; params named "method.param" are for that method only
  std::vector<std::string> learners;  // by name
  std::vector<uint64_t> ks;           // over all quasi columns; replaces the job's k. None of either: the job's
                                      // requirements alone
  Protocol protocol = Protocol::train_only;
  std::string test{};                              // name of the table with the rows to test on; "": cross-validation
  size_t folds = 10;                               // of cross-validation
  bool five_by_two = true;                         // five times two folds instead
  std::vector<Reading> readings{Reading::values};  // each where it differs from those before it
};

// Errors of one learner on one kind of data. Shares of rows in [0,1].
struct ErrorSummary {
  double error = 0;  // wrong rows / tested rows, over all folds
  ErrorInterval interval;
  std::vector<double> folds;  // five by two: repetition i has folds 2i, 2i + 1
};

// The learner of cells that ask no learner: every test row is given the most frequent class of the group it is mapped
// to. Where test rows are mapped, flexible learners come to nearly that, so it stands beside them.
constexpr const char* kGroupMajority = "group";

struct EvaluationCell {
  uint64_t k = 0;
  std::string learner{};  // "c45" for a method that releases a tree of its own
  std::string method{};
  ErrorSummary anonymized{};
  Reading reading = Reading::values;                            // what it came to
  std::optional<ErrorDifference> above_raw{}, above_without{};  // nothing for kGroupMajority
  ErrorDifference above_majority{};                             // the most frequent class of the training rows
  std::optional<ErrorDifference> above_first{};                 // the first method of the list, same k and learner
  std::optional<FTest> against_raw{};                           // five by two only
  std::optional<FTest> against_first{};  // five by two only; the first method of the list, same k and learner
  double search_seconds = 0;             // of all folds
  uint64_t rows_dropped = 0;             // of all folds' training rows
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
  ErrorSummary majority;              // always the most frequent class of the training rows
  std::vector<EvaluationCell> cells;  // by k, learner, method, reading; kGroupMajority after the learners
  std::vector<std::string> notices;
};

// Runs every method with every k and learner. Methods search on one thread each, folds run side by side on job.threads;
// the answer does not depend on their number. The job's weights, hierarchies, seed, suppress_rows and time_budget (per
// search) count. `test`: rows to test on, of which settings.test is the name; nullptr: cross-validation. Throws
// Error(job) for unknown names, a missing target, a k that a training part cannot meet.
Evaluation evaluate(const Job& job, const EvaluateSettings& settings, TableSource& source, TableSource* test,
                    Progress& progress);

// Worse than leaving all quasi columns out, or than learning nothing: the whole interval of the difference is above 0.
bool worse_than_without(const EvaluationCell& cell);
bool worse_than_majority(const EvaluationCell& cell);

// "kactus" for the first reading of a method, "kactus mapped" for others.
std::string column_name(const Evaluation& evaluation, const EvaluationCell& cell);

// Methods compared over many tables. A set is a combination of table, quasi columns, k and learner; sets of one table
// depend on each other, so that a table is one block of the tests: its mean over its sets.
struct Comparison {
  struct Line {
    std::string learner;                     // "": all of them
    std::vector<double> mean_errors;         // by method: mean over tables
    std::vector<MeanInterval> above_raw;     // the same of AE - BE, with intervals over tables
    std::vector<size_t> worse_than_without;  // sets
    std::optional<FriedmanTest> friedman;    // nothing with fewer than kFewestTables
    double distance = 0;  // of mean ranks, Bonferroni-Dunn at 0.05, the first method being the control
  };
  static constexpr size_t kFewestTables = 5;
  std::vector<std::string> methods;  // by column_name
  size_t sets = 0, tables = 0;
  std::vector<Line> lines;  // all learners together, then each of them where there are several
};
// Methods that every set has, in order of first appearance. Nothing when fewer than two of them, or two sets, are
// there.
std::optional<Comparison> compare(const std::vector<Evaluation>& evaluations);

}  // namespace shoal
