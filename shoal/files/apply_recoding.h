// An old recoding on the rows of a file.
#pragma once

#include <string>

#include "shoal/job/file_job.h"
#include "shoal/report/apply_document.h"
#include "shoal/run/progress.h"
#include "shoal/write/outputs.h"

namespace shoal {

// Recodes new rows (job.files.input to job.files.output) by a recoding that anonymize() wrote: columns it recodes are
// replaced, its identifiers are left out, all others stay. For levels, cut and regions recodings; Error(job) for
// groups, which belong to their own rows. A number not seen before is released like the nearest one that was, an
// unknown category as `*`; a row outside all regions like the nearest region. New rows are NOT promised any k.
// `outputs` may hold what else the door reads; it is prepared here, and the caller's to publish.
ApplyReport apply_recoding(const FileJob& job, const std::string& recoding_file, Outputs& outputs, Progress& progress);

}  // namespace shoal
