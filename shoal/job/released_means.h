// Which numbers of a release may be means.
#pragma once

#include <string>
#include <vector>

#include "shoal/job/job.h"

namespace shoal {

// The columns of all requirements (all quasi columns where there are none) when the job's method may release numbers as
// means of the rows that look alike in these columns; else nothing.
std::vector<std::string> columns_with_means(const Job& job);

}  // namespace shoal
