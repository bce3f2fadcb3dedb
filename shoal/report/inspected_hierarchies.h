// The hierarchies of a suggested job that a person may want to edit, as files beside the job file.
#pragma once

#include <string>
#include <vector>

#include "shoal/examine/inspect.h"
#include "shoal/job/file_job.h"

namespace shoal {

struct HierarchyText {
  std::string path;
  std::string text;  // a level table
};

// Their files are named after the job file and the column (`JOB_COLUMN.csv`); `job`, the suggested one, is changed to
// name them in place of their builders. Writes nothing.
std::vector<HierarchyText> hierarchies_beside(const std::string& job_file, const Inspection& inspection, FileJob& job);

}  // namespace shoal
