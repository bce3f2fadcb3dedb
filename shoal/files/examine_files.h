// Looking at files without anonymizing them: job.files.input, and a release of it.
#pragma once

#include <optional>
#include <string>

#include "shoal/examine/examine.h"
#include "shoal/job/file_job.h"
#include "shoal/run/notices.h"

namespace shoal {

// All of these tell `notices` (if any) what was found out about the files by looking, and warnings about hierarchies.

// measure_release() of a release of job.files.input, with query errors when a workload is given.
MeasureReport measure_release(const FileJob& job, const std::string& release, Progress& progress,
                              const std::optional<QueryWorkload>& workload = std::nullopt, Notices* notices = nullptr);

// Findings in a release: against its original, or without one those that the release shows alone. job.files.earlier are
// looked at where there is an original. Throws Error(input) also where the rows cannot be matched (match_release).
std::vector<Finding> release_findings(const FileJob& job, const std::string& release,
                                      const std::optional<std::string>& original, Progress& progress,
                                      Notices* notices = nullptr);

// risk_report() of job.files.input, beside job.files.population where that is named.
RiskReport risk_report(const FileJob& job, const RiskSettings& settings, Progress& progress,
                       Notices* notices = nullptr);

// column_values() of job.files.input.
ValueCounts column_values(const FileJob& job, const std::string& column, Progress& progress,
                          Notices* notices = nullptr);

}  // namespace shoal
