// Phase 2 on the tree of papers/kactus.txt section 4.2, node by node, and on random trees against a plain version.
#include "shoal/method/trees/kactus_prune.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace shoal {
namespace SHOAL_THIS_FILE {

using kactus::Group;
using kactus::Pruned;
using kactus::Step;

// Fig. 1 with the paper's numbers; its node 1 hangs under the root with node 23. Children come after parents here.
struct PaperTree {
  std::vector<uint32_t> parents{0};
  std::vector<uint32_t> node_of_row;
  std::map<int, uint32_t> number;  // the paper's number to ours

  PaperTree() {
    const std::vector<std::tuple<int, int, int>> nodes{
        // paper's number, parent, rows
        {1, 0, 0},   {2, 1, 271}, {3, 1, 713},  {4, 1, 158},  {5, 1, 3436}, {6, 1, 0},  {7, 6, 69},  {8, 6, 0},
        {9, 8, 0},   {10, 9, 6},  {11, 9, 190}, {12, 9, 3},   {13, 9, 1},   {14, 9, 2}, {15, 8, 39}, {16, 8, 8},
        {17, 8, 16}, {18, 8, 23}, {19, 8, 0},   {20, 19, 42}, {21, 19, 4},  {22, 8, 0}, {23, 0, 16}};
    number[0] = 0;
    for (const auto& [name, parent, rows] : nodes) {
      number[name] = static_cast<uint32_t>(parents.size());
      parents.push_back(number[parent]);
      node_of_row.insert(node_of_row.end(), static_cast<size_t>(rows), number[name]);
    }
  }
  const Step& step(const Pruned& pruned, int name) const {
    for (const Step& step : pruned.steps) {
      if (step.node == number.at(name)) return step;
    }
    throw std::runtime_error("no such step");
  }
  std::multiset<size_t> released(const Pruned& pruned, int name) const {
    std::multiset<size_t> sizes;
    for (const Group& group : pruned.groups) {
      if (group.node == number.at(name)) sizes.insert(group.rows.size());
    }
    return sizes;
  }
};

TEST(KactusPrune, ThePapersExampleNodeByNode) {
  const PaperTree tree;
  Progress progress;
  const Pruned pruned = kactus::prune(tree.parents, tree.node_of_row, 100, 1, progress);
  // Node 9: 12 rows of others, 88 of White join them, 102 White are released; the pruned node has 100 (Fig. 2).
  EXPECT_EQ(tree.step(pruned, 9).complying, 1u);
  EXPECT_EQ(tree.step(pruned, 9).stayed, 12u);
  EXPECT_EQ(tree.step(pruned, 9).moved, 88u);
  EXPECT_EQ(tree.released(pruned, 11), std::multiset<size_t>{102});
  // Node 19: nobody complies, 46 rows stay (Fig. 3).
  EXPECT_EQ(tree.step(pruned, 19).complying, 0u);
  EXPECT_EQ(tree.step(pruned, 19).stayed, 46u);
  EXPECT_EQ(tree.step(pruned, 19).moved, 0u);
  // Node 8: node 9 complies and is released, 132 rows stay (Fig. 4).
  EXPECT_EQ(tree.released(pruned, 9), std::multiset<size_t>{100});
  EXPECT_EQ(tree.step(pruned, 8).stayed, 132u);
  EXPECT_EQ(tree.step(pruned, 8).moved, 0u);
  // Node 6: node 8 complies with 132; 69 stay and need 31, of 32 to spare.
  EXPECT_EQ(tree.step(pruned, 6).stayed, 69u);
  EXPECT_EQ(tree.step(pruned, 6).moved, 31u);
  EXPECT_EQ(tree.released(pruned, 8), std::multiset<size_t>{101});
  // Node 1: all children comply, nothing is moved.
  EXPECT_EQ(tree.step(pruned, 1).stayed, 0u);
  EXPECT_EQ(tree.step(pruned, 1).moved, 0u);
  EXPECT_EQ(tree.step(pruned, 1).released, 271u + 713 + 158 + 3436 + 100);
  // The root: 16 rows of node 23 are all that is left.
  EXPECT_EQ(pruned.left.size(), 16u);
  // Steps go bottom-up.
  EXPECT_EQ(pruned.steps.back().node, 0u);
}

// ---- the oracle: Fig. 5 in its plainest form, sizes only (which rows move is chance)

struct Sizes {
  std::multiset<std::pair<uint32_t, size_t>> released;  // node, rows
  size_t left = 0;
};

size_t plain(const std::vector<uint32_t>& parents, std::vector<size_t>& own, uint32_t node, size_t k, Sizes& sizes) {
  std::vector<uint32_t> children;
  for (uint32_t child = 1; child < parents.size(); ++child) {
    if (parents[child] == node) children.push_back(child);
  }
  if (children.empty()) return own[node];
  size_t stayed = 0, surplus = 0;
  std::vector<std::pair<uint32_t, size_t>> large;
  for (uint32_t child : children) {
    const size_t rows = plain(parents, own, child, k, sizes);
    if (rows >= k) {
      large.push_back({child, rows});
      surplus += rows - k;
    } else {
      stayed += rows;
    }
  }
  if (stayed > 0 && stayed < k && surplus >= k - stayed) stayed = k;
  for (const auto& entry : large) sizes.released.insert(entry);  // before moves
  return stayed;
}

TEST(KactusPrune, RandomTreesLikeThePlainVersion) {
  std::mt19937_64 random(5);
  auto draw = [&](size_t low, size_t high) { return low + random() % (high - low + 1); };
  int moved = 0, dropped = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint32_t> parents{0};
    const size_t nodes = draw(1, 14);
    while (parents.size() < nodes) parents.push_back(static_cast<uint32_t>(draw(0, parents.size() - 1)));
    std::vector<bool> inner(nodes, false);
    for (size_t node = 1; node < nodes; ++node) inner[parents[node]] = true;
    std::vector<uint32_t> leaves;
    for (uint32_t node = 0; node < nodes; ++node) {
      if (!inner[node]) leaves.push_back(node);
    }
    std::vector<uint32_t> node_of_row;
    std::vector<size_t> own(nodes, 0);
    for (size_t row = draw(1, 80); row > 0; --row) {
      node_of_row.push_back(leaves[std::min(draw(0, leaves.size() - 1), draw(0, leaves.size() - 1))]);
      ++own[node_of_row.back()];
    }
    const size_t k = draw(1, 12);
    Progress progress;
    Pruned pruned = kactus::prune(parents, node_of_row, k, round, progress);
    Sizes sizes;
    const size_t left = plain(parents, own, 0, k, sizes);
    EXPECT_EQ(pruned.left.size(), left) << "round " << round;
    std::multiset<uint32_t> expected, found;
    for (const auto& [node, rows] : sizes.released) expected.insert(node);
    std::set<uint32_t> seen(pruned.left.begin(), pruned.left.end());
    size_t total = pruned.left.size();
    for (const Group& group : pruned.groups) {
      found.insert(group.node);
      EXPECT_GE(group.rows.size(), k);
      total += group.rows.size();
      for (uint32_t row : group.rows) {
        seen.insert(row);
        // The row's leaf lies under the group's node.
        uint32_t node = node_of_row[row];
        while (node != group.node && node != 0) node = parents[node];
        EXPECT_EQ(node, group.node);
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(total, node_of_row.size());
    EXPECT_EQ(seen.size(), node_of_row.size());  // every row once
    for (const Step& step : pruned.steps) moved += step.moved > 0;
    // The same seed, the same rows.
    const Pruned again = kactus::prune(parents, node_of_row, k, round, progress);
    ASSERT_EQ(again.groups.size(), pruned.groups.size());
    for (size_t g = 0; g < again.groups.size(); ++g) EXPECT_EQ(again.groups[g].rows, pruned.groups[g].rows);
    if (pruned.left.empty() || pruned.left.size() >= k || node_of_row.size() < k) continue;
    ++dropped;
    const auto joined = kactus::fill_up(pruned.groups, pruned.left.size(), k, 1);
    EXPECT_GE(pruned.left.size() + joined.size(), k);
    total = pruned.left.size() + joined.size();
    for (const Group& group : pruned.groups) {
      EXPECT_GE(group.rows.size(), k);
      total += group.rows.size();
    }
    EXPECT_EQ(total, node_of_row.size());
  }
  EXPECT_GT(moved, 100);
  EXPECT_GT(dropped, 100);
}

// Which rows move is a fair draw: each of 6 rows to spare (4 of one child, 2 of another) goes about equally often.
TEST(KactusPrune, MovesAreFair) {
  const std::vector<uint32_t> parents{0, 0, 0, 0};
  std::vector<uint32_t> node_of_row(8, 1);      // 8 rows, 4 to spare
  node_of_row.insert(node_of_row.end(), 6, 2);  // 6 rows, 2 to spare
  node_of_row.insert(node_of_row.end(), 1, 3);  // stays, needs 3
  std::map<uint32_t, int> times;
  const int draws = 6000;
  for (int seed = 0; seed < draws; ++seed) {
    Progress progress;
    for (uint32_t row : kactus::prune(parents, node_of_row, 4, seed, progress).left) ++times[row];
  }
  EXPECT_EQ(times[14], draws);
  // 3 of 6 spare rows, 2 of them from the first child on average: 2/8 for each of its rows, 1/6 for the others.
  for (uint32_t row = 0; row < 8; ++row) EXPECT_NEAR(times[row], draws * 2 / 8.0, 150);
  for (uint32_t row = 8; row < 14; ++row) EXPECT_NEAR(times[row], draws / 6.0, 150);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
