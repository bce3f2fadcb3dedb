// Methods compared on a table in a file.
#pragma once

#include "shoal/job/file_job.h"
#include "shoal/report/compare_table.h"
#include "shoal/run/progress.h"

namespace shoal {

// compare_table() on the job's input, with hierarchy files of the job read.
ComparisonReport compare_files(const FileJob& job, const CompareTableSettings& settings, Progress& progress);

}  // namespace shoal
