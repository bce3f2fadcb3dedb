// A column's leaves as numbers of several digits, coarse to fine: which child of the root, which child of that, and so
// on down to the leaf. Lines through the table are made of such digits (shoal_order.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/measure/interval_cost.h"

namespace shoal {

struct LeafDigit {
  std::vector<uint32_t> of_leaf;  // ascending with the leaf among leaves that share all digits before
  uint32_t radix = 1;             // digits are 0 .. radix-1; > 1
  // What a row saves on average once this digit is known besides the ones before, per bit that the digit tells.
  double worth = 0;
};

// Categories: one digit per depth of the tree. Numbers: halves of the rows, quarters, and so on five times, then the
// value itself. `counts`: rows per leaf. All digits together tell every two leaves apart; a column with one leaf has
// none. Cost: leaves x depth.
std::vector<LeafDigit> leaf_digits(const Hierarchy& hierarchy, const IntervalCost& cost,
                                   std::span<const uint64_t> counts);

}  // namespace shoal
