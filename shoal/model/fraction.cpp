#include "shoal/model/fraction.h"

#include <fmt/format.h>

#include <numeric>

#include "shoal/error.h"

namespace shoal {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view text, const char* why) {
  throw Error(ErrorKind::job, fmt::format("{} is '{}', {}", name, text, why));
}

struct Digits {
  uint64_t number = 0;
  int count = 0;
};

// Digits from the front of `text`, taken off it; `so_far` are those that stand before them.
Digits take_digits(std::string_view& text, Digits so_far, bool& too_large) {
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    if (so_far.number > Fraction::kLimit) too_large = true;
    if (!too_large) so_far.number = so_far.number * 10 + static_cast<uint64_t>(text.front() - '0');
    ++so_far.count;
    text.remove_prefix(1);
  }
  return so_far;
}

}  // namespace

Fraction parse_fraction(std::string_view text, std::string_view name) {
  constexpr const char* kForm = "which is not a number such as 3, 0.25 or 1/3";
  std::string_view rest = text;
  bool too_large = false;
  Digits digits = take_digits(rest, {}, too_large);
  Fraction fraction{digits.number, 1};
  if (!rest.empty() && rest.front() == '/' && digits.count > 0) {
    rest.remove_prefix(1);
    const Digits below_line = take_digits(rest, {}, too_large);
    if (below_line.count == 0 || !rest.empty()) refuse(name, text, kForm);
    if (!too_large && below_line.number == 0) refuse(name, text, "which divides by zero");
    fraction.denominator = below_line.number;
  } else if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    while (!rest.empty() && rest.back() == '0') rest.remove_suffix(1);  // 0.5000000000000 is 0.5
    const int before = digits.count;
    digits = take_digits(rest, digits, too_large);
    const bool any = before > 0 || digits.count > 0 || text.size() > 1;
    if (!any || text == "." || !rest.empty()) refuse(name, text, kForm);
    fraction.numerator = digits.number;
    for (int i = before; i < digits.count && !too_large; ++i) {
      fraction.denominator *= 10;
      too_large = fraction.denominator > Fraction::kLimit;
    }
  } else if (!rest.empty() || digits.count == 0) {
    refuse(name, text, kForm);
  }
  if (!too_large) {
    const uint64_t common = std::gcd(fraction.numerator, fraction.denominator);
    fraction = {fraction.numerator / common, fraction.denominator / common};
  }
  if (too_large || fraction.numerator > Fraction::kLimit || fraction.denominator > Fraction::kLimit)
    refuse(name, text, "which has more digits than a parameter may have (nine)");
  return fraction;
}

std::string fraction_text(const Fraction& fraction) {
  if (fraction.whole()) return fmt::format("{}", fraction.numerator);
  uint64_t power = 1;
  int decimals = 0;
  while (decimals <= 9 && power % fraction.denominator != 0) {
    power *= 10;
    ++decimals;
  }
  if (decimals > 9) return fmt::format("{}/{}", fraction.numerator, fraction.denominator);
  const uint64_t scaled = fraction.numerator * (power / fraction.denominator);  // at most 10^18
  if (scaled > Fraction::kLimit) return fmt::format("{}/{}", fraction.numerator, fraction.denominator);
  return fmt::format("{}.{:0{}}", scaled / power, scaled % power, decimals);
}

}  // namespace shoal
