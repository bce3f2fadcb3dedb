#include "shoal/method/space/requirement_families.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "shoal/method/rules.h"

namespace shoal {

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
    return a.requirements.front() < b.requirements.front();
  });
  return families;
}

Problem with_needed_requirements(const Problem& problem) {
  Problem needed = problem;
  needed.requirements.clear();
  needed.rules.clear();
  for (size_t r : needed_requirements(problem)) {
    needed.requirements.push_back(problem.requirements[r]);
    if (!problem.rules.empty()) needed.rules.push_back(problem.rules[r]);
  }
  return needed;
}

}  // namespace shoal
