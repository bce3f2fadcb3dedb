// Where a requirement asks for more than k rows: kaca's groups of k rows are merged until they hold.
#pragma once

#include <cstdint>

#include "shoal/method/kaca/kaca_groups.h"
#include "shoal/model/group_rule.h"
#include "shoal/run/progress.h"

namespace shoal {

struct KacaObedience {
  bool holds = true;  // false: all rows are one group by now, and it breaks the rule
  uint64_t merges = 0;
  bool out_of_time = false;  // groups were put together in order from then on
};

// The smallest group that breaks the rule (of equal ones the oldest) goes as a whole to the nearest one that makes it
// lack less, or, where none does, to the nearest; again until all hold. Cost: all groups for each merge.
KacaObedience obey_rule(KacaGroups& groups, const GroupRule& rule, Progress& progress);

}  // namespace shoal
