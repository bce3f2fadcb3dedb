// One number for each cell of a numeric column, exact or vague: what learners that compute with numbers take.
#pragma once

#include <span>
#include <vector>

#include "shoal/learn/dataset.h"

namespace shoal {

// A range counts as its middle. Where training rows are released ones and rows to be predicted are as collected, an
// exact number of theirs counts as the average middle of the training cells that hold it: else they would stand
// elsewhere than the rows that were learned from (a capital gain of 0 beside many [0,6849]). What no training cell
// holds, and all numbers where no training cell is a range, count as they are. Cost of a number: the logarithm of the
// column's different cells.
class CellNumbers {
 public:
  CellNumbers() = default;  // no ranges
  CellNumbers(const Attribute& train, std::span<const double> weights);

  // `as_collected`: of the rows that the cell belongs to (see Dataset).
  double number(const Extent& extent, bool as_collected) const {
    return as_collected && extent.exact() && !starts_.empty() ? held(extent.low) : extent.middle();
  }

 private:
  // Cells that start (or end) up to here, added up.
  struct Sum {
    double at = 0, weight = 0, middles = 0;
  };
  double held(double number) const;

  std::vector<Sum> starts_, ends_;  // ascending
};

}  // namespace shoal
