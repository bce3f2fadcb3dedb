// The hierarchy of a column as its file or builder gives it, before anything is bound to values.
#pragma once

#include <optional>
#include <string>

#include "shoal/hierarchy/tree.h"
#include "shoal/job/file_job.h"
#include "shoal/read/source.h"

namespace shoal {

// Nothing when the job has none. Builders look at the values of the original. Throws DuckError.
std::optional<Tree> tree_of_column(const FileJob& job, const std::string& name, const Source& original, DuckDb& duck,
                                   const Progress& progress);

}  // namespace shoal
