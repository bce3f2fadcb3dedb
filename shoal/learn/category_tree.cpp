#include "shoal/learn/category_tree.h"

#include <algorithm>

namespace shoal {
namespace {

// Labels to nodes. A label that stands on several levels (a value repeated in a level table) is its topmost node.
std::unordered_map<std::string, uint32_t> nodes_by_label(const std::optional<LabelTree>& tree) {
  std::unordered_map<std::string, uint32_t> nodes;
  if (!tree) return nodes;
  for (uint32_t node = 0; node < tree->labels.size(); ++node) nodes.emplace(tree->labels[node], node);
  return nodes;
}

}  // namespace

std::vector<std::string> CategoryTree::finest(const std::set<std::string>& texts,
                                              const std::optional<LabelTree>& tree) {
  const auto nodes = nodes_by_label(tree);
  std::set<uint32_t> with_text_below;
  for (const std::string& text : texts) {
    const auto found = nodes.find(text);
    if (found == nodes.end()) continue;
    for (uint32_t node = found->second; node != 0;) {
      node = tree->parents[node];
      if (!with_text_below.insert(node).second) break;
    }
  }
  std::vector<std::string> categories;
  for (const std::string& text : texts) {
    const auto found = nodes.find(text);
    if (found == nodes.end() || !with_text_below.contains(found->second)) categories.push_back(text);
  }
  return categories;
}

CategoryTree::CategoryTree(std::span<const std::string> categories, const std::optional<LabelTree>& tree)
    : nodes_(nodes_by_label(tree)) {
  if (tree) parents_ = tree->parents;
  below_.resize(parents_.size());
  category_of_node_.assign(parents_.size(), Attribute::kMissing);
  for (uint32_t category = 0; category < categories.size(); ++category) {
    categories_.emplace(categories[category], category);
    const auto found = nodes_.find(categories[category]);
    if (found == nodes_.end()) continue;
    category_of_node_[found->second] = category;
    for (uint32_t node = found->second;; node = parents_[node]) {
      below_[node].push_back(category);
      if (node == 0) break;
    }
  }
}

std::vector<uint32_t> CategoryTree::meaning(std::string_view text) const {
  const std::string name(text);
  if (const auto category = categories_.find(name); category != categories_.end()) return {category->second};
  const auto found = nodes_.find(name);
  if (found == nodes_.end()) return {};
  for (uint32_t node = found->second; node != 0; node = parents_[node]) {
    if (category_of_node_[node] != Attribute::kMissing) return {category_of_node_[node]};
  }
  for (uint32_t node = found->second; node != 0; node = parents_[node]) {
    if (!below_[node].empty()) return below_[node];
  }
  return {};
}

}  // namespace shoal
