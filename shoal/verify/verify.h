// A second opinion on a release, from the written file: shares no grouping or counting code with the engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/job.h"
#include "shoal/progress.h"

namespace shoal {

struct VerificationCheck {
  std::string name;  // "requirement (age, sex) k=5", "columns", "rows", "coverage"
  bool ok = false;
  std::string detail;  // what was found; on failure the first culprit
};

struct Verification {
  bool ok = false;  // all checks passed, and there was at least one
  std::vector<VerificationCheck> checks;
  std::vector<uint64_t> smallest_groups;  // for each requirement of the job, in order (k over all quasi columns first)
};

// Reads the release (and the original, when given) again from disk and asks DuckDB:
//  columns      no identifier column is in the release, every other column is
//  requirement  GROUP BY ... HAVING count(*) < k finds nothing, for every requirement
//  rows         no more rows than the original; every released row stands for one original row, in order
//  coverage     every released cell covers its original: the same text, a range or node it lies in, or `*`;
//               plain, sensitive and target cells are the same text
//  means        where the job's method releases means: every released number is the mean of the originals of the rows
//               that look like it, rounded as printed
// Rows may have been dropped: released rows are matched to original rows in order, exactly with `row_of_release` (the
// original's row number of each released row). Without it a shuffled release cannot be checked for coverage, nor one
// with dropped rows for means.
Verification verify_release(const Job& job, const std::string& release, const std::optional<std::string>& original,
                            Progress& progress, const std::vector<uint32_t>* row_of_release = nullptr);

}  // namespace shoal
