// Logarithms in integers: the same on every machine, with a known error, so that predicates built on them can be exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/model/wide_integer.h"

namespace shoal {

constexpr uint64_t kMostRows = (uint64_t{1} << 32) - 1;  // of a table under a model; keeps every product below 2^127

constexpr int kLogBits = 90;
// log2(x) in units of 2^-90, rounded down: exact for powers of two, else less than one unit too small.
// Requires 1 <= x < 2^32. Cost: about half a microsecond.
UnsignedWide log2_units(uint64_t x);

constexpr int kRatioBits = 80;
// ln(a / b) in units of 2^-80, never too large, at most two units too small. Requires 1 <= b <= a < 2^32.
UnsignedWide ln_units(uint64_t a, uint64_t b);
// 2^(a / b) in units of 2^-80, never too large; exact when a / b is whole, else too small by less than 2^-90 of itself
// and one unit. Requires b > 0, a / b < 32, b <= 10^9.
UnsignedWide exp2_units(uint64_t a, uint64_t b);

// c·log2(c) of counts, in 64-bit fixed point, so that adding and taking away are exact inverses in any order.
// Immutable; safe to share between threads.
class CountLogs {
 public:
  // For counts 0 .. largest, at most kMostRows. The finest unit with which a sum over any parts of `largest` rows fits.
  explicit CountLogs(uint64_t largest);

  // At most one unit too small. Small counts are looked up; others cost half a microsecond.
  int64_t of(uint64_t count) const { return count < table_.size() ? table_[count] : compute(count); }
  int bits() const { return bits_; }  // the unit is 2^-bits
  uint64_t largest() const { return largest_; }

 private:
  int64_t compute(uint64_t count) const;

  uint64_t largest_;
  int bits_;
  std::vector<int64_t> table_;
};

}  // namespace shoal
