#include "shoal/job/family_job.h"

#include <numeric>
#include <utility>

#include "shoal/job/requirements.h"
#include "shoal/method/method.h"

namespace shoal {

std::vector<RequirementFamily> families_of(const Job& job, const std::vector<std::string>& quasi) {
  const std::vector<Requirement> requirements = requirements_of(job, quasi);
  if (!job.unite && find_method(chosen_method(job))->several_requirements) return requirement_families(requirements);
  RequirementFamily all{std::vector<size_t>(requirements.size()), united(requirements).columns};
  std::iota(all.requirements.begin(), all.requirements.end(), size_t{0});
  return {all};
}

// In full, since a model of the whole job may stand for requirements on columns of every family. Persons come with the
// job's column of persons: requirements_of() has put them last.
Job job_of_family(const Job& job, const std::vector<std::string>& quasi, const RequirementFamily& family) {
  const std::vector<Requirement> requirements = requirements_of(job, quasi);
  Job alone = job;
  alone.suppress_rows = 0;
  alone.k.reset();
  alone.models.clear();
  alone.requirements.clear();
  for (size_t place : family.requirements) {
    RequirementJob asked{{}, requirements[place].k, requirements[place].models};
    for (size_t column : requirements[place].columns) asked.columns.push_back(quasi[column]);
    if (person_column(job) != nullptr) asked.models.pop_back();
    alone.requirements.push_back(std::move(asked));
  }
  return alone;
}

}  // namespace shoal
