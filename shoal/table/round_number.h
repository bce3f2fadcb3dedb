// Round numbers near a decimal: whole multiples of 1, 2 or 5 times a power of ten.
#pragma once

#include <cstdint>
#include <optional>

#include "shoal/table/decimal.h"

namespace shoal {

// digit * 10^exponent; digit is 1, 2 or 5.
struct RoundStep {
  int digit = 1;
  int64_t exponent = 0;
  bool operator==(const RoundStep&) const = default;
};

// The largest step that is not above `most`; nothing unless `most` is positive and finite.
std::optional<RoundStep> largest_step(double most);
// True when a is smaller than b.
bool is_finer(const RoundStep& a, const RoundStep& b);

// The nearest multiple of the step that is not above, or not below, the number. Exact. Cost: the digits between the
// number's first and the step's.
Decimal round_down(const Decimal& number, const RoundStep& step);
Decimal round_up(const Decimal& number, const RoundStep& step);

}  // namespace shoal
