// average-risk: a promise about all groups of a release together, so it is no Model of one group.
#pragma once

#include <cstdint>

#include "shoal/model/model_spec.h"

namespace shoal {

// groups / rows <= risk: the average chance that a row picked at random is tied to its person (docs/measures.md,
// prosecutor average and marketer). Making a recoding more general never adds groups, so lattices may prune by it.
class AverageRisk {
 public:
  // Requires a spec of this kind; throws Error(job) where it is wrong.
  explicit AverageRisk(const ModelSpec& spec);

  // No rows: nothing is released, which holds.
  bool holds(uint64_t groups, uint64_t rows) const { return groups <= most_groups(rows); }
  // How many groups too many there are; 0 when it holds.
  uint64_t deficit(uint64_t groups, uint64_t rows) const {
    return holds(groups, rows) ? 0 : groups - most_groups(rows);
  }
  // How many groups so many rows may have. Exact below 2^64 / 10^9 rows.
  uint64_t most_groups(uint64_t rows) const { return rows * risk_.numerator / risk_.denominator; }
  static double value(uint64_t groups, uint64_t rows) {
    return rows == 0 ? 0 : static_cast<double>(groups) / static_cast<double>(rows);
  }

 private:
  Fraction risk_;
};

}  // namespace shoal
