// The params of a job that several methods are tried with.
#pragma once

#include <span>

#include "shoal/job/job.h"
#include "shoal/method/method.h"

namespace shoal {

// Those of `method`, complete: a param "METHOD.NAME" is for that method, "NAME" for every method that has it. Throws
// Error(job) for one that none of `all` has.
Params params_for(const Job& job, const MethodEntry& method, std::span<const MethodEntry* const> all);

}  // namespace shoal
