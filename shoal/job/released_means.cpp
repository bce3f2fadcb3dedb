#include "shoal/job/released_means.h"

#include <algorithm>

#include "shoal/method/method.h"

namespace shoal {

std::vector<std::string> columns_with_means(const Job& job) {
  const MethodEntry* method = find_method(job.method);
  std::vector<std::string> columns;
  if (!method || !method->releases_means) return columns;
  const bool all = job.k || job.requirements.empty();
  for (const ColumnJob& column : job.columns) {
    const bool asked =
        std::any_of(job.requirements.begin(), job.requirements.end(), [&](const RequirementJob& requirement) {
          return std::find(requirement.columns.begin(), requirement.columns.end(), column.name) !=
                 requirement.columns.end();
        });
    if (column.role == Role::quasi && (all || asked)) columns.push_back(column.name);
  }
  return columns;
}

}  // namespace shoal
