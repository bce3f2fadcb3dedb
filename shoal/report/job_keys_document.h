// What a job file can say, as documents: the reference.
#pragma once

#include <string>

#include "shoal/report/document.h"

namespace shoal {

// Every key with what it takes, what holds without it and what it means; models with their parameters.
Document job_keys_document();
// The same as Markdown tables, for docs/job.md.
std::string job_keys_markdown();

}  // namespace shoal
