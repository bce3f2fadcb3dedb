// Which groups of tuples break the rule of their requirement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/method/cuts/tuple_table.h"
#include "shoal/model/group_rule.h"

namespace shoal {

// The rule asks for more than k rows of each group.
inline bool needs_counts(const GroupRule& rule) { return !rule.rows_only() || rule.average_risk(); }

struct BreakingGroups {
  std::vector<uint32_t> group_of_tuple;
  std::vector<bool> breaks;            // [group]
  bool risk_too_high = false;          // GroupRule::average_risk, of all groups together
  bool any() const;                    // a group breaks the rule, or all of them together do
  std::vector<size_t> firsts() const;  // the first tuple of each group that breaks the rule
};

// The groups of a requirement, and what they must have. The hierarchies are those of all quasi columns.
struct RuledColumns {
  const std::vector<size_t>& columns;
  const GroupRule& rule;
  const std::vector<Hierarchy>& hierarchies;
};

// `table` has what rules count in its view. Leaves in `index` the table's groups on the columns, which
// TupleTable::group_numbers of another table can go on with: `more` says how many further groups it may find. Cost:
// linear in tuples; where the rule asks about a population, a count of its people for each group besides.
BreakingGroups breaking_groups(const TupleTable& table, const RuledColumns& ruled, KeyIndex& index, size_t more = 0);

}  // namespace shoal
