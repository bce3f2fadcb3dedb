// Labels that read as an interval of numbers.
#pragma once

#include <optional>
#include <string_view>

#include "shoal/table/decimal.h"

namespace shoal {

struct LabelInterval {
  std::optional<Decimal> low, high;  // nothing where that side has no end
  bool low_closed = true, high_closed = true;
  bool contains(const Decimal& number) const {
    if (low && (low_closed ? number < *low : number <= *low)) return false;
    return !high || (high_closed ? number <= *high : number < *high);
  }
};

// Reads "15-19", "16~20", "1..5", "1 to 5" (both ends included), "[20,30)", "(1; 37]", "[0-10)" (brackets say which
// ends are),
// "<18", "<=18", ">65", ">=65", "18+". Nothing for any other text, for a plain number, and when low > high.
std::optional<LabelInterval> label_interval(std::string_view label);

}  // namespace shoal
