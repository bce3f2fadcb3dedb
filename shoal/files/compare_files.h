// Methods compared on a table in a file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shoal/job/file_job.h"
#include "shoal/report/comparison_document.h"
#include "shoal/run/progress.h"

namespace shoal {

struct CompareFilesSettings {
  CompareSettings compare{};
  // Their errors are measured where the job has a target (train-only, `folds` folds); empty: no learners.
  std::vector<std::string> learners{};
  size_t folds = 5;
};

// compare_methods() on the job's input, the learners' errors with the methods that had an answer, and the
// recommendation. Interrupted after the first run it answers with what is done so far.
ComparisonReport compare_files(const FileJob& job, const CompareFilesSettings& settings, Progress& progress);
// The same for a table in memory, whose job has its hierarchies at hand.
ComparisonReport compare_table(const Job& job, const CompareFilesSettings& settings, TableSource& source,
                               Progress& progress, const std::function<void(const ComparedRun&)>& told = {});

}  // namespace shoal
