// From a table in memory to a verified release in memory: no files anywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/recode/recoding.h"
#include "shoal/release/arrow_columns.h"
#include "shoal/release/tables_beside.h"
#include "shoal/report/report.h"
#include "shoal/run/progress.h"
#include "shoal/verify/sql_engine.h"

namespace shoal {

struct Release {
  Report report;
  // What follows is there only when report.status is `released`: nothing unverified leaves. Where rows stand for
  // several (TablesBeside::times) there is one row for these here, and the report counts all of them.
  ArrowColumns table;                // recoded columns as dictionaries of texts; others with the type they came with
  std::vector<std::string> columns;  // their names
  // The original row of each released one, in the order of `table`; for use inside the process only.
  std::vector<uint32_t> row_of_release;
  std::optional<Recoding> recoding;
  Encoding encoding;  // in whose terms the recoding speaks
  Table original;     // the quasi columns as they were, and nothing else: codes of the encoding's leaves
  std::vector<std::pair<size_t, Tree>> grown_trees = {};  // interval trees grown by the search, by quasi column
};

// Checks the job, searches, recodes, and has the release verified as it is given out: groups counted by `engine`, every
// cell compared with its original. The job's hierarchies must be at hand (trees or builders, no files that were not
// read). Throws Error for what the user got wrong; "no solution" and "verification failed" are results.
// A finding that stands in the way and is not accepted ends with Status::finding.
Release anonymize(const Job& job, TableSource& source, const SecondEngine& engine, Progress& progress,
                  const TablesBeside& beside = {});

}  // namespace shoal
