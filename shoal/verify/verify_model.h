// A second opinion on a released decision tree: its rows are counted again, in SQL on the original.
#pragma once

#include <optional>
#include <string>

#include "shoal/job.h"
#include "shoal/progress.h"
#include "shoal/verify/shown_tree.h"
#include "shoal/verify/verify.h"

namespace shoal {

// Turns the tests of a tree, as `anonymize` with a method that releases a model wrote it, into SQL and asks DuckDB
// where every row of the original goes:
//  columns      the tree names quasi columns and the target, nothing else
//  requirement  every leaf that the tree shows has at least k rows (the job's one requirement, and what the tree
//  claims) rows         every row reaches a leaf, and every node shows exactly the rows of each class that were counted
//  there
// The requirement's smallest group is the smallest leaf. Throws Error(job) when the job has no target, or names columns
// that the original does not have.
Verification verify_model(const Job& job, const ShownTree& tree, const std::string& original, Progress& progress);

// Any release on disk: a decision tree by verify_model, a table by verify_release. It is a tree when its content says
// so or when the job's method releases models. Throws Error(job) when a tree comes without its original, for nothing
// can be counted then; Error(input) when the file is the text form of a tree, which cannot be read back exactly, or
// neither a tree nor a table.
Verification verify_file(const Job& job, const std::string& release, const std::optional<std::string>& original,
                         Progress& progress);

}  // namespace shoal
