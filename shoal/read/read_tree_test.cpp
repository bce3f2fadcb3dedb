// Reading hierarchy files: what each form means. Faults are in check_test.cpp.

#include <gtest/gtest.h>

#include "shoal/error.h"
#include "shoal/hierarchy/tree_draft.h"
#include "shoal/read/read_tree.h"
#include "testing/random_tree.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::nested;
using testing::TextFile;

Tree read(const std::string& name, std::string_view content, size_t expected_warnings = 0) {
  const TextFile file(name, content);
  std::vector<HierarchyFault> warnings;
  Tree tree = read_tree(file.path(), &warnings);
  EXPECT_EQ(warnings.size(), expected_warnings) << (warnings.empty() ? "" : warnings.front().message);
  EXPECT_EQ(tree.source, file.path());
  return tree;
}

// What level `level` releases, leaf by leaf.
std::string level(const Tree& tree, size_t level) {
  std::string text;
  for (uint32_t node : tree.level_nodes.at(level)) text += (text.empty() ? "" : " ") + tree.nodes[node].label;
  return text;
}

TEST(ReadLevelTable, OneLinePerLeafRootLast) {
  const Tree tree = read("a.csv", "a;A;*\nb;A;*\nc;B;*\n");
  EXPECT_EQ(nested(tree), "*(A(a b) B(c))");
  ASSERT_EQ(tree.level_nodes.size(), 3U);
  EXPECT_EQ(level(tree, 0), "a b c");
  EXPECT_EQ(level(tree, 1), "A A B");
  EXPECT_EQ(level(tree, 2), "* * *");
  EXPECT_EQ(tree.nodes[1].label, "A");
  EXPECT_EQ(tree.nodes[1].line, 1U);
  EXPECT_EQ(tree.nodes.back().label, "c");
  EXPECT_EQ(tree.nodes.back().line, 3U);
}

TEST(ReadLevelTable, AnyDelimiterLineEndAndByteOrderMark) {
  const std::string expected = "*(A(a b) B(c))";
  EXPECT_EQ(nested(read("a.csv", "a,A,*\nb,A,*\nc,B,*")), expected);
  EXPECT_EQ(nested(read("a.csv", "a\tA\t*\nb\tA\t*\nc\tB\t*\n")), expected);
  EXPECT_EQ(nested(read("A.TSV", "a\tA\t*\nb\tA\t*\nc\tB\t*\n")), expected);
  EXPECT_EQ(nested(read("a.csv",
                        "\xEF\xBB\xBF"
                        "a;A;*\r\nb;A;*\r\n\r\nc;B;*\r\n")),
            expected);
}

TEST(ReadLevelTable, CommasInLabelsDoNotSplitASemicolonFile) {
  EXPECT_EQ(nested(read("a.csv", "30;[1,40);[1,99);*\n40;[40,99);[1,99);*\n")), "*([1,99)([1,40)(30) [40,99)(40)))");
  EXPECT_EQ(nested(read("a.tsv", "1\t[0,5)\t*\n6\t[5,9)\t*\n")), "*([0,5)(1) [5,9)(6))");
}

TEST(ReadLevelTable, QuotesProtectDelimitersQuotesAndLineBreaks) {
  const Tree tree = read("a.csv", "\"a,b\",\"A \"\"x\"\"\",\"*\"\n\"c\nd\",B,*\ne,B,*\n");
  EXPECT_EQ(nested(tree), "*(A \"x\"(a,b) B(c\nd e))");
  EXPECT_EQ(tree.nodes.back().line, 4U);  // the line break inside quotes counts as a line of the file
}

TEST(ReadLevelTable, TheRootMayHaveAnyNameAndIsReleasedAsStar) {
  EXPECT_EQ(nested(read("a.csv", "a;A;Any\nb;B;Any\n")), "*(A(a) B(b))");
}

TEST(ReadLevelTable, DifferentLastLabelsGetARootAbove) {
  const Tree tree = read("a.csv", "a;A\nb;A\nc;B\n");
  EXPECT_EQ(nested(tree), "*(A(a b) B(c))");
  ASSERT_EQ(tree.level_nodes.size(), 3U);
  EXPECT_EQ(level(tree, 1), "A A B");
  EXPECT_EQ(level(tree, 2), "* * *");
}

TEST(ReadLevelTable, OneColumnIsFlat) {
  EXPECT_EQ(nested(read("a.csv", "a\nb\nc\n")), "*(a b c)");
  EXPECT_EQ(nested(read("a.csv", "a\n")), "*(a)");
}

TEST(ReadLevelTable, RepeatedLabelsAreOneNode) {
  const Tree tree = read("a.csv", "Canada;Canada;*\nFrance;Europe;*\nSpain;Europe;*\n");
  EXPECT_EQ(nested(tree), "*(Canada Europe(France Spain))");
  EXPECT_EQ(level(tree, 0), "Canada France Spain");
  EXPECT_EQ(level(tree, 1), "Canada Europe Europe");
  // An inner label may stand at several levels too, as long as it does so for all its values.
  const Tree inner = read("a.csv", "a;A;A;*\nb;A;A;*\nc;B;C;*\nd;D;C;*\n");
  EXPECT_EQ(nested(inner), "*(A(a b) C(B(c) D(d)))");
  EXPECT_EQ(level(inner, 1), "A A B D");
  EXPECT_EQ(level(inner, 2), "A A C C");
}

