// A second opinion on a released decision tree: its rows are counted again, in SQL on the original.
#pragma once

#include <string>

#include "shoal/job.h"
#include "shoal/progress.h"
#include "shoal/verify/verify.h"

namespace shoal {

// Reads a tree as `anonymize` with a method that releases a model wrote it (JSON), turns its tests into SQL and asks
// DuckDB where every row of the original goes:
//  columns      the tree names quasi columns and the target, nothing else
//  requirement  every leaf that the tree shows has at least k rows (the job's one requirement)
//  rows         every row reaches a leaf, and the tree shows exactly the rows of each class that were counted there
// The requirement's smallest group is the smallest leaf. Throws Error(input) when the text is no such tree.
Verification verify_model(const Job& job, const std::string& json_text, const std::string& original,
                          Progress& progress);

}  // namespace shoal
