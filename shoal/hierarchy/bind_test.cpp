#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "shoal/error.h"
#include "shoal/hierarchy/tree_draft.h"
#include "shoal/read/read_tree.h"
#include "testing/random_tree.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

Tree read(const std::string& name, std::string_view content) {
  auto [tree, faults] = parse_tree_text(content, name);
  EXPECT_FALSE(has_error(faults)) << faults.front().message;
  return tree;
}

struct Values {
  std::vector<std::string> texts;
  std::vector<double> numbers;
  bool missing = false;
  ColumnValues column() const { return {"col", texts, missing, "?", numbers}; }
};

Values numeric(std::vector<std::string> texts) {
  Values values{std::move(texts), {}, false};
  for (const std::string& text : values.texts) values.numbers.push_back(std::stod(text));
  return values;
}

BoundHierarchy bound(const Tree& tree, const Values& values, UnknownValues unknown = UnknownValues::refuse) {
  return bind_tree(tree, values.column(), unknown, {});
}

std::string error_of(const Tree& tree, const Values& values, UnknownValues unknown = UnknownValues::refuse,
                     const ValuePlace& place = {}) {
  try {
    bind_tree(tree, values.column(), unknown, place);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

void expect_words(const std::string& message, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << word << " in " << message;
}

std::vector<std::string> chain(const Hierarchy& hierarchy, uint32_t leaf) {
  uint32_t node = hierarchy.leaf_node(leaf);
  std::vector<std::string> labels{hierarchy.node(node).label};
  while (node != Hierarchy::kRoot) labels.push_back(hierarchy.node(node = hierarchy.node(node).parent).label);
  return labels;
}

// The whole tree as one line, leaves with their position.
std::string nested(const Hierarchy& hierarchy, uint32_t node = 0) {
  std::string text = hierarchy.node(node).label;
  if (hierarchy.leaves() > 0 && node != 0 && hierarchy.is_leaf(node))
    return text + "@" + std::to_string(hierarchy.node(node).first);
  std::string children;
  for (uint32_t child : hierarchy.children(node)) children += (children.empty() ? "" : " ") + nested(hierarchy, child);
  return text + "(" + children + ")";
}

std::string level(const Hierarchy& hierarchy, int level) {
  std::string text;
  for (uint32_t node : hierarchy.level_nodes(level)) text += (text.empty() ? "" : " ") + hierarchy.node(node).label;
  return text;
}

// What hierarchy.h requires of every hierarchy, checked the slow way.
void expect_sound(const Hierarchy& hierarchy) {
  std::vector<std::set<uint32_t>> covered(hierarchy.nodes());
  std::vector<int> childless(hierarchy.leaves(), 0);
  for (uint32_t node = 0; node < hierarchy.nodes(); ++node) {
    const auto& info = hierarchy.node(node);
    if (node > 0) {
      ASSERT_LT(info.parent, node);
      ASSERT_EQ(info.depth, hierarchy.node(info.parent).depth + 1);
    }
    if (hierarchy.children(node).empty()) {
      ASSERT_EQ(info.first, info.last);
      ++childless[info.first];
      ASSERT_EQ(hierarchy.leaf_node(info.first), node);
    }
  }
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    ASSERT_EQ(childless[leaf], 1);
    for (uint32_t node = hierarchy.leaf_node(leaf);; node = hierarchy.node(node).parent) {
      covered[node].insert(leaf);
      if (node == 0) break;
    }
  }
  for (uint32_t node = 0; node < hierarchy.nodes(); ++node) {  // intervals without gaps
    ASSERT_EQ(*covered[node].begin(), hierarchy.node(node).first);
    ASSERT_EQ(*covered[node].rbegin(), hierarchy.node(node).last);
    ASSERT_EQ(covered[node].size(), hierarchy.leaves_under(node));
  }
  ASSERT_GE(hierarchy.height(), 1);
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    ASSERT_EQ(hierarchy.node_at(leaf, 0), hierarchy.leaf_node(leaf));
    ASSERT_EQ(hierarchy.node_at(leaf, hierarchy.height()), Hierarchy::kRoot);
    for (int l = 0; l < hierarchy.height(); ++l) {
      const uint32_t here = hierarchy.node_at(leaf, l), above = hierarchy.node_at(leaf, l + 1);
      ASSERT_TRUE(covered[here].contains(leaf));
      for (uint32_t other : covered[here]) {
        ASSERT_EQ(hierarchy.node_at(other, l), here);       // a level is a cut
        ASSERT_EQ(hierarchy.node_at(other, l + 1), above);  // and the next one is coarser
      }
      ASSERT_TRUE(
          std::includes(covered[above].begin(), covered[above].end(), covered[here].begin(), covered[here].end()));
    }
  }
}

