// What anonymization costs a learner, from files.
#pragma once

#include "shoal/evaluate/evaluate.h"
#include "shoal/job/file_job.h"

namespace shoal {

// evaluate() on job.files.input, and settings.test where that names a file.
Evaluation evaluate_files(const FileJob& job, const EvaluateSettings& settings, Progress& progress);

}  // namespace shoal
