#include "shoal/method/space/requirement_families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "shoal/method/rules.h"

namespace shoal {
namespace {

Problem with_requirements(const Problem& problem, const std::vector<size_t>& places) {
  Problem some = problem;
  some.requirements.clear();
  some.rules.clear();
  for (size_t r : places) {
    some.requirements.push_back(problem.requirements[r]);
    if (!problem.rules.empty()) some.rules.push_back(problem.rules[r]);
  }
  return some;
}

}  // namespace

std::vector<RequirementFamily> requirement_families(const std::vector<Requirement>& requirements) {
  std::vector<RequirementFamily> families;
  for (size_t r = 0; r < requirements.size(); ++r) {
    const std::vector<size_t>& columns = requirements[r].columns;
    if (columns.empty()) continue;
    RequirementFamily joined{{r}, columns};
    std::vector<RequirementFamily> apart;
    for (RequirementFamily& family : families) {
      const bool shares = std::any_of(family.columns.begin(), family.columns.end(), [&](size_t column) {
        return std::binary_search(columns.begin(), columns.end(), column);
      });
      if (!shares) {
        apart.push_back(std::move(family));
        continue;
      }
      std::vector<size_t> both;
      std::set_union(joined.columns.begin(), joined.columns.end(), family.columns.begin(), family.columns.end(),
                     std::back_inserter(both));
      joined.columns = std::move(both);
      joined.requirements.insert(joined.requirements.end(), family.requirements.begin(), family.requirements.end());
    }
    std::sort(joined.requirements.begin(), joined.requirements.end());
    families = std::move(apart);
    families.push_back(std::move(joined));
  }
  std::sort(families.begin(), families.end(), [](const RequirementFamily& a, const RequirementFamily& b) {
    return a.columns.front() < b.columns.front();
  });
  return families;
}

std::string names_of(const std::vector<size_t>& columns, const Table& table) {
  std::vector<std::string> names;
  for (size_t j : columns) names.push_back(table.quasi[j].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Problem problem_of_family(const Problem& problem, const RequirementFamily& family) {
  Problem of_family = with_requirements(problem, family.requirements);
  of_family.suppress_rows = 0;
  return of_family;
}

Problem problem_on(const std::vector<size_t>& columns, const Problem& problem) {
  Problem needed = with_needed_requirements(problem);
  const std::vector<RequirementFamily> families = requirement_families(needed.requirements);
  if (families.size() < 2) return needed;
  const auto family = std::find_if(families.begin(), families.end(),
                                   [&](const RequirementFamily& each) { return each.columns == columns; });
  if (family == families.end()) throw std::logic_error("no family of requirements on these columns");
  return problem_of_family(needed, *family);
}

Problem with_needed_requirements(const Problem& problem) {
  return with_requirements(problem, needed_requirements(problem));
}

}  // namespace shoal