TEST(Bind, LeavesInFileOrderUnusedOnesGone) {
  const Tree tree = read("a.csv", "z;Z;*\na;A;*\ny;Z;*\nb;A;*\nc;C;*\n");
  const auto result = bound(tree, {{"b", "y", "a", "z"}, {}, true});
  EXPECT_EQ(nested(result.hierarchy), "*(Z(z@0 y@1) A(a@2 b@3) ?@4)");
  EXPECT_EQ(result.leaf_of_value, (std::vector<uint32_t>{3, 1, 2, 0}));
  EXPECT_EQ(result.leaf_texts, (std::vector<std::string>{"z", "y", "a", "b", "?"}));
  EXPECT_EQ(result.missing_leaf, 4U);
  EXPECT_EQ(result.hierarchy.missing(), 4U);
  EXPECT_EQ(level(result.hierarchy, 1), "Z Z A A ?");
  EXPECT_EQ(level(result.hierarchy, 2), "* * * * *");
  expect_sound(result.hierarchy);
}

TEST(Bind, UnevenTreesByDepth) {
  const Tree tree = read("a.txt", "Any\n  High\n    Junior\n      9th\n      10th\n  Masters\n  Low\n    1st\n");
  const auto result = bound(tree, {{"9th", "10th", "Masters", "1st"}, {}, false});
  EXPECT_EQ(result.hierarchy.height(), 3);
  EXPECT_EQ(level(result.hierarchy, 0), "9th 10th Masters 1st");
  EXPECT_EQ(level(result.hierarchy, 1), "Junior Junior Masters 1st");
  EXPECT_EQ(level(result.hierarchy, 2), "High High Masters Low");
  EXPECT_EQ(level(result.hierarchy, 3), "* * * *");
  // The height is the file's, whatever the table has.
  const auto shallow = bound(tree, {{"Masters"}, {}, true});
  EXPECT_EQ(shallow.hierarchy.height(), 3);
  EXPECT_EQ(nested(shallow.hierarchy), "*(Masters@0 ?@1)");
  EXPECT_EQ(level(shallow.hierarchy, 2), "Masters ?");
  expect_sound(result.hierarchy);
  expect_sound(shallow.hierarchy);
}

TEST(Bind, LevelTablesKeepTheirOwnLevels) {
  const Tree tree = read("a.csv", "Canada;Canada;Canada;*\nFrance;Europe;Europe;*\nSpain;Europe;Europe;*\n");
  const auto result = bound(tree, {{"France", "Canada"}, {}, true});
  EXPECT_EQ(result.hierarchy.height(), 3);
  EXPECT_EQ(level(result.hierarchy, 1), "Canada Europe ?");
  EXPECT_EQ(level(result.hierarchy, 2), "Canada Europe ?");
  expect_sound(result.hierarchy);
}

TEST(Bind, UnknownValuesAreRefusedWithPlaceAndHint) {
  const Tree tree = read("a.csv", "Canada;America;*\nFrance;Europe;*\n");
  const auto place = [](size_t value) { return "line " + std::to_string(10 + value); };
  expect_words(error_of(tree, {{"France", "Kanada"}, {}, false}, UnknownValues::refuse, place),
               {"1 value of column 'col' is not in", tree.source, "'Kanada' (line 11), did you mean 'Canada'?",
                "unknown_values: root"});
  const std::string many =
      error_of(tree, {{"u", "v", "w", "x", "Canada", "y", "z", "Europe"}, {}, false}, UnknownValues::refuse, place);
  expect_words(many, {"7 values of column 'col' are not", "'u' (line 10), 'v' (line 11)", "'y' (line 15), ...;"});
  EXPECT_EQ(many.find("'z'"), std::string::npos);
  expect_words(error_of(tree, {{"Europe"}, {}, false}), {"'Europe', which is an inner label there"});
}

