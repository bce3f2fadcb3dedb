#include "shoal/hierarchy/label_text.h"

#include <fmt/format.h>

#include "shoal/nearest_word.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr size_t kLongestQuote = 60;

}  // namespace

std::string quoted_label(std::string_view label) {
  std::string text(label.substr(0, kLongestQuote));
  if (label.size() > kLongestQuote) {
    // Not in the middle of a UTF-8 character.
    while (!text.empty() && (static_cast<unsigned char>(label[text.size()]) & 0xC0) == 0x80) text.pop_back();
    text += "...";
  }
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return "'" + text + "'";
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<double> label_number(std::string_view text) { return parse_number(without_blanks(text)); }

std::optional<Decimal> label_decimal(std::string_view text) { return Decimal::parse(without_blanks(text)); }

std::string number_label(double number) { return fmt::format("{}", number == 0 ? 0.0 : number); }

std::string number_label(const Decimal& number) {
  std::string text = number_label(number.nearest_double());
  return Decimal::parse(text) == number ? text : number.text();
}

std::string meant_label(std::string_view word, std::span<const std::string_view> candidates) {
  const auto nearest = nearest_word(word, candidates, WordKind::value);
  return nearest ? "; did you mean " + quoted_label(*nearest) + "?" : "";
}

}  // namespace shoal
