// Rare values join: what few rows have is released as "other (under 1 %)".

#include <fmt/format.h>

#include <algorithm>

#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/label_text.h"

namespace shoal {
namespace {

// Ascending shares of the rows, as written and as numbers.
struct Share {
  std::string percent;
  double share;
};

std::vector<Share> shares_of(const BuilderSettings& settings) {
  std::vector<std::string> parts = settings.list("below");
  if (parts.empty()) parts = {"0.01", "0.05"};
  std::vector<Share> shares;
  for (const std::string& part : parts) {
    const auto share = label_number(part);
    if (!share || !(*share > 0 && *share < 1)) {
      settings.refuse("below", fmt::format("has {}; it lists shares of the rows between 0 and 1", quoted_label(part)));
    }
    if (!shares.empty() && shares.back().share >= *share) settings.refuse("below", "must ascend, as in 0.01,0.05");
    shares.push_back({fmt::format("{:.6g}", *share * 100), *share});
  }
  return shares;
}

}  // namespace

Tree build_frequency(const BuilderSpec& spec, std::span<const std::string> values, std::span<const uint64_t> counts) {
  const BuilderSettings settings(spec, {"below"});
  const std::vector<Share> shares = shares_of(settings);
  uint64_t rows = 0;
  for (size_t value = 0; value < values.size(); ++value) rows += counts.empty() ? 1 : counts[value];
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });

  // How many values each node would hold: a node over one value, or over the same values as the one inside it, says
  // nothing more.
  const auto share_of = [&](size_t value) {
    return static_cast<double>(counts.empty() ? 1 : counts[value]) / static_cast<double>(std::max<uint64_t>(rows, 1));
  };
  std::vector<size_t> held;
  for (const Share& share : shares) {
    held.push_back(static_cast<size_t>(
        std::count_if(order.begin(), order.end(), [&](size_t value) { return share_of(value) < share.share; })));
  }
  std::vector<size_t> kept;  // of the shares
  for (size_t i = 0; i < shares.size(); ++i) {
    if (held[i] < 2 || held[i] == values.size() || (!kept.empty() && held[kept.back()] == held[i])) continue;
    kept.push_back(i);
  }
  const auto label = [&](const Share& share) {
    std::string text = fmt::format("other (under {} %)", share.percent);
    while (std::find(values.begin(), values.end(), text) != values.end()) text.insert(0, "all ");
    return text;
  };
  GrowingTree tree;
  for (const size_t value : order) {
    uint32_t node = 0;
    for (size_t i = kept.size(); i-- > 0;) {
      if (share_of(value) < shares[kept[i]].share) node = tree.inner(node, label(shares[kept[i]]));
    }
    tree.leaf(node, values[value]);
  }
  return std::move(tree).take();
}

}  // namespace shoal
