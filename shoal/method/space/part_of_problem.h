// Some rows of a table as a table of their own, for a search that sees nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shoal/model/group_rule.h"
#include "shoal/table/table.h"

namespace shoal {

// What methods read of these rows, in this order: quasi columns (codes as in the whole table, no texts) and the target.
// Cost: linear in the rows.
Table part_of_table(const Table& whole, std::span<const uint32_t> rows);

// The rule, counting these rows by their places in the part. Its models are the whole table's: what they compare with
// (t-closeness, beta-likeness, ...) stays the distribution there.
std::shared_ptr<const GroupRule> part_of_rule(const GroupRule& whole, std::span<const uint32_t> rows);
// The same of several rules: those that count the same in the whole table count the same in the part, so that it is
// still seen which of them imply others.
std::vector<std::shared_ptr<const GroupRule>> part_of_rules(const std::vector<std::shared_ptr<const GroupRule>>& whole,
                                                            std::span<const uint32_t> rows);

}  // namespace shoal
