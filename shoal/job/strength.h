// How much a job asks, and what another one asks less: a job is never weakened in silence.
#pragma once

#include <string>
#include <vector>

#include "shoal/job/job.h"

namespace shoal {

// Whether two requirements are about the same columns, in whatever order.
bool same_columns(const RequirementJob& a, const RequirementJob& b);

// Adds a requirement. Where the job has one on the same columns, one is kept, with the larger k and the models of
// both.
void add_requirement(Job& job, RequirementJob requirement);

// What `run` asks less than `asked`, a sentence each; empty when it asks as much or more. Looks at k, requirements,
// models, the share of rows that may be dropped, and roles: columns that were identifiers and would be released, quasi
// columns that would be released as they are, columns that are no longer sensitive. For a door that lets a user change
// a saved job: the sentences belong into the report's notices.
std::vector<std::string> weakenings(const Job& asked, const Job& run);

}  // namespace shoal
