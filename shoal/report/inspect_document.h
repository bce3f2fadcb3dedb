// What `inspect` found, as a document and as a job with comments.
#pragma once

#include <string>

#include "shoal/examine/inspect.h"
#include "shoal/job/file_job.h"
#include "shoal/report/document.h"

namespace shoal {

// `examples`: show cells of every column. Only then does the document quote the table.
Document inspect_document(const std::string& input, const Inspection& inspection, bool examples);

// The job as YAML that runs as it is, with the reason for every line beside it. It quotes no cells of columns that are
// not released; hierarchies that it names are the caller's to write.
std::string inspected_job_yaml(const FileJob& job, const Inspection& inspection);

}  // namespace shoal