TEST(ReadLevelTable, SiblingsKeepTheOrderOfFirstAppearance) {
  EXPECT_EQ(nested(read("a.csv", "z;Z;*\na;A;*\ny;Z;*\nb;A;*\n")), "*(Z(z y) A(a b))");
}

TEST(ReadLevelTable, AValueMayReachTheRootEarlyWithAWarning) {
  const Tree tree = read("a.csv", "a;A;*\n?;*;*\nb;A;*\n", 1);
  EXPECT_EQ(nested(tree), "*(A(a b) ?)");
  EXPECT_EQ(level(tree, 1), "A * A");
}

TEST(ReadIndented, DeeperMeansBelow) {
  const Tree tree = read("a.txt", "Any\n  High\n    9th\n    10th\n  Low\n\n  University\n       Bachelors\n");
  EXPECT_EQ(nested(tree), "*(High(9th 10th) Low University(Bachelors))");
  EXPECT_TRUE(tree.level_nodes.empty());
  EXPECT_EQ(tree.nodes.back().line, 8U);
}

TEST(ReadIndented, SeveralTopLinesGetARootAbove) {
  EXPECT_EQ(nested(read("a.tree", "High\n  9th\nLow\n")), "*(High(9th) Low)");
  EXPECT_EQ(nested(read("a.tree", "\xEF\xBB\xBFx y\r\nz \r\n")), "*(x y z)");
}

TEST(ReadIndented, OneLineIsARootAndSaysSo) {
  const Tree tree = read("a.txt", "Any\n", 1);
  EXPECT_EQ(tree.nodes.size(), 1U);
  EXPECT_EQ(tree.nodes[0].label, "*");
}

TEST(ReadJson, LabelAndChildren) {
  const Tree tree = read("a.json", R"({"label": "Any", "children": [
  {"label": "High", "children": ["9th", "10th"]},
  "Low",
  {"children": [1, 2.50, -3], "label": "Numbers"},
  {"label": "Alone"}
]})");
  EXPECT_EQ(nested(tree), "*(High(9th 10th) Low Numbers(1 2.50 -3) Alone)");
  EXPECT_EQ(tree.nodes[0].line, 1U);
  EXPECT_EQ(tree.nodes[1].line, 2U);
  EXPECT_EQ(tree.nodes[4].label, "Low");
  EXPECT_EQ(tree.nodes[4].line, 3U);
  EXPECT_EQ(tree.nodes.back().line, 5U);
}

TEST(ReadJson, NestedObjectsInTheirOwnOrder) {
  EXPECT_EQ(
      nested(read("a.json", R"({"Any": {"Z": ["9th", "10th"], "A": {"x": [], "y": null}, "B": ["b", {"C": ["c"]}]}})")),
      "*(Z(9th 10th) A(x y) B(b C(c)))");
  EXPECT_EQ(nested(read("a.json", R"({"Z": ["z"], "A": ["a"]})")), "*(Z(z) A(a))");
  EXPECT_EQ(nested(read("a.json", R"(["a", {"B": ["b"]}])")), "*(a B(b))");
}

TEST(ReadJson, NodesMayBeCalledLabelOrChildren) {
  EXPECT_EQ(nested(read("a.json", R"({"Any": {"label": ["a"], "children": ["son", "daughter"]}})")),
            "*(label(a) children(son daughter))");
}

TEST(ReadTree, FilesThatCannotBeReadAreInputErrors) {
  for (const std::string& path : {std::string("no/such/file.csv"), ::testing::TempDir()}) {
    try {
      read_tree(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
    EXPECT_THROW(check_tree(path, std::nullopt), Error);
  }
}

// Random level tables made by merging siblings, level by level: what is read says the same as the lines.
TEST(ReadLevelTable, EveryLevelReleasesWhatTheFileSays) {
  testing::RandomTrees random(11);
  for (int round = 0; round < 300; ++round) {
    const Tree source = random.tree(random.draw(1, 12), random.draw(1, 4));
    std::vector<uint32_t> order = testing::leaves_of(source);
    random.shuffle(order);
    std::vector<std::vector<uint32_t>> columns{order};
    while (std::any_of(columns.back().begin(), columns.back().end(), [](uint32_t node) { return node != 0; })) {
      auto next = columns.back();
      const auto up = static_cast<uint32_t>(random.draw(0, source.nodes.size() - 1));
      if (source.nodes[up].leaf) continue;
      // Raises everything below `up` to it: the level stays a cut.
      for (size_t i = 0; i < order.size(); ++i) {
        for (uint32_t node = next[i]; node != 0 && next[i] != up;) {
          node = source.nodes[node].parent;
          if (node == up) next[i] = up;
        }
      }
      // The root must come all at once, and it does: everything lies below it.
      columns.push_back(std::move(next));
    }
    std::string text;
    for (size_t i = 0; i < order.size(); ++i) {
      for (size_t l = 0; l < columns.size(); ++l) text += (l == 0 ? "" : ";") + source.nodes[columns[l][i]].label;
      text += "\n";
    }
    const auto [tree, faults] = parse_tree_text(text, "random.csv");
    ASSERT_TRUE(faults.empty()) << faults.front().message;
    ASSERT_EQ(tree.level_nodes.size(), columns.size());
    for (size_t l = 0; l < columns.size(); ++l) {
      for (size_t i = 0; i < order.size(); ++i) {
        ASSERT_EQ(tree.nodes[tree.level_nodes[l][i]].label, source.nodes[columns[l][i]].label) << text;
      }
    }
    for (uint32_t node = 1; node < tree.nodes.size(); ++node) ASSERT_LT(tree.nodes[node].parent, node);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
