#include "shoal/nearest_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace shoal {
namespace {

std::string folded(std::string_view word) {
  while (!word.empty() && (word.front() == ' ' || word.front() == '\t')) word.remove_prefix(1);
  while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.remove_suffix(1);
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return result;
}

bool is_number(std::string_view word) {
  double number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size();
}

size_t slips_allowed(std::string_view word, size_t letters, WordKind kind) {
  // A word without a letter in common is never near.
  if (kind == WordKind::name) return std::min({size_t{3}, std::max<size_t>(1, letters / 3), letters - 1});
  return letters < 4 || is_number(word) ? 0 : letters < 8 ? 1 : 2;
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

std::optional<std::string> nearest_word(std::string_view word, std::span<const std::string_view> candidates,
                                        WordKind kind) {
  const std::string wanted = folded(word);
  if (wanted.empty()) return std::nullopt;
  size_t limit = slips_allowed(word, wanted.size(), kind);
  std::optional<std::string> best;
  for (std::string_view candidate : candidates) {
    if (candidate == word) continue;
    const size_t distance = edit_distance(wanted, folded(candidate), limit);
    if (distance > limit) continue;
    best = std::string(candidate);
    if (distance == 0) break;
    limit = distance - 1;  // a later one must be nearer
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> names(candidates.begin(), candidates.end());
  const auto nearest = nearest_word(word, names, WordKind::name);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

}  // namespace shoal
