// What a run did, as plain data. release_document.h makes a document of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/examine/finding.h"
#include "shoal/job/job.h"
#include "shoal/measure/measures.h"
#include "shoal/measure/model_values.h"
#include "shoal/measure/risk.h"
#include "shoal/method/method.h"
#include "shoal/recode/recoding.h"
#include "shoal/verify/verify.h"

namespace shoal {

enum class Status {
  released,             // written and verified
  unsatisfied,          // no recoding satisfies the requirements; `reason` says which and why
  verification_failed,  // nothing was left on disk
  finding,              // a finding stands in the way; nothing was released
};
std::string to_string(Status status);

struct RequirementReport {
  std::vector<std::string> columns;
  uint64_t k = 0;
  uint64_t min_group = 0;  // smallest group of the release
  bool ok = false;
  // The models that it asks for, persons among them: what groups have of them in the input and in the release.
  std::vector<ModelValues> models_before = {}, models = {};
};

// How often each value of a sensitive column occurs in the input: what models compare with. Never for the public.
struct Distribution {
  std::string column;
  std::vector<std::string> values;
  std::vector<uint64_t> rows;
};

// A column of the input, whatever became of it.
struct ColumnRole {
  std::string name;
  Role role = Role::none;
};

// How many rows are in groups of so many rows.
inline constexpr std::array<const char*, 8> kGroupSizeWords{"1 row",    "2 to 4",   "5 to 9",     "10 to 19",
                                                            "20 to 49", "50 to 99", "100 to 999", "1,000 or more"};
using RowsByGroupSize = std::array<uint64_t, kGroupSizeWords.size()>;

// A value of a column, or several together, with its share of the rows before and after; what a released range or node
// covers is spread evenly over the values in it. Never for the public.
struct ValueShare {
  std::string value;
  double before = 0, after = 0;
};

// One quasi column: how it was treated and what it lost.
struct ColumnReport {
  std::string name;
  std::string type;                        // numeric, categorical
  std::string hierarchy;                   // file, builder, or "flat"
  std::string ranges;                      // numeric: tight, snapped or nodes; "" where no range was released
  uint64_t values_in = 0, values_out = 0;  // distinct
  double gcp = 0;                          // of this column alone
  std::optional<int> level, height;        // levels recodings
  // Of the pairs (with repetition) of somebody's value and a cell, those where the cell cannot be that value.
  double told_apart_before = 0, told_apart = 0;
  std::vector<ValueShare> shares = {};  // a few at most, in the column's order
  double shares_moved = 0;  // of the rows: half the sum of the differences of all values, not only of `shares`
};

struct Timings {  // seconds of wall clock
  double read = 0, encode = 0, search = 0, recode = 0, write = 0, verify = 0, total = 0, findings = 0;
  double processor_search = 0, processor_findings = 0, processor_total = 0;  // seconds of the processor, of all threads
};

struct Hashes {  // SHA-256, hexadecimal
  std::string input, output, job;
};

struct Report {
  Status status = Status::unsatisfied;
  std::string reason;  // like `notices` and the search's details: columns, counts and names, never values of the table
  std::string input, output;
  std::string method;
  Shape shape = Shape::levels;
  Params params;
  uint64_t seed = 1;
  int threads = 1;
  uint64_t rows_in = 0, rows_out = 0, rows_dropped = 0, cells_suppressed = 0;
  std::vector<RequirementReport> requirements;
  std::vector<ColumnRole> input_columns;  // all of them, in the input's order
  std::vector<ColumnReport> columns;      // quasi
  uint64_t groups = 0;
  RowsByGroupSize group_sizes_before{}, group_sizes{};  // over all quasi columns
  Measures measures;
  Risk risk_before, risk;
  PrivacyValues privacy_before, privacy;    // over all quasi columns
  std::vector<Distribution> distributions;  // of columns that models are about
  SearchStats search;
  Timings timings;
  uint64_t peak_memory_bytes = 0;
  Hashes hashes;
  std::string job;  // as a job file that makes the same release of the same input; it may quote values
  Verification verification;
  std::optional<std::vector<Finding>> findings;  // not there: nobody looked for any
  std::vector<std::string> notices;
  std::vector<std::string> data_notices;  // those that quote values of the table or of a hierarchy
};

}  // namespace shoal
