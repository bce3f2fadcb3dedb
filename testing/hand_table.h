// Tables and hierarchies written down by hand, for the worked examples of the papers.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/table/table.h"

namespace shoal::testing {

// A level table: one line per leaf, in leaf order, from the leaf's label to "*". All lines equally long; nodes of one
// level with the same label are one node. `numbers`: empty, or the number of each leaf.
inline Hierarchy hand_hierarchy(const std::vector<std::vector<std::string>>& lines, std::vector<double> numbers = {}) {
  const size_t height = lines.front().size() - 1;
  const auto leaves = static_cast<uint32_t>(lines.size());
  std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, leaves - 1}};
  std::vector<std::vector<uint32_t>> level_nodes(height + 1, std::vector<uint32_t>(leaves, 0));
  for (size_t level = height; level-- > 0;) {
    std::map<std::string, uint32_t> known;
    for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
      const auto [found, fresh] = known.emplace(lines[leaf][level], static_cast<uint32_t>(nodes.size()));
      const auto depth = static_cast<uint32_t>(height - level);
      if (fresh) nodes.push_back({lines[leaf][level], level_nodes[level + 1][leaf], depth, leaf, leaf});
      nodes[found->second].last = leaf;
      level_nodes[level][leaf] = found->second;
    }
  }
  return Hierarchy(std::move(nodes), std::move(level_nodes), std::move(numbers), std::nullopt);
}

// Every value directly under the root.
inline Hierarchy hand_flat(const std::vector<std::string>& values, std::vector<double> numbers = {}) {
  std::vector<std::vector<std::string>> lines;
  for (const std::string& value : values) lines.push_back({value, "*"});
  return hand_hierarchy(lines, std::move(numbers));
}

// A column of texts, each the label of a leaf.
inline Column hand_column(const std::string& name, const Hierarchy& hierarchy, const std::vector<std::string>& cells) {
  Column column{name, Codes(cells.size(), hierarchy.leaves()), {}};
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    column.values.push_back(hierarchy.node(hierarchy.leaf_node(leaf)).label);
  }
  for (size_t row = 0; row < cells.size(); ++row) {
    const auto value = std::find(column.values.begin(), column.values.end(), cells[row]);
    column.codes.set(row, static_cast<uint32_t>(value - column.values.begin()));
  }
  return column;
}

}  // namespace shoal::testing
