// Cells as numbers.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace shoal {

// Decimal or exponent form, finite, a plus sign and blanks around it allowed; nothing else.
inline std::optional<double> parse_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

// "02139" is a code, not a number: reading it as one would lose the zero.
inline bool has_leading_zero(std::string_view text) {
  return text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
}

// The text of a released range `[lo,hi]`, as two numbers.
struct NumberRange {
  double low, high;
};
inline std::optional<NumberRange> parse_range(std::string_view text) {
  const size_t comma = text.find(',');
  if (text.size() < 5 || text.front() != '[' || text.back() != ']' || comma == std::string_view::npos)
    return std::nullopt;
  const auto low = parse_number(text.substr(1, comma - 1));
  const auto high = parse_number(text.substr(comma + 1, text.size() - comma - 2));
  if (!low || !high) return std::nullopt;
  return NumberRange{*low, *high};
}

}  // namespace shoal
