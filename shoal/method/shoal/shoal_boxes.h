// For every distinct tuple, how cheap a box around it with k rows can be at least: nobody pays less than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/method/space/ncp_space.h"
#include "shoal/run/progress.h"

namespace shoal {

// The different rows of a space: columns() codes each, and how many rows are like that.
struct DistinctTuples {
  std::vector<uint32_t> codes;
  std::vector<uint32_t> counts;
  std::vector<uint32_t> of_row;  // [row]: its tuple
  size_t size() const { return counts.size(); }
};
DistinctTuples distinct_tuples_of(const NcpSpace& space);

struct CheapestBoxes {
  std::vector<double> price;  // [tuple]: no box that covers it and k rows has a lower price per row
  bool exact = false;         // and one of that price exists
};

// `upper`: a price per tuple that is known to be possible; speeds the search up. `work`: tuples to look at, about.
// Where that is too little for all boxes, some are taken together: charged like the cheapest of them, counted like the
// widest, so that the answer is a bound still. Requires space.rows() >= k. The same for any number of threads.
CheapestBoxes cheapest_boxes(const NcpSpace& space, const DistinctTuples& tuples, uint64_t k,
                             const std::vector<double>& upper, uint64_t work, int threads, Progress& progress);

}  // namespace shoal
