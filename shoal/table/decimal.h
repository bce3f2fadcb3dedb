// Numbers as they are written: decimals of any length, compared exactly.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

// A decimal number. Numbers of up to 18 digits need no memory of their own; all comparisons are exact.
class Decimal {
 public:
  Decimal() = default;  // 0
  // Takes the texts that parse_number (number.h) takes, and no others. "1", "1.0" and "+10e-1" are equal.
  static std::optional<Decimal> parse(std::string_view text);
  // digits * 10^exponent, however large. Requires: digits are digits, with at most one point among them.
  static Decimal from_digits(bool negative, std::string_view digits, int64_t exponent);

  std::strong_ordering operator<=>(const Decimal& other) const;
  bool operator==(const Decimal& other) const = default;

  int sign() const { return sign_; }
  // The number is sign() * digits() * 10^exponent(); digits() neither begins nor ends with a zero, and is "0" for 0.
  std::string digits() const;
  int64_t exponent() const { return sign_ == 0 ? 0 : magnitude_ - static_cast<int64_t>(digit_count()); }
  // Parses as the same number: written out where that is short, else with an exponent.
  std::string text() const;
  double nearest_double() const;
  uint64_t hash() const;

 private:
  size_t digit_count() const;

  int8_t sign_ = 0;
  int64_t magnitude_ = 0;  // the number lies in [10^(magnitude-1), 10^magnitude)
  uint64_t lead_ = 0;      // the first 18 digits, zeros behind where there are fewer
  std::string rest_;       // further digits, without zeros at the end
};

struct DecimalHash {
  size_t operator()(const Decimal& number) const { return number.hash(); }
};

// Both ends of a released range `[lo,hi]`; nothing for other texts.
struct DecimalRange {
  Decimal low, high;
  bool contains(const Decimal& number) const { return low <= number && number <= high; }
};
std::optional<DecimalRange> parse_decimal_range(std::string_view text);

// Places in the exact order of the numbers that the texts spell: equal numbers share a place, and places are counted
// through from 0. `numbers`: the doubles of the texts, which decide alone wherever they differ, since rounding to a
// double keeps the order. Requires: parse_number(texts[i]) == numbers[i].
std::vector<uint32_t> exact_places(std::span<const std::string_view> texts, std::span<const double> numbers);

// A sum of decimals without rounding. Holds a word for every nine digits between its largest and smallest part.
class ExactSum {
 public:
  // Requires: fewer than 2^60 times in all.
  void add(const Decimal& number, int64_t times = 1);
  void add(const ExactSum& other, int64_t times);
  int sign() const;
  Decimal total() const;

 private:
  __extension__ using Word = __int128;
  // words_[i] counts units of 10^(9 * (first_ + i)); a word may be negative or carry more than nine digits.
  std::vector<Word> words_;
  int64_t first_ = 0;
  Word& word(int64_t place);
};

// total / count, rounded to `decimals` places after the point (a tie to the even digit), with all of them written:
// "30.50". Requires: count > 0, decimals >= 0.
std::string mean_text(const ExactSum& total, uint64_t count, int decimals);

}  // namespace shoal
