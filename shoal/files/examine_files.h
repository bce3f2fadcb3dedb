// Looking at files without anonymizing them: job.files.input, and a release of it.
#pragma once

#include <optional>
#include <string>

#include "shoal/examine/examine.h"
#include "shoal/job/file_job.h"

namespace shoal {

// measure_release() of a release of job.files.input, with query errors when a workload is given.
MeasureReport measure_release(const FileJob& job, const std::string& release, Progress& progress,
                              const std::optional<QueryWorkload>& workload = std::nullopt);

// Findings in a release: against its original, or without one those that the release shows alone. job.files.earlier are
// looked at where there is an original. Throws Error(input) also where the rows cannot be matched (match_release).
std::vector<Finding> release_findings(const FileJob& job, const std::string& release,
                                      const std::optional<std::string>& original, Progress& progress);

// risk_report() of job.files.input, beside job.files.population where that is named.
RiskReport risk_report(const FileJob& job, const RiskSettings& settings, Progress& progress);

// column_values() of job.files.input.
ValueCounts column_values(const FileJob& job, const std::string& column, Progress& progress);

}  // namespace shoal
