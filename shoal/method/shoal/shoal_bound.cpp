#include "shoal/method/shoal/shoal_bound.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "shoal/method/shoal/shoal_boxes.h"
#include "shoal/method/shoal/shoal_neighbours.h"

namespace shoal {
namespace {

constexpr uint64_t kBoxShare = 4;  // looking at a tuple in a box is so much cheaper than a comparison of two tuples

// What the rows of each tuple pay in this partition, the one that pays least.
std::vector<double> tuple_prices(const NcpSpace& space, const DistinctTuples& tuples, const RowGroups& partition) {
  const size_t width = space.columns();
  std::vector<double> prices(tuples.size(), std::numeric_limits<double>::infinity());
  std::vector<uint32_t> codes;
  for (size_t g = 0; g < partition.size(); ++g) {
    double price = 0;
    for (size_t j = 0; j < width; ++j) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (uint32_t row : partition.group(g)) {
        const uint32_t code = tuples.codes[size_t{tuples.of_row[row]} * width + j];
        lo = std::min(lo, code);
        hi = std::max(hi, code);
      }
      price += space.cost(j, lo, hi);
    }
    for (uint32_t row : partition.group(g)) prices[tuples.of_row[row]] = std::min(prices[tuples.of_row[row]], price);
  }
  return prices;
}

}  // namespace

double shoal_lower_bound(const NcpSpace& space, uint64_t k, const RowGroups& partition, const BoundEffort& effort,
                         Progress& progress) {
  if (k <= 1 || space.rows() < k) return 0;
  const DistinctTuples tuples = distinct_tuples_of(space);
  const CheapestBoxes boxes = cheapest_boxes(space, tuples, k, tuple_prices(space, tuples, partition),
                                             effort.work * kBoxShare, effort.threads, progress);
  std::vector<double> neighbours(tuples.size(), 0);
  if (!boxes.exact) {
    neighbours = neighbour_prices(space, tuples, {k, effort.work, effort.threads, boxes.price}, progress);
  }
  double bound = 0;
  for (size_t t = 0; t < tuples.size(); ++t) {
    bound += double(tuples.counts[t]) * std::max(boxes.price[t], neighbours[t]);
  }
  return bound;
}

}  // namespace shoal
