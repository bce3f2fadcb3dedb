#include "shoal/measure/cell_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/hand_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Node = Hierarchy::NodeInfo;

// Uneven: * -> {low -> {a, b}, solo -> {c}, d, missing}.
Hierarchy uneven() {
  const std::vector<Node> nodes{{"*", 0, 0, 0, 4},    {"low", 0, 1, 0, 1}, {"a", 1, 2, 0, 0}, {"b", 1, 2, 1, 1},
                                {"solo", 0, 1, 2, 2}, {"c", 4, 2, 2, 2},   {"d", 0, 1, 3, 3}, {"", 0, 1, 4, 4}};
  return Hierarchy(nodes, {{2, 3, 5, 6, 7}, {1, 1, 4, 6, 7}, {0, 0, 0, 0, 0}}, {}, 4);
}

// The same tree over 10, 20, 40, 50 and missing.
Hierarchy uneven_numeric() {
  const Hierarchy tree = uneven();
  std::vector<Node> nodes;
  for (uint32_t node = 0; node < tree.nodes(); ++node) nodes.push_back(tree.node(node));
  return Hierarchy(nodes, {tree.level_nodes(0), tree.level_nodes(1), tree.level_nodes(2)},
                   {10, 20, 40, 50, std::nan("")}, 4);
}

constexpr uint32_t kLow = 1, kSolo = 4;

TEST(CellLoss, NcpOfNodes) {
  const Hierarchy tree = uneven();
  for (uint32_t leaf = 0; leaf < 5; ++leaf) EXPECT_EQ(ncp(tree, released_leaf(tree, leaf)), 0);
  EXPECT_DOUBLE_EQ(ncp(tree, released_node(tree, kLow)), 0.4);
  EXPECT_DOUBLE_EQ(ncp(tree, released_node(tree, kSolo)), 0.2);  // no leaf, though it covers only one
  EXPECT_DOUBLE_EQ(ncp(tree, released_node(tree, Hierarchy::kRoot)), 1);
}

TEST(CellLoss, NcpOfNumbers) {
  const Hierarchy tree = uneven_numeric();
  for (uint32_t leaf = 0; leaf < 5; ++leaf) EXPECT_EQ(ncp(tree, released_leaf(tree, leaf)), 0);
  EXPECT_DOUBLE_EQ(ncp(tree, released_node(tree, kLow)), 0.25);
  EXPECT_DOUBLE_EQ(ncp(tree, released_node(tree, kSolo)), 0);
  EXPECT_DOUBLE_EQ(ncp(tree, released_interval(tree, 1, 3)), 0.75);
  EXPECT_DOUBLE_EQ(ncp(tree, released_interval(tree, 0, 3)), 1);
  EXPECT_DOUBLE_EQ(ncp(tree, released_interval(tree, 3, 4)), 1);  // takes in missing: the root
}

TEST(CellLoss, PrecisionOnTheLeafsOwnPath) {
  const Hierarchy tree = uneven();
  EXPECT_EQ(precision_loss(tree, 0, released_leaf(tree, 0)), 0);
  EXPECT_DOUBLE_EQ(precision_loss(tree, 0, released_node(tree, kLow)), 0.5);
  EXPECT_DOUBLE_EQ(precision_loss(tree, 0, released_node(tree, Hierarchy::kRoot)), 1);
  EXPECT_EQ(precision_loss(tree, 3, released_leaf(tree, 3)), 0);
  EXPECT_DOUBLE_EQ(precision_loss(tree, 3, released_node(tree, Hierarchy::kRoot)), 1);
  const Hierarchy numeric = uneven_numeric();
  EXPECT_DOUBLE_EQ(precision_loss(numeric, 1, released_interval(numeric, 1, 3)), 0.75);
}

TEST(CellLoss, IyengarLoss) {
  const Hierarchy tree = uneven();
  EXPECT_DOUBLE_EQ(iyengar_loss(tree, released_node(tree, kLow)), 0.25);
  EXPECT_DOUBLE_EQ(iyengar_loss(tree, released_node(tree, kSolo)), 0);
  EXPECT_DOUBLE_EQ(iyengar_loss(tree, released_node(tree, Hierarchy::kRoot)), 1);
  EXPECT_DOUBLE_EQ(iyengar_loss(uneven_numeric(), released_interval(uneven_numeric(), 1, 3)), 0.75);
}

TEST(CellLoss, OneValue) {
  for (const Hierarchy& tree : {testing::hand_flat({"x"}), testing::hand_flat({"7"}, {7})}) {
    const Released root = released_node(tree, Hierarchy::kRoot), leaf = released_leaf(tree, 0);
    EXPECT_EQ(ncp(tree, leaf), 0);
    EXPECT_EQ(ncp(tree, root), 1);
    EXPECT_EQ(precision_loss(tree, 0, root), 1);
    EXPECT_EQ(iyengar_loss(tree, leaf), 0);
    EXPECT_EQ(iyengar_loss(tree, root), 1);
    EXPECT_EQ(weighted_hierarchical_distance(tree, 0, root, 1), 1);
    EXPECT_FALSE(modified(tree, 0, leaf));
    EXPECT_TRUE(modified(tree, 0, root));
  }
}

TEST(CellLoss, WeightedHierarchicalDistance) {
  // The birth dates of the KACA paper: six levels.
  EXPECT_DOUBLE_EQ(weighted_hierarchical_distance(6, 4, 6, 0), 0.4);
  EXPECT_NEAR(weighted_hierarchical_distance(6, 5, 6, 1), 0.087, 0.001);
  EXPECT_DOUBLE_EQ(weighted_hierarchical_distance(6, 5, 6, 1), 0.2 / (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5));
  EXPECT_DOUBLE_EQ(weighted_hierarchical_distance(2, 1, 6, 2), 1 / (1 + 1.0 / 4 + 1.0 / 9 + 1.0 / 16 + 1.0 / 25));
  EXPECT_EQ(weighted_hierarchical_distance(3, 3, 6, 1), 0);
  EXPECT_EQ(weighted_hierarchical_distance(6, 1, 6, 1), 1);
  EXPECT_EQ(weighted_hierarchical_distance(1, 1, 1, 0), 0);

  const Hierarchy tree = uneven();
  const Released low = released_node(tree, kLow), root = released_node(tree, Hierarchy::kRoot);
  EXPECT_DOUBLE_EQ(weighted_hierarchical_distance(tree, 0, low, 0), 0.5);
  EXPECT_DOUBLE_EQ(weighted_hierarchical_distance(tree, 0, low, 1), (1.0 / 2) / (1 + 1.0 / 2));
  EXPECT_DOUBLE_EQ(weighted_hierarchical_distance(tree, 3, root, 1), 1);
  const Hierarchy numeric = uneven_numeric();
  EXPECT_DOUBLE_EQ(weighted_hierarchical_distance(numeric, 1, released_interval(numeric, 1, 3), 1), 0.75);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
