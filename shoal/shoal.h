// The whole public face of the engine. Every door (command line, Python, web, Spark) goes through these functions.
//
// All throw Error for what the user got wrong, and Error(cancelled) when Progress says so; none prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/job.h"
#include "shoal/progress.h"
#include "shoal/report/report.h"

namespace shoal {

// Reads, searches, recodes, writes to a temporary file, verifies it, and only then renames it to job.output. When
// anything fails nothing new is on disk and an existing output is untouched. Also writes job.json and job.recoding.
Report anonymize(const Job& job, Progress& progress);

// Rows with a re-identification risk above this are counted in reports, unless asked otherwise.
inline constexpr double kRiskThreshold = 0.2;

// Random queries to ask of a release (docs/measures.md, "Query error").
struct QueryWorkload {
  uint64_t queries = 1000;           // whose exact answer is not 0; others are drawn again
  std::vector<std::string> columns;  // quasi columns with conditions; empty: all
  std::string sum;                   // a numeric quasi column to add up in SUM queries (no condition there); "": no SUM
  uint64_t seed = 1;
};

// Every measure and the risks of an existing release of job.input.
struct MeasureReport {
  Measures measures;
  Risk risk;
  uint64_t rows_in = 0, rows_out = 0;
  std::optional<QueryErrors> query_errors;  // when a workload was given
};
MeasureReport measure_release(const Job& job, const std::string& release, Progress& progress,
                              const std::optional<QueryWorkload>& workload = std::nullopt);

// Groups, uniques and risks of job.input as it stands: over all quasi columns, then per requirement.
struct RiskReport {
  uint64_t rows = 0;
  Risk all_quasi;
  struct PerRequirement {
    std::vector<std::string> columns;
    uint64_t k = 0;
    Risk risk;
    uint64_t rows_below_k = 0;
  };
  std::vector<PerRequirement> requirements;
};
RiskReport risk_report(const Job& job, double threshold, Progress& progress);

// Recodes new rows (job.input to job.output) by a recoding that anonymize() wrote: columns it recodes are replaced, its
// identifiers are left out, all others stay. For levels and cut recodings; Error(job) for others. A number not seen
// before is released like the nearest interval, an unknown category as `*`. New rows are NOT promised any k.
struct ApplyReport {
  uint64_t rows = 0;
  struct PerColumn {
    std::string name;
    uint64_t unseen_values = 0, unseen_rows = 0;
  };
  std::vector<PerColumn> columns;  // the recoded ones
};
ApplyReport apply_recoding(const Job& job, const std::string& recoding_file, Progress& progress);

// The values of one column of a table, with counts, in order of first appearance: what hierarchy builders and checks
// need. Missing cells are left out.
struct ValueCounts {
  std::vector<std::string> values;
  std::vector<uint64_t> counts;
};
ValueCounts column_values(const Job& job, const std::string& column, Progress& progress);

}  // namespace shoal
