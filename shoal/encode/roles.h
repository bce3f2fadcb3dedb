// Which column of a table is what, as the job says.
#pragma once

#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/model/requirement.h"

namespace shoal {

// Every column of the input with its role (`none`: not released), in the input's order. Throws Error(job) with a
// suggestion when the job names a column the input does not have.
struct ColumnPlan {
  std::string name;
  Role role = Role::none;
};
// Whether a column with this role is in the release, recoded or as it is.
bool is_released(Role role);

std::vector<ColumnPlan> plan_columns(const Job& job, const TableSource& source);

// The same for the columns of findings that are accepted: a slip there would accept nothing. For a table with all its
// columns, also those that are not released: not for a part of it.
void check_accepted_columns(const Job& job, const TableSource& source);

// Indices of the columns with this role, ascending.
std::vector<size_t> columns_with(const std::vector<ColumnPlan>& columns, Role role);

// The job's requirements (requirements_of), columns as indices into the quasi columns in the order of the table. Throws
// Error(job) for a column that is not among them.
std::vector<Requirement> plan_requirements(const Job& job, const std::vector<ColumnPlan>& columns);

}  // namespace shoal
