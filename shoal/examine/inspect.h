// Looking at a table nobody has said anything about: what each column is, which role it should have and why, what its
// hierarchy could be, which columns single people out, and a job to begin with (docs/inspect.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/examine/finding.h"
#include "shoal/examine/singling_out.h"
#include "shoal/job/job.h"
#include "shoal/run/progress.h"

namespace shoal {

struct InspectSettings {
  std::vector<std::string> missing = {};  // texts that mean "missing", besides those that are found
  uint64_t k = 5;                         // of the suggested requirement
  int threads = 0;                        // 0: all cores; the answer is the same with any number
  uint64_t seed = 1;                      // of the sample
  bool findings = true;                   // also look for findings, which takes another reading of the table
};

struct ColumnInspection {
  std::string name;
  std::string type;                   // in words: "whole number", "date DD.MM.YYYY", "code", "free text"
  uint64_t distinct = 0;              // values, missing ones left out
  uint64_t missing = 0;               // rows
  uint64_t unique = 0;                // rows whose value no other row has
  double separation = 0;              // share of the pairs of rows that differ in the column
  std::vector<std::string> examples;  // cells: for those who asked for them
  Role role = Role::none;             // suggested; none: leave it out
  std::string reason;                 // in words and numbers
  bool careful = false;               // nothing speaks for the role: to be looked at first
  std::string hierarchy;              // of quasi columns, in words: "intervals of width 5"
  std::vector<std::string> values;    // of quasi columns whose hierarchy a person may want to edit as a file
  std::vector<uint64_t> counts;       // rows of each
};

// A k, and where it comes from.
struct PresetK {
  uint64_t k;
  const char* source;
};
inline constexpr PresetK kPresets[] = {
    {5, "a risk of at most 0.2 for every row: the old rule of custodians of health data, for recipients who are known"},
    {11,
     "at most 0.09: what the European Medicines Agency asks of published clinical reports, and the smallest count that "
     "the US Medicare agency lets be shown"},
    {20, "at most 0.05: used for patients' data that anybody can get, or where harm would be great"},
};

struct Inspection {
  uint64_t rows = 0;
  uint64_t sampled = 0;  // rows that pairs and sets of columns were compared on
  std::vector<ColumnInspection> columns;
  std::vector<SinglingSet> sets;           // of quasi columns
  std::vector<std::string> missing;        // texts taken for "missing", besides the empty cell
  std::vector<std::string> comma_columns;  // numbers written with a decimal comma
  bool point_thousands = false;            // ... and points between thousands
  std::vector<Finding> findings;
  // A job that runs as it is: roles, types, builders, missing texts and k. Not there when no column could be quasi.
  std::optional<Job> job;
};

// Throws Error(input) as the source does. Cost: three readings of the table, one with all columns; seconds for
// 1,000,000 rows of 50 columns. Memory: see profile_table; findings hold the codes of all columns.
Inspection inspect(TableSource& source, const InspectSettings& settings, Progress& progress);

}  // namespace shoal
