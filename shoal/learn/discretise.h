// Numbers cut into intervals so that classes come apart (Fayyad and Irani 1993).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shoal/learn/dataset.h"

namespace shoal {

// The cut points of a numeric column, ascending; a number belongs to interval i when i cut points are less than it.
// The cut with the least class entropy (the lowest one on ties) is made when its gain exceeds
// (log2(N-1) + log2(3^k - 2) - k H(S) + k1 H(S1) + k2 H(S2)) / N, with k classes among N rows' weight, and so on
// in both halves. Rows with a missing cell are left out; a range is spread evenly over what it covers, and cuts come
// where ranges meet, or halfway between what lies apart. Possibly none.
std::vector<double> entropy_cuts(const Attribute& attribute, const Dataset& data);

// How much of an extent lies in each interval: shares[i], summing to 1.
void interval_shares(std::span<const double> cuts, const Extent& extent, std::vector<double>& shares);

}  // namespace shoal
