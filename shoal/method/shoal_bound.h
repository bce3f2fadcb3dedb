// How low the NCP of any release can be: a proven floor under what `shoal` (or any local recoding) pays.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/method/shoal_space.h"
#include "shoal/progress.h"

namespace shoal {

struct ShoalBound {
  double ncp = 0;              // no release in which every group has k rows has a lower weighted NCP
  uint64_t rows_examined = 0;  // the others count 0, so that the bound holds whatever was left out
};

// A row's group holds at least k - 1 other rows, and its box covers each of them: so the row pays at least what it
// would pay together with its (k-1)-th nearest row alone (equal rows counted as often as they occur). The bound is the
// sum of that over rows. Neighbours are found exactly, through a tree of boxes over the distinct tuples.
// `work`: how many comparisons to spend, about; which rows are examined depends on it but not on time or threads.
ShoalBound shoal_lower_bound(const ShoalSpace& space, uint64_t k, uint64_t work, int threads, Progress& progress);

}  // namespace shoal
