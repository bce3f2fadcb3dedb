// Integers of 128 bits, for predicates that must be exact: a table of 10^9 rows makes products of 2^95.
#pragma once

#include <cstdint>

namespace shoal {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

// The upper 128 of the 256 bits of a product.
inline UnsignedWide product_high(UnsignedWide a, UnsignedWide b) {
  const uint64_t a_low = static_cast<uint64_t>(a), a_high = static_cast<uint64_t>(a >> 64);
  const uint64_t b_low = static_cast<uint64_t>(b), b_high = static_cast<uint64_t>(b >> 64);
  const UnsignedWide low = UnsignedWide{a_low} * b_low, cross = UnsignedWide{a_high} * b_low;
  const UnsignedWide middle = UnsignedWide{a_low} * b_high + static_cast<uint64_t>(cross) + (low >> 64);
  return UnsignedWide{a_high} * b_high + (cross >> 64) + (middle >> 64);
}

}  // namespace shoal
