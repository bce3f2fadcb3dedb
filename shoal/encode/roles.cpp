#include "shoal/encode/roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/error.h"
#include "shoal/job/requirements.h"
#include "shoal/nearest_word.h"

namespace shoal {

bool is_released(Role role) { return role != Role::none && role != Role::identifier && role != Role::person; }

namespace {

// `where`: what of the job names it.
void must_exist(const std::string& name, const TableSource& source, const std::string& where = "") {
  if (source.find(name)) return;
  throw Error(ErrorKind::job, fmt::format("{}no column '{}' in '{}'{}", where, name, source.name(),
                                          did_you_mean(name, source.columns())));
}

}  // namespace

std::vector<ColumnPlan> plan_columns(const Job& job, const TableSource& source) {
  std::vector<ColumnPlan> plan;
  for (const std::string& name : source.columns()) {
    plan.push_back({name, job.role_of(name)});
  }
  for (const ColumnJob& column : job.columns) must_exist(column.name, source);
  for (const RequirementJob& requirement : job.requirements) {
    for (const std::string& name : requirement.columns) must_exist(name, source);
  }
  for (const ModelSpec& model : all_models(job)) {
    if (!model.column.empty()) must_exist(model.column, source);
  }
  return plan;
}

void check_accepted_columns(const Job& job, const TableSource& source) {
  for (const std::string& accepted : job.accept) {
    const size_t colon = accepted.find(':');
    if (colon != std::string::npos) {
      must_exist(accepted.substr(colon + 1), source, fmt::format("accept: {}: ", accepted));
    }
  }
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
