// Requirements that hang together by shared columns. What is released on one family's columns says nothing about
// another family's requirements, so that each can be searched on its own.
#pragma once

#include <cstddef>
#include <vector>

#include "shoal/method/method.h"

namespace shoal {

struct RequirementFamily {
  std::vector<size_t> requirements;  // places among the requirements, ascending
  std::vector<size_t> columns;       // of all of them, ascending
};

// In order of their first requirement. Requirements without columns are in none: all rows are one group there.
std::vector<RequirementFamily> requirement_families(const std::vector<Requirement>& requirements);

// The problem with those requirements, and their rules, that no other one implies.
Problem with_needed_requirements(const Problem& problem);

}  // namespace shoal
