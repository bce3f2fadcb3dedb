// A parameter of a model as it was written: 0.2 is one fifth, not the nearest binary number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shoal {

// numerator / denominator in lowest terms, neither above kLimit, so that products with counts fit 128 bits.
struct Fraction {
  static constexpr uint64_t kLimit = 1'000'000'000;
  uint64_t numerator = 0;
  uint64_t denominator = 1;

  bool whole() const { return denominator == 1; }
  double number() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  friend bool operator==(const Fraction&, const Fraction&) = default;
};

// Is a below b?
inline bool below(const Fraction& a, const Fraction& b) {
  return a.numerator * b.denominator < b.numerator * a.denominator;  // at most 10^18
}

// Reads 3, 0.25, .5 or 1/3; no sign, no exponent. Throws Error(job) that begins with `name` and says what is wrong.
Fraction parse_fraction(std::string_view text, std::string_view name);

// 0.25 where nine decimals say it exactly, else 1/3. parse_fraction reads it back.
std::string fraction_text(const Fraction& fraction);

}  // namespace shoal
