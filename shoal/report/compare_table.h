// Methods compared on a table in memory, with what learners lose and which one to take.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/report/comparison_document.h"
#include "shoal/run/progress.h"

namespace shoal {

struct CompareTableSettings {
  CompareSettings compare{};
  // Their errors are measured where the job has a target (train-only, `folds` folds); empty: no learners.
  std::vector<std::string> learners{};
  size_t folds = 5;
};

// compare_methods(), the learners' errors with the methods that had an answer, and the recommendation. The job has its
// hierarchies at hand. Interrupted after the first run it answers with what is done so far. Throws as
// compare_methods().
ComparisonReport compare_table(const Job& job, const CompareTableSettings& settings, TableSource& source,
                               Progress& progress, const std::function<void(const ComparedRun&)>& told = {});

}  // namespace shoal