TEST(Bind, UnknownValuesUnderTheRootComeAfterTheTree) {
  const Tree tree = read("a.csv", "a;A;B;*\nb;A;B;*\n");
  const auto result = bound(tree, {{"x", "b", "y", "a"}, {}, true}, UnknownValues::under_root);
  EXPECT_EQ(nested(result.hierarchy), "*(B(A(a@0 b@1)) x@2 y@3 ?@4)");
  EXPECT_EQ(result.leaf_of_value, (std::vector<uint32_t>{2, 1, 3, 0}));
  EXPECT_EQ(level(result.hierarchy, 2), "B B x y ?");
  expect_sound(result.hierarchy);
}

TEST(Bind, AValueMayNotLookLikeAGroup) {
  const Tree tree = read("a.csv", "a;A;*\nb;B;*\n");
  expect_words(error_of(tree, {{"a", "A"}, {}, false}, UnknownValues::under_root), {"'A'", "inner label", "ambiguous"});
  // 'B' is no label of this release: nothing is left below it.
  EXPECT_EQ(error_of(tree, {{"a", "B"}, {}, false}, UnknownValues::under_root), "");
}

TEST(BindNumeric, ChildrenAndLeavesAscend) {
  const Tree tree = read("a.csv", "30;[20,40);*\n5;[0,20);*\n20;[20,40);*\n10;[0,20);*\n");
  const auto result = bound(tree, numeric({"20", "30", "10", "5"}));
  EXPECT_EQ(nested(result.hierarchy), "*([0,20)(5@0 10@1) [20,40)(20@2 30@3))");
  EXPECT_EQ(result.leaf_of_value, (std::vector<uint32_t>{2, 3, 1, 0}));
  EXPECT_TRUE(result.hierarchy.numeric());
  EXPECT_EQ(result.hierarchy.number(3), 30);
  EXPECT_EQ(result.hierarchy.number_range(), 25);
  expect_sound(result.hierarchy);
}

TEST(BindNumeric, SpellingsShareALeaf) {
  const Tree tree = read("a.csv", "1;A;*\n2.0;A;*\n3;A;*\n");
  Values values = numeric({"1.0", "2", "1", "3.00", "1e0"});
  values.missing = true;
  const auto result = bound(tree, values);
  EXPECT_EQ(result.leaf_of_value, (std::vector<uint32_t>{0, 1, 0, 2, 0}));
  // One spelling stays as it is; several become the shortest one.
  EXPECT_EQ(result.leaf_texts, (std::vector<std::string>{"1", "2", "3.00", "?"}));
  EXPECT_TRUE(std::isnan(result.hierarchy.number(3)));
  expect_sound(result.hierarchy);
  // The file may spell a number twice, under one parent.
  const Tree twice = read("a.csv", "1;A;*\n1.0;A;*\n2;B;*\n");
  EXPECT_EQ(bound(twice, numeric({"1.0", "1", "2"})).leaf_of_value, (std::vector<uint32_t>{0, 0, 1}));
  const Tree apart = read("a.csv", "1;A;*\n1.0;B;*\n");
  EXPECT_EQ(bound(apart, numeric({"1.0"})).hierarchy.node(1).label, "B");  // text goes before number
  expect_words(error_of(apart, numeric({"1", "1.0"})), {"'1' and '1.0'", "same number", "'A'", "'B'", "categorical"});
}

TEST(BindNumeric, NeighboursMustStayTogether) {
  const Tree tree = read("a.csv", "1;A;*\n5;A;*\n3;B;*\n");
  expect_words(error_of(tree, numeric({"3", "1", "5"})),
               {"'col'", "'5', under 'A' comes before '3', under 'B'", "mend the file", "categorical"});
  EXPECT_EQ(error_of(tree, numeric({"1", "5"})), "");  // without the 3 there is no gap
  const Tree without = read("a.csv", "1;A;*\n5;A;*\n");
  expect_words(error_of(without, numeric({"1", "3", "5"}), UnknownValues::under_root),
               {"'5', under 'A' comes before '3', attached under the root"});
  Values outside = numeric({"1", "9", "0", "5"});
  outside.missing = true;
  const auto result = bound(without, outside, UnknownValues::under_root);
  EXPECT_EQ(nested(result.hierarchy), "*(0@0 A(1@1 5@2) 9@3 ?@4)");
  expect_sound(result.hierarchy);
}

