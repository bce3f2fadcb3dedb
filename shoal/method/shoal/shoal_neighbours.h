// For every distinct tuple, what it pays at least because its group needs k rows: its price together with its
// (k-1)-th nearest row alone.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/method/shoal/shoal_boxes.h"

namespace shoal {

// [tuple]: the price of the box of the tuple and its (k-1)-th nearest row (equal rows counted as often as they occur).
// Neighbours are found exactly, through a tree of boxes over the tuples. `work`: how many comparisons to spend, about;
// tuples that are not examined have 0, and which these are depends on `work` but not on time or threads.
std::vector<double> neighbour_prices(const NcpSpace& space, const DistinctTuples& tuples, uint64_t k, uint64_t work,
                                     int threads, Progress& progress);

}  // namespace shoal
