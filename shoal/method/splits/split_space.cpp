// Bayardo and Agrawal order every domain and part it anywhere; their section on hierarchies allows only borders that
// leave whole nodes. Both are one thing here: a split is a set of borders. Nodes with one child have no border and no
// split: the lowest node with a piece's leaves is what is released, which tells most and groups alike.
#include "shoal/method/splits/split_space.h"

#include <algorithm>

namespace shoal {

SplitSpace::SplitSpace(const std::vector<Hierarchy>& hierarchies, const std::vector<Requirement>& requirements)
    : hierarchies_(&hierarchies) {
  for (const Requirement& requirement : requirements) {
    columns_.insert(columns_.end(), requirement.columns.begin(), requirement.columns.end());
  }
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
  for (uint32_t column = 0; column < hierarchies.size(); ++column) {
    const Hierarchy& tree = hierarchies[column];
    first_split_.push_back(static_cast<uint32_t>(splits_.size()));
    split_before_.emplace_back(tree.leaves(), kNone);
    if (!std::binary_search(columns_.begin(), columns_.end(), size_t{column})) continue;
    if (tree.releases_ranges() && !tree.has_inner_nodes()) {
      add_borders(column, tree);
    } else {
      add_nodes(column, tree);
    }
    for (uint32_t i = static_cast<uint32_t>(splits_.size()); i-- > first_split_.back();) {
      Split& split = splits_[i];
      split.end = std::max(split.end, i + 1);
      if (split.parent != kNone) splits_[split.parent].end = std::max(splits_[split.parent].end, split.end);
    }
  }
  first_split_.push_back(static_cast<uint32_t>(splits_.size()));
}

void SplitSpace::push(Split split) {
  for (uint32_t start : split.starts) split_before_[split.column][start] = static_cast<uint32_t>(splits_.size());
  splits_.push_back(std::move(split));
}

// Missing cells are no numbers: no range has them, so that they are split off before any border is of use.
void SplitSpace::add_borders(uint32_t column, const Hierarchy& tree) {
  auto numbers = static_cast<uint32_t>(tree.leaves());
  uint32_t parent = kNone;
  if (tree.missing() && numbers > 1) {
    --numbers;
    parent = static_cast<uint32_t>(splits_.size());
    push({column, kNone, 0, 0, numbers, {numbers}, false});
  }
  for (uint32_t leaf = 1; leaf < numbers; ++leaf) push({column, parent, 0, 0, numbers - 1, {leaf}, true});
}

void SplitSpace::add_nodes(uint32_t column, const Hierarchy& tree) {
  if (tree.leaves() == 0) return;
  // Preorder with an explicit stack, for a tree may be deep.
  std::vector<std::pair<Hierarchy::Node, uint32_t>> open{{Hierarchy::kRoot, kNone}};
  while (!open.empty()) {
    auto [node, parent] = open.back();
    open.pop_back();
    if (tree.is_leaf(node)) continue;
    const auto& children = tree.children(node);
    if (children.size() > 1) {
      Split split{column, parent, 0, tree.node(node).first, tree.node(node).last, {}, false};
      for (size_t i = 1; i < children.size(); ++i) split.starts.push_back(tree.node(children[i]).first);
      parent = static_cast<uint32_t>(splits_.size());
      push(std::move(split));
    }
    for (auto child = children.rbegin(); child != children.rend(); ++child) open.emplace_back(*child, parent);
  }
}

void SplitSpace::add(SplitSet& set, uint32_t split) const {
  for (; split != kNone; split = splits_[split].parent) set[split] = 1;
}

void SplitSpace::remove(SplitSet& set, uint32_t split) const {
  std::fill(set.begin() + split, set.begin() + splits_[split].end, uint8_t{0});
}

void SplitSpace::close(SplitSet& set) const {
  for (uint32_t i = 0; i < splits_.size(); ++i) {  // parents stand before their children
    const uint32_t parent = splits_[i].parent;
    if (parent != kNone && !set[parent]) set[i] = 0;
  }
}

std::vector<uint32_t> SplitSpace::pieces(const SplitSet& set, size_t column) const {
  const std::vector<uint32_t>& before = split_before_[column];
  std::vector<uint32_t> first(before.size());
  for (uint32_t leaf = 1; leaf < first.size(); ++leaf) {
    first[leaf] = before[leaf] == kNone || set[before[leaf]] ? leaf : first[leaf - 1];
  }
  return first;
}

std::vector<TupleTable::NodeMap> SplitSpace::maps(const SplitSet& set) const {
  std::vector<TupleTable::NodeMap> maps(hierarchies_->size());
  for (size_t column : columns_) {
    const Hierarchy& tree = (*hierarchies_)[column];
    const std::vector<uint32_t> first = pieces(set, column);
    maps[column].resize(tree.nodes());
    for (Hierarchy::Node node = 0; node < tree.nodes(); ++node) maps[column][node] = node;
    for (uint32_t leaf = 0; leaf < first.size(); ++leaf) {
      maps[column][tree.leaf_node(leaf)] = tree.leaf_node(first[leaf]);
    }
  }
  return maps;
}

Released SplitSpace::released(size_t column, uint32_t first, uint32_t last) const {
  const Hierarchy& tree = (*hierarchies_)[column];
  if (first == last) return released_leaf(tree, first);
  if (last - first + size_t{1} == tree.leaves()) return released_node(tree, Hierarchy::kRoot);
  if (tree.has_inner_nodes()) return released_node(tree, tree.common_ancestor(first, last));
  return released_interval(tree, first, last);
}

Recoding SplitSpace::recoding(const SplitSet& set) const {
  ValueRecoding recoding;
  for (size_t column = 0; column < hierarchies_->size(); ++column) {
    const std::vector<uint32_t> first = pieces(set, column);
    std::vector<uint32_t> last(first.size());
    for (uint32_t leaf = 0; leaf < first.size(); ++leaf) last[first[leaf]] = leaf;
    auto& values = recoding.value_map.emplace_back();
    for (uint32_t leaf : first) values.push_back(released(column, leaf, last[leaf]));
  }
  return {std::move(recoding)};
}

}  // namespace shoal
