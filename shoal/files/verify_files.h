// Releases on disk: opens the files, puts the job's promise into words and has DuckDB count.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/files/in_original_order.h"
#include "shoal/job/file_job.h"
#include "shoal/run/notices.h"
#include "shoal/run/progress.h"
#include "shoal/verify/verify.h"

namespace shoal {

// Reads the release (and the original, when given) again from disk and has its promise checked: see verify(). The
// memory limit of the job holds for all of it together. `row_of_release`: the original's row number of each released
// row, from whoever wrote the release. Throws Error(input) for files that cannot be read.
Verification verify_release(const FileJob& job, const std::string& release, const std::optional<std::string>& original,
                            Progress& progress, const std::vector<uint32_t>* row_of_release = nullptr);
// The same for a release that is too large for memory, and so is what says which row is which.
Verification verify_release(const FileJob& job, const std::string& release, const std::string& original,
                            const SpilledWitness& witness, Progress& progress);

// The promise of the job as an SQL script for the table `relation` of any engine. Where the original is given, the
// statements of models that compare with it are complete.
std::string promise_sql_of(const FileJob& job, const std::string& relation, const std::optional<std::string>& original,
                           Progress& progress, Notices* notices = nullptr);

// The file is a decision tree, or the job's method releases one.
bool is_released_model(const FileJob& job, const std::string& release);

// Any release on disk: a decision tree by verify_model, a table by verify_release. It is a tree when its content says
// so or when the job's method releases models. Throws Error(job) when a tree comes without its original, for nothing
// can be counted then; Error(input) when the file is the text form of a tree, which cannot be read back exactly, or
// neither a tree nor a table. `notices` (if any) are told what was found out about the files by looking.
Verification verify_file(const FileJob& job, const std::string& release, const std::optional<std::string>& original,
                         Progress& progress, Notices* notices = nullptr);

}  // namespace shoal
