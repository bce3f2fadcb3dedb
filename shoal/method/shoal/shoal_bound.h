// How low the NCP of any release can be: a proven floor under what `shoal` (or any local recoding) pays.
#pragma once

#include <cstdint>

#include "shoal/method/space/ncp_space.h"
#include "shoal/run/progress.h"

namespace shoal {

struct BoundEffort {
  uint64_t work = 1;  // comparisons to spend, about; the bound depends on it, but not on time or threads
  int threads = 1;
};

// No release in which every group has k rows has a lower weighted NCP than this. Every row pays at least the cheapest
// box around it that holds k rows (shoal_boxes.h); where it is too much work to try all boxes, also at least its price
// together with its (k-1)-th nearest row (shoal_neighbours.h). `partition`: a solution, whose prices help to leave
// boxes out; it does not change the answer.
double shoal_lower_bound(const NcpSpace& space, uint64_t k, const RowGroups& partition, const BoundEffort& effort,
                         Progress& progress);

}  // namespace shoal
