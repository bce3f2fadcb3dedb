#include <gtest/gtest.h>

#include <algorithm>

#include "shoal/hierarchy/tree_draft.h"
#include "shoal/read/read_tree.h"
#include "testing/random_tree.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::nested;
using testing::TextFile;

TEST(ShowTree, IndentedWithCounts) {
  const TextFile file("a.csv",
                      "9th;Junior;High;*\n10th;Junior;High;*\nMasters;Masters;Masters;*\n11th;Senior;High;*\n");
  const Tree tree = read_tree(file.path());
  EXPECT_EQ(show_tree(tree),
            "* (4 values)\n"
            "  High (3 values)\n"
            "    Junior (2 values)\n"
            "      9th\n"
            "      10th\n"
            "    Senior (1 value)\n"
            "      11th\n"
            "  Masters\n");
  EXPECT_EQ(show_tree(tree, 1), "* (4 values)\n  High (3 values)\n  Masters\n");
  EXPECT_EQ(show_tree(tree, 3), show_tree(tree));
}

TEST(LevelTable, ShortBranchesRepeatTheirLeaf) {
  const TextFile file("a.txt", "Any\n  High\n    Junior\n      9th\n  Masters\n");
  EXPECT_EQ(level_table(read_tree(file.path())), "9th;Junior;High;*\nMasters;Masters;Masters;*\n");
}

TEST(LevelTable, OddLabelsAreQuoted) {
  const TextFile file("a.json",
                      R"({"Any": {"a;b": ["say \"hi\"", "line\nbreak", "comma,"], "tab\t": [" x "], "c\r": ["'"]}})");
  const Tree tree = read_tree(file.path());
  const TextFile table("b.csv", level_table(tree));
  EXPECT_EQ(nested(read_tree(table.path())), nested(tree));
}

// A fuzzer's find: the first label begins as a file in another encoding does.
TEST(LevelTable, FirstLabelsAreNoMarksOfEncoding) {
  for (const std::string mark : {"\xFE\xFF", "\xFF\xFE", "\xEF\xBB\xBF"}) {
    const auto [tree, faults] = parse_tree_text("Any\n  " + mark + "a\n  b\n", "tree.txt");
    ASSERT_FALSE(has_error(faults));
    const auto [again, faults_again] = parse_tree_text(level_table(tree), "again.csv");
    ASSERT_FALSE(has_error(faults_again));
    ASSERT_EQ(again.nodes.size(), tree.nodes.size());
    EXPECT_TRUE(std::any_of(again.nodes.begin(), again.nodes.end(),
                            [&](const Tree::Node& node) { return node.leaf && node.label == mark + "a"; }));
  }
}

// Written and read again: the same tree, and every level releases the same.
TEST(LevelTable, RoundTrip) {
  testing::RandomTrees random(3);
  for (int round = 0; round < 500; ++round) {
    const Tree tree = random.tree(random.draw(1, 15), random.draw(1, 6));
    const std::string table = level_table(tree);
    const auto [again, faults] = parse_tree_text(table, "a.csv");
    ASSERT_TRUE(faults.empty()) << faults.front().message;
    ASSERT_EQ(nested(again), nested(tree));
    ASSERT_EQ(level_table(again), table);
    const auto leaves = testing::leaves_of(tree);
    size_t height = 0;
    for (uint32_t leaf : leaves) height = std::max(height, testing::chain(tree, leaf).size() - 1);
    ASSERT_EQ(again.level_nodes.size(), height + 1);
    for (size_t level = 0; level <= height; ++level) {
      for (size_t i = 0; i < leaves.size(); ++i) {  // both in depth-first order
        const auto path = testing::chain(tree, leaves[i]);
        const size_t depth = std::min(path.size() - 1, height - level);
        ASSERT_EQ(again.nodes[again.level_nodes[level][i]].label, path[path.size() - 1 - depth]);
      }
    }
  }
}

TEST(LevelTable, SiblingsKeepTheirOrderWhenLeavesDoNotComeFirst) {
  // Breadth-first nodes: the leaf b is named before the leaves of A.
  Tree tree;
  tree.nodes = {{"*", 0, 0, false}, {"A", 0, 0, false}, {"b", 0, 0, true}, {"a", 1, 0, true}};
  EXPECT_EQ(level_table(tree), "a;A;*\nb;b;*\n");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
