#include "shoal/model/fixed_log.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace shoal {
namespace {

// ln 2 in units of 2^-128, rounded down.
constexpr UnsignedWide kLn2 = (UnsignedWide{0xB17217F7D1CF79ABULL} << 64) | 0xC9E3B39803F2F6AFULL;

}  // namespace

UnsignedWide log2_units(uint64_t x) {
  const int whole = static_cast<int>(std::bit_width(x)) - 1;
  // Squaring a number between 1 and 2 doubles its logarithm: whether the square reaches 2 is the next binary digit. A
  // rounding error doubles with every squaring while the digits' weight halves, so all of them together stay near
  // 2^-126.
  UnsignedWide mantissa = UnsignedWide{x} << (127 - whole);  // in units of 2^-127
  UnsignedWide log = static_cast<UnsignedWide>(whole);
  for (int i = 0; i < kLogBits; ++i) {
    mantissa = product_high(mantissa, mantissa);  // in units of 2^-126
    const bool digit = (mantissa >> 127) != 0;
    if (!digit) mantissa <<= 1;
    log = (log << 1) | (digit ? 1 : 0);
  }
  return log;
}

UnsignedWide ln_units(uint64_t a, uint64_t b) {
  const UnsignedWide upper = log2_units(a), lower = log2_units(b);
  if (upper <= lower + 1) return 0;
  return product_high(upper - lower - 1, kLn2) >> (kLogBits - kRatioBits);
}

UnsignedWide exp2_units(uint64_t a, uint64_t b) {
  constexpr int kBits = 96;
  const uint64_t whole = a / b;
  // e^y for y = (a/b - whole)·ln 2 < 0.7 by its series. Everything is rounded down, so the sum is never too large; its
  // forty terms lose a few units of 2^-96 each.
  const UnsignedWide y = product_high((UnsignedWide{a % b} << kBits) / b, kLn2);
  UnsignedWide sum = 0, term = UnsignedWide{1} << kBits;
  for (uint64_t i = 1; term > 0; ++i) {
    sum += term;
    term = product_high(term << 31, y << 1) / i;  // 31 + 1 + 96 = 128: term·y in units of 2^-96
  }
  const int shift = static_cast<int>(whole) - (kBits - kRatioBits);
  return shift < 0 ? sum >> -shift : sum << shift;
}

CountLogs::CountLogs(uint64_t largest) : largest_(largest) {
  if (largest > kMostRows) throw std::logic_error("more rows than a model can count exactly");
  // largest·log2(largest) is the greatest sum there can be; it must stay below 2^61.
  const auto width = static_cast<unsigned>(std::bit_width(largest));
  const auto greatest = static_cast<int>(width) + static_cast<int>(std::bit_width(width));
  bits_ = std::min(50, 61 - greatest);
  constexpr uint64_t kTable = 1024;
  table_.resize(std::min(kTable, largest + 1));
  for (size_t count = 0; count < table_.size(); ++count) table_[count] = count < 2 ? 0 : compute(count);
}

int64_t CountLogs::compute(uint64_t count) const {
  return static_cast<int64_t>((count * log2_units(count)) >> (kLogBits - bits_));  // below 2^32·2^95
}

}  // namespace shoal
