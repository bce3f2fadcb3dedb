// From file to file where the table does not fit into the memory limit: its rows are sorted and cut in private files
// beside the release, and its fragments are searched one after another (docs/scale.md).
#pragma once

#include <cstdint>
#include <string>

#include "shoal/encode/table_source.h"
#include "shoal/files/memory_plan.h"
#include "shoal/job/file_job.h"
#include "shoal/read/input_file.h"
#include "shoal/report/report.h"
#include "shoal/run/progress.h"
#include "shoal/write/outputs.h"

namespace shoal {

// Why this job's table has to be in memory as a whole; "": it need not. `rows`: about so many. The job's method is
// decided.
std::string why_not_outsized(const FileJob& job, const TableSource& table, uint64_t rows);
// The largest k that the job asks for on this table.
uint64_t job_k(const FileJob& job, const TableSource& table);

// How the work is done and what the report is to say about it.
struct OutsizedRun {
  FileJob job;        // as run: threads, method and hierarchies at hand; what DuckDB may take as its memory limit
  size_t most_bytes;  // that each part of the work may hold
  uint64_t search_bytes = UINT64_MAX;  // that searches of fragments, or of all different rows, may take
  WatchedLimit limit = {};             // looked at before the release is written, and again before it is verified
};
// Searches, writes and verifies; the release is the one that the same fragments give in memory, byte for byte. Fills
// the report but for hashes, names of files and totals, and calls done() for the release when it is verified. Fails
// with Error(job) where a fragment, or the different rows, are still too large. Requires: why_not_outsized is "".
Report anonymize_outsized(const OutsizedRun& run, InputFile& input, Outputs& outputs, Progress& progress);

}  // namespace shoal
