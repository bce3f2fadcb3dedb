// Other rows by a recoding that was found on some: the test rows of an evaluation.
#pragma once

#include <span>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

// What the rows of `table` would have been released as, in order of row; over the hierarchies that the recoding was
// found with.
//   levels, cut  by the value map
//   regions      like the region that covers the row, the one of least NCP where several do; where none does, the
//                nearest one (sum over columns of the gap in leaves / all leaves; of equally near ones the first)
//   groups       as they are
// Cost: linear for value maps; for regions the different rows x regions x columns.
std::vector<ReleasedColumn> map_rows(const Recoding& recoding, const Table& table,
                                     const std::vector<Hierarchy>& hierarchies);

}  // namespace shoal
