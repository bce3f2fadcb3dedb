// The partitioning of method `top-down`: sets of rows are parted in two around two far apart rows, again and again.
#pragma once

#include <cstdint>

#include "shoal/method/local/row_boxes.h"
#include "shoal/run/progress.h"

namespace shoal {

struct TopDownParts {
  RowGroups sets;  // some below k rows; none of 2k rows or more; rows ascending in each
  uint64_t parted = 0;
  bool out_of_time = false;  // what was left then was sorted and cut instead
};

// Parts all rows. The same sets whatever the number of threads: a set's random numbers come from its place in the tree
// of sets. Requires 1 <= k <= rows. Memory besides the codes: 2 bytes per cell, columns rounded up to eights, or 4 per
// cell. Cost: a few passes over the rows per level of that tree; at worst as many levels as rows, on a stack of our
// own.
TopDownParts top_down_parts(const RowCodes& codes, uint64_t k, uint64_t seed, int threads, Progress& progress);

}  // namespace shoal
