#include "shoal/hierarchy/label_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "shoal/nearest_word.h"

namespace shoal {
namespace {

constexpr size_t kLongestQuote = 60;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

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

std::optional<double> label_number(std::string_view text) {
  text = without_blanks(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::string number_label(double number) { return fmt::format("{}", number == 0 ? 0.0 : number); }

std::string meant_label(std::string_view word, std::span<const std::string_view> candidates) {
  const auto nearest = nearest_word(word, candidates, WordKind::value);
  return nearest ? "; did you mean " + quoted_label(*nearest) + "?" : "";
}

}  // namespace shoal
