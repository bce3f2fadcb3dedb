// The recoding of a release in memory, as the file that `shoal apply` reads.
#pragma once

#include <string>

#include "shoal/job/job.h"
#include "shoal/release/anonymize.h"

namespace shoal {

// As `recoding:` of a job has it written (recoding_json.h): for internal use, since it holds values that the release
// hides. `job`: the one the release was made for. Requires: the release was released.
std::string recoding_text(const Release& release, const Job& job);

}  // namespace shoal
