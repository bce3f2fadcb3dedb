// Codes that say more with every character: E11.9 -> E11* -> E*. ICD, NUTS, zip, NACE, ISCO.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/choose_builder.h"
#include "shoal/hierarchy/label_text.h"

namespace shoal {
namespace {

constexpr std::string_view kMarks = ".-/ ";
constexpr size_t kMostCharacters = 64;

// Where the first `kept` characters end (UTF-8), without a mark that would stand at their end: "E11." is "E11".
size_t end_of(std::string_view text, size_t kept) {
  size_t at = 0;
  for (size_t characters = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && characters++ == kept) break;
  }
  while (at > 0 && at < text.size() && kMarks.find(text[at - 1]) != std::string_view::npos) --at;
  return at;
}

size_t length_of(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

size_t longest_of(std::span<const std::string> values) {
  size_t longest = 0;
  for (const std::string& value : values) longest = std::max(longest, length_of(value));
  return longest;
}

size_t prefixes(std::span<const std::string> values, size_t kept) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& value : values) seen.insert(std::string_view(value).substr(0, end_of(value, kept)));
  return seen.size();
}

}  // namespace

// A level is worth having when it halves what the level below it has, and the coarsest one still tells two apart.
std::vector<size_t> code_levels(std::span<const std::string> values) {
  std::vector<size_t> levels;
  size_t below = values.size();
  for (size_t kept = std::min(longest_of(values), kMostCharacters); kept-- > 1;) {
    const size_t count = prefixes(values, kept);
    if (count < 2) break;
    if (count * 2 > below) continue;
    levels.push_back(kept);
    below = count;
  }
  return levels;
}

Tree build_codes(const BuilderSpec& spec, std::span<const std::string> values) {
  const BuilderSettings settings(spec, {"levels"});
  std::vector<size_t> levels;  // finest first
  for (const std::string& part : settings.list("levels")) {
    const auto number = label_number(part);
    if (!number || *number < 1 || *number > kMostCharacters ||
        *number != static_cast<double>(static_cast<size_t>(*number))) {
      settings.refuse("levels",
                      fmt::format("has {}; it lists how many characters are kept, as in 3,1", quoted_label(part)));
    }
    levels.push_back(static_cast<size_t>(*number));
    if (levels.size() > 1 && levels[levels.size() - 2] <= levels.back()) {
      settings.refuse("levels", "must go from many characters to few, as in 3,1");
    }
  }
  if (!settings.has("levels")) levels = code_levels(values);

  std::vector<size_t> masked;
  for (size_t value = 0; value < values.size(); ++value) {
    if (values[value].ends_with('*')) masked.push_back(value);
  }
  if (!masked.empty()) {
    refuse_values(values, masked, "end in * as shortened codes do",
                  "list them under `missing` in the job if that is what they mean");
  }
  std::vector<std::string> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  GrowingTree tree;
  for (const std::string& value : sorted) {
    uint32_t node = 0;
    for (size_t i = levels.size(); i-- > 0;) {
      // E11 itself stands under E11*: what is released as E11* may be any of them.
      const size_t end = end_of(value, levels[i]);
      if (length_of(value) < levels[i] || end == 0) break;
      node = tree.inner(node, value.substr(0, end) + "*");
    }
    tree.leaf(node, value);
  }
  return std::move(tree).take();
}

}  // namespace shoal
