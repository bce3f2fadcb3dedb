// What methods share when the groups of a requirement must have more than k rows (Problem::has_models).
//
// Every model has closure A or U: groups that hold also hold as one. So when every group of a recoding holds,
//   - every more general recoding holds, as long as no row is dropped, and
//   - a requirement on fewer columns holds, if its rule asks no more.
// Turned round: a set of rows that violates cannot be parted into groups that all hold. Whatever is dropped by these
// two arguments (vectors, cuts, candidates for a refinement) could not have held.
//
// They end where rows are dropped: a group that holds need not hold once some of its rows are gone (closure U), and a
// violating group that was dropped as a whole comes back as part of a larger one in a more general recoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/table/codes.h"

namespace shoal {

// The rules of all requirements, by place.
std::vector<std::shared_ptr<const GroupRule>> rules_of(const Problem& problem);

// Which requirements no other one implies (same or more columns, same or larger k, all its models), ascending. One with
// an average risk is always needed. Without models these are what without_implied() keeps.
std::vector<size_t> needed_requirements(const Problem& problem);

// Why no recoding that keeps all rows can obey: with all rows in one group a requirement's rule is broken. "" when
// there is no such reason; then the most general recoding obeys. Cost: linear in rows. Where a rule asks about a
// population, that one group fits all of it, as every column at its root does; Error(job) where it is not at hand.
std::string whole_table_breaks(const Problem& problem);

// What the rules count, as one number per row: rows with the same number are the same to every rule.
struct CountedTuples {
  Codes codes;                         // [row]
  std::vector<uint32_t> row_of_tuple;  // a row that has it, for GroupRule::add
  size_t size() const { return row_of_tuple.size(); }
};
CountedTuples counted_tuples(const Problem& problem);

}  // namespace shoal
