#include "web/tree_edit.h"

#include <gtest/gtest.h>

namespace shoal::web {
namespace SHOAL_THIS_FILE {

// * -> {A -> {a, b, c}, B -> {d, e}, f}
Tree sample() {
  Tree tree;
  tree.nodes = {{"*", 0, 0, false}, {"A", 0, 0, false}, {"a", 1, 0, true}, {"b", 1, 0, true}, {"c", 1, 0, true},
                {"B", 0, 0, false}, {"d", 5, 0, true},  {"e", 5, 0, true}, {"f", 0, 0, true}};
  return tree;
}

std::string shown(const Tree& tree) {
  std::string text = show_tree(tree);
  for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "|");
  return text;
}

TEST(TreeEdit, DoesWhatItSays) {
  EXPECT_EQ(shown(renamed(sample(), 1, "X")),
            "* (6 values)|  X (3 values)|    a|    b|    c|  B (2 values)|    d|    e|  f|");
  EXPECT_EQ(shown(joined(sample(), {2, 4}, "X")),
            "* (6 values)|  A (3 values)|    X (2 values)|      a|      c|    b|  B (2 values)|    d|    e|  f|");
  EXPECT_EQ(shown(joined(sample(), {5, 8}, "X")),
            "* (6 values)|  A (3 values)|    a|    b|    c|  X (3 values)|    B (2 values)|      d|      e|    f|");
  EXPECT_EQ(shown(split_off(sample(), {3}, "X")),
            "* (6 values)|  A (2 values)|    a|    c|  X (1 value)|    b|  B (2 values)|    d|    e|  f|");
  EXPECT_EQ(shown(dissolved(sample(), 1)), "* (6 values)|  a|  b|  c|  B (2 values)|    d|    e|  f|");
  EXPECT_EQ(shown(moved(sample(), {8, 2}, 5)),
            "* (6 values)|  A (2 values)|    b|    c|  B (4 values)|    d|    e|    f|    a|");
}

TEST(TreeEdit, NodesLeftWithoutValuesGo) {
  EXPECT_EQ(shown(moved(sample(), {6, 7}, 1)), "* (6 values)|  A (5 values)|    a|    b|    c|    d|    e|  f|");
}

TEST(TreeEdit, ANodeGoesAlongWithItsAncestor) {
  EXPECT_EQ(shown(moved(sample(), {5, 6}, 1)),
            "* (6 values)|  A (5 values)|    a|    b|    c|    B (2 values)|      d|      e|  f|");
}

TEST(TreeEdit, RefusesWhatCannotBe) {
  const Tree tree = sample();
  EXPECT_THROW(renamed(tree, 2, "X"), Error);  // a value
  EXPECT_THROW(renamed(tree, 0, "X"), Error);  // the root
  EXPECT_THROW(renamed(tree, 1, "B"), Error);  // there already
  EXPECT_THROW(renamed(tree, 1, ""), Error);
  EXPECT_THROW(renamed(tree, 99, "X"), Error);
  EXPECT_THROW(joined(tree, {}, "X"), Error);
  EXPECT_THROW(joined(tree, {2, 6}, "X"), Error);     // two parents
  EXPECT_THROW(split_off(tree, {1}, "X"), Error);     // beside the root
  EXPECT_THROW(split_off(tree, {6, 7}, "X"), Error);  // nothing left
  EXPECT_THROW(dissolved(tree, 2), Error);
  EXPECT_THROW(moved(tree, {1}, 1), Error);  // below itself
  EXPECT_THROW(moved(tree, {1}, 2), Error);  // under a value
}

// Whatever is done, the values stay the same, and the text that is saved reads as the same tree.
TEST(TreeEdit, TextsReadAsTheTreesThatWereEdited) {
  for (const Tree& tree : {renamed(sample(), 1, "X;\"y"), joined(sample(), {2, 4}, "X"), split_off(sample(), {3}, "X"),
                           dissolved(sample(), 1), moved(sample(), {8, 2}, 5)}) {
    const ParsedTree parsed = parse_tree_text(level_table(tree), "draft.csv");
    ASSERT_FALSE(has_error(parsed.faults)) << (parsed.faults.empty() ? "" : parsed.faults[0].message);
    EXPECT_EQ(shown(parsed.tree), shown(tree));
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal::web
