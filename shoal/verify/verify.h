// A second opinion on a release. Shares no grouping or counting code with the engine, and knows no method: it is given
// the promise and reads the cells as they were released.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/run/progress.h"
#include "shoal/verify/promise.h"
#include "shoal/verify/promise_sql.h"
#include "shoal/verify/sql_engine.h"

namespace shoal {

enum class CheckResult { passed, failed, not_checked };
std::string to_string(CheckResult result);  // "passed", "failed", "not checked"

struct VerificationCheck {
  std::string name;  // "columns", "requirement (age, sex) k=5", "rows", "coverage", "means"
  CheckResult result = CheckResult::not_checked;
  std::string detail;        // what was found, or why it was not checked; holds no cells
  std::string culprit = {};  // the cells that failed, for those who may see the original; never for a public output
  bool ok() const { return result == CheckResult::passed; }
};

struct Verification {
  std::vector<VerificationCheck> checks;
  std::vector<uint64_t> smallest_groups;  // for each requirement of the promise, in order; empty when not counted
  // The release keeps its promise. What was not checked is not ok.
  bool ok() const {
    return !checks.empty() &&
           std::all_of(checks.begin(), checks.end(), [](const VerificationCheck& check) { return check.ok(); });
  }
};

// The release, as this process reads it and as the engine that counts its groups does.
struct ReleaseToVerify {
  TableSource& table;
  SqlEngine& engine;
  SqlNames names;
  TableSource* population = nullptr;  // the people that the original was taken from; nullptr: not at hand
};

// The table that was released, and what is known about which of its rows stand where in the release.
struct OriginalToVerify {
  TableSource& table;
  // The original's row number of each released row, in any order, from whoever made the release; nullptr: not known.
  const std::vector<uint32_t>* row_of_release = nullptr;
  // The release is read in the original's order: each row is compared with the one beside it, and nothing else is
  // tried.
  bool row_by_row = false;
  // Row by row: which rows of the original were released, from whoever made the release; nullptr: all.
  const std::vector<bool>* kept = nullptr;
  // For how many rows each row of the original stands, and the released one that stands for it (Table::times); empty:
  // for itself. Requires row_of_release, an engine that knows (SqlNames::times), and no means.
  std::span<const uint32_t> times = {};
};

// Checks, in this order; where the first fails the others are left out:
//  columns      every promised column is in the release, no hidden one, and no other
//  requirement  one check for each: SQL counts no group below k
//               then one for each model: SQL finds no group that breaks it; not checked where it compares with the
//               whole input and that is not at hand
//               then one for persons: SQL counts different persons, each of them taken from the original row that a
//               released row stands for (row_of_release; else row by row where all rows are there in order; else a
//               pairing is looked for in which every group has enough, and it is not checked if none is found)
//               then one for each model of the population: SQL counts the people that every released tuple fits; not
//               checked where the population is not at hand
//  rows         (with the original) some row is released, none too many, and no more are missing than may be
//  coverage     (with the original) every released row stands for an original row of its own: each recoded cell covers
//               the original's cell (the same text, a range or node that it lies in, or `*`), each other cell is the
//               same text. With row_of_release exactly these pairs are looked at. Without, rows are paired in order
//               and, where that fails, as sets; what is too large to decide then is not checked
//  means        (with the original, where the promise has means) every released number is the mean of the originals of
//               the rows that look like it, rounded as printed; not checked where it is not known who these are
// Counting and comparing run side by side when `side_by_side`: the engine is then used by another thread than the
// tables. Memory: one code per row and compared column where rows are not paired in order, else little. Throws
// Error(input) for tables that cannot be read, Error(cancelled).
Verification verify(const Promise& promise, const ReleaseToVerify& release, const OriginalToVerify* original,
                    bool side_by_side, const Progress& progress);

}  // namespace shoal
