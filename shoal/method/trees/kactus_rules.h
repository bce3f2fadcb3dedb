// Where a requirement asks for more than k rows: kACTUS's groups of k rows go up their paths until they hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/trees/kactus_prune.h"
#include "shoal/model/group_rule.h"

namespace shoal::kactus {

// The rows of a group that breaks the rule stay with the parent of its node, which tells less, and join what is there;
// from the deepest nodes up. Then every group holds, and what reached the root is in `left`: any rows, also such that
// break the rule as a group. Cost: the rows, times how far they go up.
void move_up(Pruned& pruned, std::span<const uint32_t> parents, const GroupRule& rule);

// The root's rows when they break the rule and may not be dropped: rows of other groups join them that make them lack
// less and that their groups can spare, then, where that is not enough, whole groups, the last ones first. Returns the
// rows that joined. Requires that all rows as one group hold. Same seed, same answer.
std::vector<uint32_t> fill_up(std::vector<Group>& groups, std::span<const uint32_t> left, const GroupRule& rule,
                              uint64_t seed);

}  // namespace shoal::kactus
