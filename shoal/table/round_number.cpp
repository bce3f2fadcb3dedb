#include "shoal/table/round_number.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>

namespace shoal {
namespace {

// |number| in units of 10^exponent, the part after the point cut off.
struct Units {
  std::string digits;
  bool exact;
};
Units in_units(const Decimal& number, int64_t exponent) {
  const std::string digits = number.digits();
  if (number.sign() == 0) return {"0", true};
  if (number.exponent() >= exponent) {
    return {digits + std::string(static_cast<size_t>(number.exponent() - exponent), '0'), true};
  }
  const int64_t kept = static_cast<int64_t>(digits.size()) + number.exponent() - exponent;
  return {kept <= 0 ? "0" : digits.substr(0, static_cast<size_t>(kept)), false};
}

void add(std::string& digits, int amount) {
  for (size_t i = digits.size(); i > 0 && amount > 0; --i) {
    const int sum = digits[i - 1] - '0' + amount;
    digits[i - 1] = static_cast<char>('0' + sum % 10);
    amount = sum / 10;
  }
  if (amount > 0) digits.insert(0, 1, static_cast<char>('0' + amount));
}

// Ten is a multiple of 2 and of 5, so that the last digit alone says what is left over.
Decimal rounded(const Decimal& number, const RoundStep& step, bool away_from_zero) {
  Units units = in_units(number, step.exponent);
  const int over = (units.digits.back() - '0') % step.digit;
  units.digits.back() = static_cast<char>(units.digits.back() - over);
  if (away_from_zero && (over > 0 || !units.exact)) add(units.digits, step.digit);
  return Decimal::from_digits(number.sign() < 0, units.digits, step.exponent);
}

}  // namespace

std::optional<RoundStep> largest_step(double most) {
  if (!(most > 0) || !std::isfinite(most)) return std::nullopt;
  // Its first digit and its exponent decide: no logarithm that machines might round differently.
  const std::string text = fmt::format("{:.17e}", most);
  const size_t mark = text.find('e');
  RoundStep step;
  const char first = text.front();
  step.digit = first >= '5' ? 5 : first >= '2' ? 2 : 1;
  const size_t from = mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + from, text.data() + text.size(), step.exponent);
  return step;
}

bool is_finer(const RoundStep& a, const RoundStep& b) {
  return a.exponent != b.exponent ? a.exponent < b.exponent : a.digit < b.digit;
}

Decimal round_down(const Decimal& number, const RoundStep& step) { return rounded(number, step, number.sign() < 0); }
Decimal round_up(const Decimal& number, const RoundStep& step) { return rounded(number, step, number.sign() > 0); }

}  // namespace shoal
