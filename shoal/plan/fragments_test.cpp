#include "shoal/plan/fragments.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(FragmentSizes, FollowFromRowsAndK) {
  EXPECT_EQ(fragment_sizes(0, 10).fragments, 1u);
  EXPECT_EQ(fragment_sizes(30'162, 10).fragments, 1u);
  EXPECT_EQ(fragment_sizes(98'303, 10).fragments, 1u);
  EXPECT_EQ(fragment_sizes(98'304, 10).fragments, 2u);
  EXPECT_EQ(fragment_sizes(1'000'000, 10).fragments, 15u);
  EXPECT_EQ(fragment_sizes(1'000'000, 10).least_rows, 10'000u);
  EXPECT_EQ(fragment_sizes(1'000'000, 10).pilot_rows, 30'000u);
  EXPECT_EQ(fragment_sizes(1'000'000, 100).least_rows, 20'000u);
  EXPECT_EQ(fragment_sizes(1'000'000, 1'000).least_rows, 200'000u);
  EXPECT_EQ(fragment_sizes(1'000'000, 1'000).fragments, 3u);
  EXPECT_EQ(fragment_sizes(1'000'000, 10'000).fragments, 1u);
  EXPECT_EQ(fragment_sizes(1'000'000, UINT64_MAX).fragments, 1u);
  EXPECT_GT(fragment_sizes(1'000'000'000, 10).pilot_rows, 900'000u);
}

TEST(FragmentSizes, FewTuplesMakeFewFragments) {
  const auto fragments = [](size_t rows, size_t tuples) {
    return with_tuples(fragment_sizes(rows, 10), rows, tuples).fragments;
  };
  EXPECT_EQ(fragments(1'000'000, 258'513), 15u);
  EXPECT_EQ(fragments(1'000'000, 30'000), 15u);
  EXPECT_EQ(fragments(1'000'000, 22'656), 11u);
  EXPECT_EQ(fragments(1'000'000, 3'193), 2u) << "no more than 500,000 rows";
  EXPECT_EQ(fragments(500'000, 3'193), 1u);
  EXPECT_EQ(fragments(254'654, 9'276), 4u);
  EXPECT_EQ(fragments(10'000'000, 5), 20u);
  EXPECT_EQ(fragments(30'000, 5), 1u);
}

TEST(FragmentSizes, NoFragmentIsPlannedBelowItsFloor) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 5000; ++round) {
    const size_t rows = random() % 50'000'000;
    const uint64_t k = 1 + random() % (round % 2 ? 100 : 1'000'000);
    const FragmentSizes sizes = fragment_sizes(rows, k);
    ASSERT_GE(sizes.fragments, 1u);
    if (sizes.fragments == 1) continue;
    EXPECT_GE(rows / sizes.fragments, 49'152u);
    EXPECT_GE(rows / sizes.fragments, 200 * k);
    EXPECT_GE(rows / sizes.fragments, sizes.least_rows);
    const FragmentSizes asked = asked_fragments(rows, k, 1 + random() % 1000);
    EXPECT_GE(rows / asked.fragments, 2 * k);
  }
}

TEST(FragmentSizes, AsManyAsAskedForWhereRowsSuffice) {
  EXPECT_EQ(asked_fragments(1000, 10, 7).fragments, 7u);
  EXPECT_EQ(asked_fragments(1000, 10, 1000).fragments, 50u);
  EXPECT_EQ(asked_fragments(1000, 600, 2).fragments, 1u);
  EXPECT_EQ(asked_fragments(0, 1, 2).fragments, 1u);
}

struct RandomTree {
  CutTree tree;
  std::vector<uint64_t> rows;
};
RandomTree random_tree(std::mt19937_64& random) {
  RandomTree drawn;
  for (size_t cuts = random() % 12; cuts > 0; --cuts) {
    std::vector<uint32_t> leaves;
    for (uint32_t node = 0; node < drawn.tree.nodes().size(); ++node) {
      if (drawn.tree.nodes()[node].is_leaf()) leaves.push_back(node);
    }
    drawn.tree.cut(leaves[random() % leaves.size()], random() % 3, static_cast<uint32_t>(random() % 9));
  }
  for (const CutTree::Node& node : drawn.tree.nodes()) drawn.rows.push_back(node.is_leaf() ? random() % 30 : 0);
  return drawn;
}

// The leaves under a node, from left to right.
std::vector<uint32_t> leaves_under(const CutTree& tree, uint32_t node) {
  const CutTree::Node& here = tree.nodes()[node];
  if (here.left == 0) return {node};
  auto leaves = leaves_under(tree, here.left);
  for (uint32_t leaf : leaves_under(tree, here.right)) leaves.push_back(leaf);
  return leaves;
}

TEST(FragmentsOfLeaves, SmallOnesAndThoseThatDoNotHoldJoinOthers) {
  std::mt19937_64 random(6);
  size_t joined = 0, kept = 0;
  for (int round = 0; round < 5000; ++round) {
    const RandomTree drawn = random_tree(random);
    const size_t least = random() % 40;
    // Like a model: a union of leaves that hold also holds.
    std::map<uint32_t, int> surplus;
    for (uint32_t leaf : leaves_under(drawn.tree, 0)) surplus[leaf] = static_cast<int>(random() % 20) - 4;
    auto holds = [&](std::span<const uint32_t> leaves) {
      int sum = 0;
      for (uint32_t leaf : leaves) sum += surplus[leaf];
      return sum >= 0;
    };
    const auto fragment_of = fragments_of_leaves(drawn.tree, drawn.rows, least, holds);
    std::map<uint32_t, std::vector<uint32_t>> leaves_of;
    std::vector<uint32_t> order;
    for (uint32_t leaf : leaves_under(drawn.tree, 0)) {
      leaves_of[fragment_of[leaf]].push_back(leaf);
      order.push_back(fragment_of[leaf]);
    }
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << "numbered along the tree, neighbours only";
    EXPECT_EQ(order.back() + 1, leaves_of.size());
    for (const auto& [fragment, leaves] : leaves_of) {
      uint64_t rows = 0;
      for (uint32_t leaf : leaves) rows += drawn.rows[leaf];
      const bool good = rows >= least && holds(leaves);
      EXPECT_TRUE(good || leaves_of.size() == 1) << "round " << round;
      (leaves.size() > 1 ? joined : kept) += good;
    }
    // Nobody joins without need.
    bool all_good = true;
    for (uint32_t leaf : leaves_under(drawn.tree, 0)) {
      all_good &= drawn.rows[leaf] >= least && holds(std::span(&leaf, 1));
    }
    EXPECT_TRUE(!all_good || leaves_of.size() == drawn.tree.leaves());
  }
  EXPECT_GT(joined, 500u);
  EXPECT_GT(kept, 500u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