TEST(BindFlat, EveryValueUnderTheRoot) {
  const Values values{{"b", "a"}, {}, true};
  const auto result = bind_flat(values.column());
  EXPECT_EQ(nested(result.hierarchy), "*(b@0 a@1 ?@2)");
  EXPECT_EQ(result.hierarchy.height(), 1);
  EXPECT_EQ(result.leaf_texts, (std::vector<std::string>{"b", "a", "?"}));
  const Values numbers = numeric({"10", "9", "9.0", "-1"});
  const auto ascending = bind_flat(numbers.column());
  EXPECT_EQ(nested(ascending.hierarchy), "*(-1@0 9@1 10@2)");
  EXPECT_EQ(ascending.leaf_of_value, (std::vector<uint32_t>{2, 1, 1, 0}));
  expect_sound(result.hierarchy);
  expect_sound(ascending.hierarchy);
}

TEST(BindFlat, FewOrNoValues) {
  const auto one = bind_flat(Values{{"a"}, {}, false}.column());
  EXPECT_EQ(nested(one.hierarchy), "*(a@0)");
  EXPECT_EQ(one.hierarchy.height(), 1);
  expect_sound(one.hierarchy);
  const auto only_missing = bind_flat(Values{{}, {}, true}.column());
  EXPECT_EQ(nested(only_missing.hierarchy), "*(?@0)");
  expect_sound(only_missing.hierarchy);
  const auto none = bind_flat(Values{{}, {}, false}.column());
  EXPECT_EQ(none.hierarchy.leaves(), 0U);
  EXPECT_EQ(none.hierarchy.height(), 1);
}

TEST(Bind, ARootAloneIsFlat) {
  const auto result = bound(read("a.txt", "Any\n"), {{"b", "a"}, {}, false});
  EXPECT_EQ(nested(result.hierarchy), "*(b@0 a@1)");
  EXPECT_EQ(result.hierarchy.height(), 1);
}

// Random trees against what the tree itself says, looked up the slow way.
TEST(Bind, AgreesWithThePlainReading) {
  testing::RandomTrees random(5);
  for (int round = 0; round < 1000; ++round) {
    Tree tree = random.tree(random.draw(1, 14), random.draw(1, 5));
    if (round % 2 == 0) tree = read("round.csv", level_table(tree));
    const std::vector<uint32_t> leaves = testing::leaves_of(tree);
    Values values;
    std::vector<std::string> known, unknown;  // expected order
    for (uint32_t leaf : leaves) {
      if (random.draw(0, 2) > 0) known.push_back(tree.nodes[leaf].label);
    }
    for (size_t i = random.draw(0, 2); i > 0; --i) unknown.push_back("u" + std::to_string(i));
    values.texts = known;
    values.texts.insert(values.texts.end(), unknown.begin(), unknown.end());
    random.shuffle(values.texts);
    unknown.clear();
    for (const std::string& text : values.texts) {
      if (text[0] == 'u') unknown.push_back(text);
    }
    values.missing = random.draw(0, 1) == 0 || values.texts.empty();

    const auto result = bound(tree, values, UnknownValues::under_root);
    const Hierarchy& hierarchy = result.hierarchy;
    expect_sound(hierarchy);
    std::vector<std::string> expected = known;  // nodes of these trees stand in depth-first order
    expected.insert(expected.end(), unknown.begin(), unknown.end());
    if (values.missing) expected.push_back("?");
    ASSERT_EQ(result.leaf_texts, expected);
    size_t height = 1;
    for (uint32_t leaf : leaves) height = std::max(height, testing::chain(tree, leaf).size() - 1);
    ASSERT_EQ(hierarchy.height(), static_cast<int>(height));
    for (size_t value = 0; value < values.texts.size(); ++value) {
      const uint32_t position = result.leaf_of_value[value];
      ASSERT_EQ(result.leaf_texts[position], values.texts[value]);
      std::vector<std::string> path{values.texts[value], "*"};
      for (uint32_t leaf : leaves) {
        if (tree.nodes[leaf].label == values.texts[value]) path = testing::chain(tree, leaf);
      }
      ASSERT_EQ(chain(hierarchy, position), path);
      for (size_t l = 0; l <= height; ++l) {
        const size_t depth = std::min(path.size() - 1, height - l);
        ASSERT_EQ(hierarchy.node(hierarchy.node_at(position, static_cast<int>(l))).label,
                  path[path.size() - 1 - depth]);
      }
    }
  }
}

