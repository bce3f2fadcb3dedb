// Looking at tables without anonymizing them: risks of an input, measures of a release, values of a column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/examine/finding.h"
#include "shoal/examine/match_release.h"
#include "shoal/job/job.h"
#include "shoal/measure/measures.h"
#include "shoal/measure/model_values.h"
#include "shoal/measure/population_risk.h"
#include "shoal/measure/query_error.h"
#include "shoal/measure/risk.h"
#include "shoal/measure/suda.h"
#include "shoal/recode/recoding.h"
#include "shoal/run/progress.h"

namespace shoal {

// Random queries to ask of a release (docs/measures.md, "Query error").
struct QueryWorkload {
  uint64_t queries = 1000;           // whose exact answer is not 0; others are drawn again
  std::vector<std::string> columns;  // quasi columns with conditions; empty: all
  std::string sum;                   // a numeric quasi column to add up in SUM queries (no condition there); "": no SUM
  uint64_t seed = 1;
};

// The models that a requirement of the job asks for, by name, as they stand: before and after.
struct RequirementValues {
  std::vector<std::string> columns;
  uint64_t k = 0;
  std::vector<ModelValues> before, after;
};

// Every measure, the risks and every model's value of an existing release.
struct MeasureReport {
  Measures measures;
  Risk risk;
  PrivacyValues privacy_before, privacy;  // over all quasi columns
  std::vector<RequirementValues> requirements;
  uint64_t rows_in = 0, rows_out = 0;
  std::optional<QueryErrors> query_errors;  // when a workload was given
};
MeasureReport measure_release(const Job& job, const MatchedRelease& matched, Progress& progress);

// The same tables as they stand, with the people that the original was taken from (nullptr: not known).
struct MeasuredTables {
  TableSource& original;
  TableSource& release;
  TableSource* population = nullptr;
};
// Adds what the job's models of the population have, before and after, to a report of the same job. The hierarchies of
// quasi columns must be at hand. Throws Error(job) where there is no population.
void measure_population(const Job& job, const MeasuredTables& tables, MeasureReport& report, Progress& progress);

struct RiskSettings {
  double threshold = kRiskThreshold;
  // The table is a sample: of so many people, or with a column that says for how many people of the population a row
  // stands. One of them at most.
  std::optional<uint64_t> population_size;
  std::string weight_column;
  // Or of these people: a table with all quasi columns, whose hierarchies must be at hand. nullptr: none.
  TableSource* population = nullptr;
  bool suda = false;  // also SUDA2 scores
};

// A table beside the people it was taken from: k-map and delta-presence over all quasi columns.
struct PopulationCounts {
  uint64_t people = 0;                           // of the population
  uint64_t fewest = 0;                           // that some row's cells fit: k-map holds for k up to this
  double smallest_share = 0, largest_share = 0;  // rows / people that fit, by group: delta-presence; infinite: nobody
};

// Groups, uniques and risks of a table as it stands: over all quasi columns, then per requirement.
struct RiskReport {
  uint64_t rows = 0;
  Risk all_quasi;
  PrivacyValues privacy;                     // over all quasi columns
  std::optional<PopulationRisk> population;  // where the table is a sample
  std::optional<PopulationCounts> population_counts;
  std::optional<SudaScores> suda;  // where asked for
  struct PerRequirement {
    std::vector<std::string> columns;
    uint64_t k = 0;
    Risk risk;
    uint64_t rows_below_k = 0;
    std::vector<ModelValues> models;  // those that it asks for
  };
  std::vector<PerRequirement> requirements;
  std::vector<Finding> findings;  // about the table as it stands
};
// The hierarchies of sensitive columns must be at hand. A person column that the table does not have (a release has it
// no more) is left out. Throws Error(job) for a model that needs the population where there is none, a
// population smaller than the table or an unknown column of weights, Error(input) for a weight that is no number of at
// least 1.
RiskReport risk_report(const Job& job, TableSource& source, const RiskSettings& settings, Progress& progress);

// The job for a look at a table as it stands: without hierarchies, and without hidden columns that are not there.
Job as_it_stands(const Job& job, const TableSource& source);

// The values of one column of a table, with counts, in order of first appearance: what hierarchy builders and checks
// need. Missing cells are left out.
struct ValueCounts {
  std::vector<std::string> values;
  std::vector<uint64_t> counts;
};
ValueCounts column_values(const Job& job, TableSource& source, const std::string& column, Progress& progress);

}  // namespace shoal
