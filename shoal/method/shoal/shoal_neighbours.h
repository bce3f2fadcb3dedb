// For every distinct tuple, what it pays at least because its group needs k rows: its price together with its
// (k-1)-th nearest row alone.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/method/shoal/shoal_boxes.h"

namespace shoal {

struct NeighbourSearch {
  uint64_t k = 1;
  // How many comparisons to spend, about; tuples that are not examined have 0, and which these are depends on `work`
  // but not on time, threads or what is known.
  uint64_t work = 1;
  int threads = 1;
  // [tuple]: what it is known to pay at least; where its neighbours do not show more, the search for them ends early
  // and the tuple has 0. Empty: nothing is known.
  std::vector<double> known = {};
};

// [tuple]: the price of the box of the tuple and its (k-1)-th nearest row (equal rows counted as often as they occur).
// Neighbours are found exactly, through a tree of boxes over the tuples.
std::vector<double> neighbour_prices(const NcpSpace& space, const DistinctTuples& tuples, const NeighbourSearch& search,
                                     Progress& progress);

}  // namespace shoal