// A numeric column binds exactly when every node's numbers are neighbours among those that occur.
TEST(BindNumeric, RefusesExactlyWhatHasGaps) {
  testing::RandomTrees random(6);
  int refused = 0, accepted = 0;
  for (int round = 0; round < 2000; ++round) {
    Tree tree = random.tree(random.draw(1, 7), random.draw(1, 3));
    const std::vector<uint32_t> leaves = testing::leaves_of(tree);
    std::vector<std::string> numbers;
    for (size_t i = 0; i < leaves.size(); ++i) numbers.push_back(std::to_string(3 * i + random.draw(0, 2)));
    for (size_t swaps = random.draw(0, 6); swaps > 0; --swaps) {
      std::swap(numbers[random.draw(0, leaves.size() - 1)], numbers[random.draw(0, leaves.size() - 1)]);
    }
    std::vector<std::string> used;
    for (size_t i = 0; i < leaves.size(); ++i) {
      tree.nodes[leaves[i]].label = numbers[i];
      if (random.draw(0, 4) > 0) used.push_back(numbers[i]);
    }
    random.shuffle(used);
    if (used.empty()) continue;
    std::vector<double> sorted;
    for (const std::string& text : used) sorted.push_back(std::stod(text));
    std::sort(sorted.begin(), sorted.end());
    bool gap = false;
    for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
      std::vector<size_t> ranks;
      for (size_t rank = 0; rank < sorted.size(); ++rank) {
        for (uint32_t leaf : leaves) {
          if (std::stod(tree.nodes[leaf].label) != sorted[rank]) continue;
          uint32_t up = leaf;
          while (up != node && up != 0) up = tree.nodes[up].parent;
          if (up == node) ranks.push_back(rank);
        }
      }
      gap = gap || (!ranks.empty() && ranks.back() - ranks.front() + 1 != ranks.size());
    }
    const Values values = numeric(used);
    ASSERT_EQ(!error_of(tree, values).empty(), gap) << testing::nested(tree);
    ++(gap ? refused : accepted);
    if (gap) continue;
    const auto result = bound(tree, values);
    expect_sound(result.hierarchy);
    for (uint32_t leaf = 0; leaf < result.hierarchy.leaves(); ++leaf) {
      ASSERT_EQ(result.hierarchy.number(leaf), sorted[leaf]);
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_GT(accepted, 300);
}

TEST(Bind, LargeDomains) {
  constexpr size_t kValues = 100000;
  std::string text;
  Values values;
  for (size_t i = 0; i < kValues; ++i) {
    const std::string value = std::to_string(i);
    text += value + ";g" + std::to_string(i / 10) + ";h" + std::to_string(i / 1000) + ";*\n";
    values.texts.push_back(value);
    values.numbers.push_back(static_cast<double>(i));
  }
  const Tree tree = read("large.csv", text);
  EXPECT_EQ(tree.nodes.size(), 1 + 100 + 10000 + kValues);
  const auto result = bound(tree, values);
  EXPECT_EQ(result.hierarchy.leaves(), kValues);
  EXPECT_EQ(result.leaf_of_value[kValues - 1], kValues - 1);
  EXPECT_EQ(result.hierarchy.node(result.hierarchy.node_at(54321, 1)).label, "g5432");
  values.texts[777] = "77777x";
  values.numbers.clear();
  expect_words(error_of(tree, values), {"1 value", "'77777x', did you mean '7777"});
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
