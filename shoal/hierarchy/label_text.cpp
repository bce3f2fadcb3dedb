#include "shoal/hierarchy/label_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

namespace shoal {
namespace {

constexpr size_t kLongestQuote = 60;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string folded(std::string_view text) {
  std::string result(without_blanks(text));
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Edits (insert, delete, replace, swap of neighbours) from a to b, or limit + 1 when there are more.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  const size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t least = row[0];
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return limit + 1;
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit + 1);
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

std::optional<std::string> nearest_label(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string wanted = folded(word);
  if (wanted.empty()) return std::nullopt;
  // Numbers and very short codes are all a slip away from each other: only case and blanks count there.
  size_t limit = wanted.size() < 4 || label_number(wanted) ? 0 : wanted.size() < 8 ? 1 : 2;
  std::optional<std::string> best;
  for (std::string_view candidate : candidates) {
    const size_t distance = edit_distance(wanted, folded(candidate), limit);
    if (distance > limit) continue;
    best = std::string(candidate);
    if (distance == 0) break;
    limit = distance - 1;  // a later one must be nearer
  }
  return best;
}

std::string meant_label(std::string_view word, std::span<const std::string_view> candidates) {
  const auto nearest = nearest_label(word, candidates);
  return nearest ? "; did you mean " + quoted_label(*nearest) + "?" : "";
}

}  // namespace shoal
