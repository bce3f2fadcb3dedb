#include "shoal/hierarchy/hierarchy.h"

#include <algorithm>

namespace shoal {

Hierarchy::Hierarchy(std::vector<NodeInfo> nodes, std::vector<std::vector<Node>> level_nodes,
                     std::vector<double> numbers, std::optional<Leaf> missing)
    : nodes_(std::move(nodes)),
      children_(nodes_.size()),
      level_nodes_(std::move(level_nodes)),
      numbers_(std::move(numbers)),
      missing_(missing) {
  leaf_nodes_ = level_nodes_.front();
  for (Node node = 1; node < nodes_.size(); ++node) children_[nodes_[node].parent].push_back(node);
  for (auto& siblings : children_) {
    std::sort(siblings.begin(), siblings.end(), [&](Node a, Node b) { return nodes_[a].first < nodes_[b].first; });
  }
  if (!numbers_.empty()) {
    const size_t known = numbers_.size() - (missing_ ? 1 : 0);
    if (known > 0) number_range_ = numbers_[known - 1] - numbers_[0];
  }
}

}  // namespace shoal
