#include "shoal/encode/roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/error.h"
#include "shoal/job/requirements.h"
#include "shoal/nearest_word.h"

namespace shoal {

bool is_released(Role role) { return role != Role::none && role != Role::identifier && role != Role::person; }

std::vector<ColumnPlan> plan_columns(const Job& job, const TableSource& source) {
  std::vector<ColumnPlan> plan;
  for (const std::string& name : source.columns()) {
    plan.push_back({name, job.role_of(name)});
  }
  auto must_exist = [&](const std::string& name) {
    if (source.find(name)) return;
    throw Error(ErrorKind::job,
                fmt::format("no column '{}' in '{}'{}", name, source.name(), did_you_mean(name, source.columns())));
  };
  for (const ColumnJob& column : job.columns) must_exist(column.name);
  for (const RequirementJob& requirement : job.requirements) {
    for (const std::string& name : requirement.columns) must_exist(name);
  }
  for (const ModelSpec& model : all_models(job)) {
    if (!model.column.empty()) must_exist(model.column);
  }
  return plan;
}

std::vector<size_t> columns_with(const std::vector<ColumnPlan>& columns, Role role) {
  std::vector<size_t> found;
  for (size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].role == role) found.push_back(j);
  }
  return found;
}

std::vector<Requirement> plan_requirements(const Job& job, const std::vector<ColumnPlan>& columns) {
  std::vector<std::string> quasi;
  for (size_t j : columns_with(columns, Role::quasi)) quasi.push_back(columns[j].name);
  return requirements_of(job, quasi);
}

}  // namespace shoal
