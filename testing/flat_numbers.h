// Random tables whose numeric columns have no inner nodes: local recodings release ranges there.
#pragma once

#include <vector>

#include "testing/random_problem.h"

namespace shoal::testing {

// The numeric columns of the table (some of them) lose their trees: ranges are released then.
inline void flatten_numbers(RandomTables& random, RandomTable& table) {
  for (Hierarchy& hierarchy : table.hierarchies) {
    if (!hierarchy.numeric() || random.draw(0, 2) == 0) continue;
    const auto leaves = static_cast<uint32_t>(hierarchy.leaves());
    std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, leaves - 1}};
    std::vector<std::vector<uint32_t>> levels(2, std::vector<uint32_t>(leaves, 0));
    std::vector<double> numbers;
    for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
      nodes.push_back({hierarchy.node(hierarchy.leaf_node(leaf)).label, 0, 1, leaf, leaf});
      levels[0][leaf] = leaf + 1;
      numbers.push_back(hierarchy.number(leaf));
    }
    hierarchy = Hierarchy(nodes, levels, numbers, hierarchy.missing());
  }
}

}  // namespace shoal::testing
