// From file to verified file.
#pragma once

#include <string>
#include <vector>

#include "shoal/job/file_job.h"
#include "shoal/report/report.h"
#include "shoal/run/progress.h"
#include "shoal/write/outputs.h"

namespace shoal {

// Reads, searches, recodes, writes to a private file, verifies it, and only then renames it to job.files.output,
// together with job.files.json, job.files.report and job.files.recoding: all or none. When anything fails nothing new
// is on disk and existing outputs are untouched; a run that ends without a release (report.status says why) still
// writes json and report.
Report anonymize_files(const FileJob& job, Progress& progress);

// The same for a door that has outputs of its own to publish with these, or something to say about the job (`notices`,
// which the report repeats): call register_files() and outputs.prepare() before, and outputs.publish() after it.
Report anonymize_files(const FileJob& job, Outputs& outputs, Progress& progress,
                       const std::vector<std::string>& notices = {});
void register_files(const FileJob& job, Outputs& outputs);
// What the outputs of a job are called in Outputs.
inline constexpr const char *kReleaseOutput = "the release", *kJsonOutput = "the JSON report",
                            *kReportOutput = "the HTML report", *kPublicReportOutput = "the public report",
                            *kRecodingOutput = "the recoding", *kPublicRecodingOutput = "the public recoding";

}  // namespace shoal
