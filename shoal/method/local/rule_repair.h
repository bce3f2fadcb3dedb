// From groups of k rows to groups that also hold under a rule: what the methods that put rows together by their
// weighted NCP do where a requirement asks for more than k rows.
//
// They search as if k were all, for that is where groups are near each other. Then the smallest group that breaks the
// rule is merged with the nearest one (least growth of the table's penalty) that makes it lack less, until no group
// breaks the rule: every merge leaves one group less, and all rows as one group hold. Last, what has become large is
// parted again, along the column and at the border that cost least, wherever both sides hold.
#pragma once

#include <cstdint>

#include "shoal/method/local/row_boxes.h"
#include "shoal/method/method.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/model/group_rule.h"

namespace shoal {

struct RepairedGroups {
  RowGroups groups;  // rows ascending in each; by their first rows
  uint64_t merged = 0, parted = 0;
  bool out_of_time = false;  // what was left then was put together in order, and nothing was parted
};

// Requires: every row in one group, and that all rows as one group hold. Cost: per merge about that of finding a
// neighbour; per part rows x log(rows) x columns, plus rows x columns squared.
RepairedGroups repair_groups(const RowCodes& codes, const RowGroups& groups, const GroupRule& rule, Progress& progress);

// The answer of a method with one requirement: the groups as they are when k rows are all it asks for; else repaired,
// in `result` with what was done.
RowGroups obey_rule(const Problem& problem, const RowCodes& codes, const RowGroups& groups, Progress& progress,
                    SearchResult& result);

}  // namespace shoal
