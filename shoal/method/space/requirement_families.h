// Requirements that hang together by shared columns. What is released on one family's columns says nothing about
// another family's requirements, so that each can be searched on its own.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shoal/method/method.h"

namespace shoal {

struct RequirementFamily {
  std::vector<size_t> requirements;  // places among the requirements, ascending
  std::vector<size_t> columns;       // of all of them, ascending
};

// In order of their first columns, so that requirements that others imply change nothing. Requirements without columns
// are in none: all rows are one group there.
std::vector<RequirementFamily> requirement_families(const std::vector<Requirement>& requirements);

// "age, town"
std::string names_of(const std::vector<size_t>& columns, const Table& table);

// What the family asks for alone; no rows may be dropped. Requires a family of the problem's own requirements.
Problem problem_of_family(const Problem& problem, const RequirementFamily& family);

// The same for the family on these columns; where there is no other, all of what the problem needs.
Problem problem_on(const std::vector<size_t>& columns, const Problem& problem);

// The problem with those requirements, and their rules, that no other one implies.
Problem with_needed_requirements(const Problem& problem);

}  // namespace shoal
