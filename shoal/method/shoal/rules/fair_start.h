// A first partition under a rule: the whole table, cut fairly again and again.
#pragma once

#include "shoal/method/shoal/rules/row_kinds.h"
#include "shoal/method/shoal/shoal_passes.h"
#include "shoal/method/space/ncp_space.h"

namespace shoal {

// Every group holds, because the whole table does (required) and only cuts whose sides hold are made. The same for any
// number of threads. `purest`: of all cuts (FairCutter::cut). Out of time: fewer cuts. Cost: about rows x log(rows) x
// columns.
RowGroups fair_start(const TableLines& lines, const GroupRule& rule, const RowKinds& kinds, uint64_t seed,
                     double purest);

}  // namespace shoal
