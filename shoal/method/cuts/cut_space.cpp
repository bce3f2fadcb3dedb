#include "shoal/method/cuts/cut_space.h"

#include <algorithm>

namespace shoal {

size_t CutHash::operator()(const Cut& cut) const {
  uint64_t hash = 0;
  for (uint64_t word : cut.words) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 29;
  }
  return static_cast<size_t>(hash ^ (hash >> 32));
}

CutSpace::CutSpace(const std::vector<Hierarchy>& hierarchies, const std::vector<Requirement>& requirements)
    : hierarchies_(&hierarchies), raise_of_(hierarchies.size()) {
  for (const Requirement& requirement : requirements) {
    columns_.insert(columns_.end(), requirement.columns.begin(), requirement.columns.end());
  }
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());

  for (uint32_t column = 0; column < hierarchies.size(); ++column) {
    first_raise_.push_back(static_cast<uint32_t>(raises_.size()));
    const Hierarchy& tree = hierarchies[column];
    raise_of_[column].assign(tree.nodes(), kNone);
    if (!std::binary_search(columns_.begin(), columns_.end(), size_t{column})) continue;
    // Preorder with an explicit stack, for a tree may be deep.
    std::vector<Hierarchy::Node> open{Hierarchy::kRoot};
    while (!open.empty()) {
      const Hierarchy::Node node = open.back();
      open.pop_back();
      if (tree.is_leaf(node)) continue;
      raise_of_[column][node] = static_cast<uint32_t>(raises_.size());
      const uint32_t parent = node == Hierarchy::kRoot ? kNone : raise_of_[column][tree.node(node).parent];
      raises_.push_back({column, node, parent, static_cast<uint32_t>(raises_.size() + 1)});
      const auto& children = tree.children(node);
      open.insert(open.end(), children.rbegin(), children.rend());
    }
    for (size_t i = raises_.size(); i-- > first_raise_.back();) {
      const Raise& raise = raises_[i];
      if (raise.parent != kNone) raises_[raise.parent].end = std::max(raises_[raise.parent].end, raise.end);
    }
  }
  first_raise_.push_back(static_cast<uint32_t>(raises_.size()));
}

Cut CutSpace::lowest() const { return {std::vector<uint64_t>((raises_.size() + 63) / 64, 0)}; }

Cut CutSpace::highest() const {
  Cut cut = lowest();
  for (uint32_t raise = 0; raise < raises_.size(); ++raise) cut.add(raise);
  return cut;
}

void CutSpace::raise_to(Cut& cut, uint32_t raise) const {
  for (uint32_t below = raise; below < raises_[raise].end; ++below) cut.add(below);
}

void CutSpace::keep_below(Cut& cut, uint32_t raise) const {
  for (; raise != kNone; raise = raises_[raise].parent) cut.remove(raise);
}

void CutSpace::release_map(const Cut& cut, size_t column, std::vector<Hierarchy::Node>& map) const {
  const Hierarchy& tree = (*hierarchies_)[column];
  map.resize(tree.nodes());
  for (Hierarchy::Node node = 0; node < tree.nodes(); ++node) {  // parents stand before their children
    const uint32_t above = raise_above(column, node);
    map[node] = above != kNone && cut.has(above) ? map[tree.node(node).parent] : node;
  }
}

Recoding CutSpace::recoding(const Cut& cut) const {
  ValueRecoding recoding;
  std::vector<Hierarchy::Node> map;
  for (size_t column = 0; column < hierarchies_->size(); ++column) {
    const Hierarchy& tree = (*hierarchies_)[column];
    release_map(cut, column, map);
    auto& values = recoding.value_map.emplace_back();
    for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) {
      values.push_back(released_node(tree, map[tree.leaf_node(leaf)]));
    }
  }
  return {std::move(recoding)};
}

}  // namespace shoal
