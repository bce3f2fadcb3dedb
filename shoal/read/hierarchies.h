// The hierarchy files that a job names, or has in a folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/job/file_job.h"

namespace shoal {

// The hierarchy file or builder that the job gives for a column (its own entry first, then the job's folder, then what
// its type implies).
std::optional<HierarchySpec> hierarchy_of(const FileJob& job, const std::string& column);

// The job with every hierarchy at hand: files of its quasi columns, also those of its folder, are read into trees; of
// its sensitive columns too, those of the folder where a model asks for one.
// Warnings about them become notices. Throws Error as read_tree does, and Error(job) for two files of one column.
FileJob with_hierarchies_read(FileJob job, std::vector<std::string>& notices);
// The same for its sensitive columns alone.
FileJob with_sensitive_hierarchies_read(FileJob job, std::vector<std::string>& notices);

}  // namespace shoal
