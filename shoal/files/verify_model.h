// A second opinion on a released decision tree: its rows are counted again, in SQL on the original.
#pragma once

#include <string>

#include "shoal/job/file_job.h"
#include "shoal/read/read_shown_tree.h"
#include "shoal/run/notices.h"
#include "shoal/run/progress.h"
#include "shoal/verify/verify.h"

namespace shoal {

// Turns the tests of a tree, as `anonymize` with a method that releases a model wrote it, into SQL and asks DuckDB
// where every row of the original goes:
//  columns      the tree names quasi columns and the target, nothing else
//  requirement  every leaf that the tree shows has at least k rows (those of the job's one requirement, and those that
//               the tree claims)
//  rows         every row reaches a leaf, and every node shows exactly the rows of each class that were counted there
// The requirement's smallest group is the smallest leaf. Throws Error(job) when the job has no target, or names columns
// that the original does not have. `notices` (if any) are told what was found out about the original by looking.
Verification verify_model(const FileJob& job, const ShownTree& tree, const std::string& original, Progress& progress,
                          Notices* notices = nullptr);

}  // namespace shoal
