// Masks: 53711 -> 5371* -> 537** -> 53*** -> 5**** -> *.

#include <fmt/format.h>

#include <algorithm>

#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree_draft.h"

namespace shoal {
namespace {

// Where each UTF-8 character begins, and at last the end. Bytes that are no UTF-8 count one character each.
std::vector<size_t> character_starts(std::string_view text) {
  std::vector<size_t> starts;
  for (size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 || at == 0) starts.push_back(at);
  }
  starts.push_back(text.size());
  return starts;
}

std::string repeated(const std::string& character, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += character;
  return text;
}

}  // namespace

Tree build_mask(const BuilderSpec& spec, std::span<const std::string> values) {
  const BuilderSettings settings(spec, {"character", "from"});
  const std::string character = settings.text("character", "*");
  if (character_starts(character).size() != 2) settings.refuse("character", "must be one character");
  const std::string from = settings.text("from", "right");
  if (from != "right" && from != "left") settings.refuse("from", "must be right or left");

  // A mask character inside a value would make 5*** from 5* and from 5.
  std::vector<size_t> masked, too_long;
  size_t longest = 0;
  for (size_t value = 0; value < values.size(); ++value) {
    if (values[value].find(character) != std::string::npos) masked.push_back(value);
    const size_t length = character_starts(values[value]).size() - 1;
    if (length > kDeepestTree) too_long.push_back(value);
    longest = std::max(longest, length);
  }
  if (!masked.empty()) {
    refuse_values(values, masked, fmt::format("contain the mask character {} themselves", quoted_label(character)),
                  "choose another with character=, as in character=#");
  }
  if (!too_long.empty()) {
    refuse_values(values, too_long, fmt::format("are longer than {} characters, too long for masks", kDeepestTree),
                  "shorten them, or use a hierarchy file");
  }

  // All labels are as long as the longest value: the number of mask characters says how much is kept, so that no two
  // labels are the same. A shorter value hangs under the label that keeps all of it, as if padded.
  std::vector<std::string> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  GrowingTree tree;
  for (const std::string& value : sorted) {
    const std::vector<size_t> starts = character_starts(value);
    const size_t length = starts.size() - 1;
    uint32_t node = 0;
    for (size_t kept = 1; kept <= std::min(length, longest - 1); ++kept) {
      const std::string mask = repeated(character, longest - kept);
      node = tree.inner(
          node, from == "right" ? value.substr(0, starts[kept]) + mask : mask + value.substr(starts[length - kept]));
    }
    tree.leaf(node, value);
  }
  return std::move(tree).take();
}

}  // namespace shoal
