// A job whose requirements fall into families that share no column, as each of these asks it alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shoal/job/job.h"
#include "shoal/method/space/requirement_families.h"

namespace shoal {

// The families that the job's method searches one by one; places among requirements_of(job, quasi). One where the
// method is given one requirement in place of all. Requires a method that is known.
std::vector<RequirementFamily> families_of(const Job& job, const std::vector<std::string>& quasi);

// Only that family is required, of the same groups' models and persons; no rows may be dropped. Columns of others have
// their roles.
Job job_of_family(const Job& job, const std::vector<std::string>& quasi, const RequirementFamily& family);

}  // namespace shoal
