#include "shoal/learn/c45.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "shoal/learn/c45_errors.h"
#include "testing/learn_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::dataset_of;
using testing::golf_table;
using testing::random_dataset;

std::string tree_text(const Dataset& data, const C45Options& options = {}) {
  Progress progress;
  return c45_text(grow_c45(data, options, progress), data);
}

TEST(C45, GolfTreeOfTheBook) {
  const std::string tree =
      "outlook = overcast: Play (4.0)\n"
      "outlook = rain\n"
      "|   windy = false: Play (3.0)\n"
      "|   windy = true: Don't (2.0)\n"
      "outlook = sunny\n"
      "|   humidity <= 75: Play (2.0)\n"
      "|   humidity > 75: Don't (3.0)\n";
  const Dataset golf = dataset_of(golf_table());
  // The threshold is a humidity that occurs in the whole table, not only below sunny (70 and 85).
  EXPECT_EQ(tree_text(golf), tree);
  EXPECT_EQ(tree_text(golf, {2, false, 0.25, true}), tree);
}

TEST(C45, ContactLenses) {  // Witten, Frank and Hall, Data Mining, figure 1.2
  EXPECT_EQ(tree_text(dataset_of(testing::contact_lenses())),
            "tears = normal\n"
            "|   astigmatism = no: soft (6.0/1.0)\n"
            "|   astigmatism = yes\n"
            "|   |   prescription = hypermetrope: none (3.0/1.0)\n"
            "|   |   prescription = myope: hard (3.0)\n"
            "tears = reduced: none (12.0)\n");
}

TEST(C45, GolfWithAnUnknownOutlook) {  // pages 30 to 32
  std::string table = golf_table();
  table.replace(table.find("overcast 72"), 8, "?");
  const Dataset golf = dataset_of(table);
  Progress progress;
  const C45Tree tree = grow_c45(golf, {2, false, 0.25, true}, progress);
  EXPECT_EQ(c45_text(tree, golf),
            "outlook = overcast: Play (3.2)\n"
            "outlook = rain\n"
            "|   windy = false: Play (3.0)\n"
            "|   windy = true: Don't (2.4/0.4)\n"
            "outlook = sunny\n"
            "|   humidity <= 75: Play (2.0)\n"
            "|   humidity > 75: Don't (3.4/0.4)\n");
  // A sunny day of unknown humidity: 2.0/5.4 + 3.4/5.4 * 12 % = 44 % to play.
  const auto columns = testing::text_columns("outlook temperature humidity windy class\nsunny 70 ? false Play\n");
  const Dataset day = read_dataset_like(golf, columns, {"class", {"?"}, {}});
  std::vector<double> chances(2);
  c45_classifier(tree, golf)->distribution(day, 0, chances);
  EXPECT_NEAR(chances[1], 0.44, 0.005);
}

TEST(C45, ErrorBoundsOfTheBook) {  // pages 41 to 42
  const ExtraErrors extra(0.25);
  EXPECT_NEAR(extra(6, 0) / 6, 0.206, 0.0005);
  EXPECT_NEAR(extra(9, 0) / 9, 0.143, 0.0005);
  EXPECT_NEAR(extra(1, 0), 0.750, 0.0005);
  EXPECT_NEAR((1 + extra(16, 1)) / 16, 0.157, 0.005);  // the normal approximation gives 0.161
  EXPECT_NEAR(extra(6, 0.5), (extra(6, 0) + extra(6, 1)) / 2, 1e-12);
  EXPECT_EQ(extra(4, 3.75), 0.25);
  // More errors seen, more to come in all; less confidence, fewer.
  for (double errors = 0; errors < 20; errors += 0.5) {
    EXPECT_LE(errors + extra(40, errors), errors + 0.5 + extra(40, errors + 0.5) + 1e-9);
    EXPECT_GT(ExtraErrors(0.1)(40, errors), extra(40, errors));
  }
}

void expect_same(const C45Tree& a, const C45Tree& b, uint64_t seed) {
  ASSERT_EQ(a.nodes.size(), b.nodes.size()) << "seed " << seed;
  for (uint32_t node = 0; node < a.nodes.size(); ++node) {
    ASSERT_EQ(a.nodes[node].attribute, b.nodes[node].attribute) << "seed " << seed;
    EXPECT_EQ(a.nodes[node].threshold, b.nodes[node].threshold) << "seed " << seed;
    EXPECT_EQ(a.nodes[node].first_child, b.nodes[node].first_child) << "seed " << seed;
    for (size_t c = 0; c < a.classes; ++c) EXPECT_NEAR(a.weights(node)[c], b.weights(node)[c], 1e-4);
  }
}

double estimate(const C45Tree& tree, uint32_t node, const ExtraErrors& extra) {
  if (tree.nodes[node].empty) return 0;
  if (tree.nodes[node].leaf()) return extra.of_leaf(tree.weights(node));
  double sum = 0;
  for (uint32_t i = 0; i < tree.nodes[node].children; ++i) {
    sum += estimate(tree, tree.nodes[node].first_child + i, extra);
  }
  return sum;
}

// What must hold in every tree, whatever the table.
void check_tree(const C45Tree& tree, const Dataset& data, double min_objects, bool exact) {
  for (uint32_t index = 0; index < tree.nodes.size(); ++index) {
    const C45Tree::Node& node = tree.nodes[index];
    if (index > 0) {
      ASSERT_LT(node.parent, index);
    }
    if (node.leaf()) continue;
    const Attribute& attribute = data.attributes[node.attribute];
    ASSERT_EQ(node.children, attribute.numeric ? 2U : attribute.categories.size());
    double sum = 0;
    size_t large = 0;
    for (uint32_t i = 0; i < node.children; ++i) {
      ASSERT_EQ(tree.nodes[node.first_child + i].parent, index);
      sum += tree.weight(node.first_child + i);
      if (tree.weight(node.first_child + i) >= min_objects - 1e-6) ++large;
    }
    EXPECT_NEAR(sum, tree.weight(index), 1e-3);
    EXPECT_GE(large, 2U);
  }
  EXPECT_NEAR(tree.weight(0), data.total_weight(), 1e-9);
  if (!exact) return;
  std::vector<double> weights(tree.nodes.size(), 0);
  const auto leaves = leaf_of_rows(tree, data);
  for (size_t row = 0; row < data.rows; ++row) weights[leaves[row]] += data.weights[row];
  for (uint32_t index = 0; index < tree.nodes.size(); ++index) {
    if (tree.nodes[index].leaf()) {
      EXPECT_NEAR(weights[index], tree.weight(index), 1e-9);
    }
  }
}

TEST(C45, TreesOfRandomTablesAreSound) {
  Progress progress;
  size_t split = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    const bool exact = seed % 2 == 0;
    const Dataset data = random_dataset({60, 5, 3, 5, exact ? 0 : 0.15, exact ? 0 : 0.3, seed % 3 == 0}, seed);
    const C45Tree grown = grow_c45(data, {2, false, 0.25, true}, progress);
    check_tree(grown, data, 2, exact);
    const C45Tree pruned = grow_c45(data, {}, progress);
    EXPECT_LE(pruned.nodes.size(), grown.nodes.size());
    if (exact) check_tree(pruned, data, 0, exact);
    // No node is left that pruning should have made a leaf.
    const C45Tree replaced = grow_c45(data, {2, true, 0.25, false}, progress);
    const ExtraErrors extra(0.25);
    for (uint32_t node = 0; node < replaced.nodes.size(); ++node) {
      if (replaced.nodes[node].leaf()) continue;
      ++split;
      EXPECT_GT(extra.of_leaf(replaced.weights(node)), estimate(replaced, node, extra) + 0.1 - 1e-9);
    }
  }
  EXPECT_GT(split, 100U);
}

TEST(C45, WeightsEqualCopies) {
  Progress progress;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Dataset weighted = random_dataset({25, 4, 2, 4, 0.1, 0.2, true}, seed);
    std::vector<uint32_t> copies;
    for (uint32_t row = 0; row < weighted.rows; ++row) {
      copies.insert(copies.end(), static_cast<size_t>(weighted.weights[row]), row);
    }
    Dataset copied = weighted.subset(copies);
    std::fill(copied.weights.begin(), copied.weights.end(), 1.0);
    expect_same(grow_c45(weighted, {}, progress), grow_c45(copied, {}, progress), seed);
  }
}

TEST(C45, CopiesOfManyRowsEqualOneTable) {
  // Enough copies that growing merges them; every weight is then 60 times that of the single table.
  Progress progress;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Dataset data = random_dataset({50, 4, 3, 5, 0.1, 0.2, false}, seed);
    std::vector<uint32_t> copies;
    for (uint32_t i = 0; i < 60 * data.rows; ++i) copies.push_back(static_cast<uint32_t>(i % data.rows));
    const Dataset copied = data.subset(copies);
    std::fill(data.weights.begin(), data.weights.end(), 60.0);
    expect_same(grow_c45(data, {}, progress), grow_c45(copied, {}, progress), seed);
  }
}

TEST(C45, TheOrderOfRowsDoesNotMatter) {
  Progress progress;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Dataset data = random_dataset({50, 4, 3, 5, 0.1, 0.2, false}, seed);
    std::vector<uint32_t> order(data.rows);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
    expect_same(grow_c45(data, {}, progress), grow_c45(data.subset(order), {}, progress), seed);
  }
}

// Enough rows for several threads: large nodes by columns, small ones as subtrees.
TEST(C45, TheSameTreeForAnyNumberOfThreads) {
  Progress progress;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data = random_dataset({45'000, 5, 3, 60, seed % 2 ? 0.1 : 0, 0, seed == 3}, seed);
    C45Options options{20, false, 0.25, true};
    const C45Tree one = grow_c45(data, options, progress);
    EXPECT_GT(one.nodes.size(), 100U);
    for (int threads : {2, 8}) {
      options.threads = threads;
      const C45Tree many = grow_c45(data, options, progress);
      expect_same(one, many, seed);
      EXPECT_EQ(one.class_weights, many.class_weights);
    }
  }
}

TEST(C45, AColumnThatSaysNothingChangesNothing) {
  Progress progress;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Dataset data = random_dataset({50, 3, 2, 4, 0.1, 0, false}, seed);
    Dataset with = data;
    Attribute empty = data.attributes[0];
    empty.name = "empty";
    std::fill(empty.codes.begin(), empty.codes.end(), Attribute::kMissing);
    with.attributes.push_back(empty);
    expect_same(grow_c45(with, {}, progress), grow_c45(data, {}, progress), seed);
  }
}

TEST(C45, MinObjectsAreKept) {
  Progress progress;
  for (double least : {5.0, 20.0, 60.0}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      const Dataset data = random_dataset({300, 4, 2, 4, 0, 0, false}, seed);
      check_tree(grow_c45(data, {least, false, 0.25, true}, progress), data, least, true);
    }
  }
}

// Estimated errors of a subtree if these rows came to it.
double estimate_of(const C45Tree& tree, uint32_t node, const Dataset& data, const std::vector<uint32_t>& rows) {
  if (tree.nodes[node].leaf()) {
    std::vector<double> weights(tree.classes, 0);
    for (uint32_t row : rows) weights[data.class_of[row]] += data.weights[row];
    return ExtraErrors(0.25).of_leaf(weights);
  }
  const Attribute& attribute = data.attributes[tree.nodes[node].attribute];
  std::vector<std::vector<uint32_t>> parts(tree.nodes[node].children);
  for (uint32_t row : rows) {
    const uint32_t code = attribute.codes[row];
    parts[!attribute.numeric ? code : attribute.extents[code].low <= tree.nodes[node].threshold ? 0 : 1].push_back(row);
  }
  double sum = 0;
  for (uint32_t i = 0; i < parts.size(); ++i) {
    sum += estimate_of(tree, tree.nodes[node].first_child + i, data, parts[i]);
  }
  return sum;
}

TEST(C45, NothingIsLeftToRaise) {
  Progress progress;
  size_t differ = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Dataset data = random_dataset({150, 6, 2, 4, 0, 0, false}, seed);
    const C45Tree tree = grow_c45(data, {}, progress);
    check_tree(tree, data, 0, true);
    if (tree.nodes.size() != grow_c45(data, {2, true, 0.25, false}, progress).nodes.size()) ++differ;
    std::vector<std::vector<uint32_t>> rows(tree.nodes.size());
    const auto leaves = leaf_of_rows(tree, data);
    for (uint32_t row = 0; row < data.rows; ++row) {
      for (uint32_t node = leaves[row];; node = tree.nodes[node].parent) {
        rows[node].push_back(row);
        if (node == 0) break;
      }
    }
    for (uint32_t index = 0; index < tree.nodes.size(); ++index) {
      const C45Tree::Node& node = tree.nodes[index];
      if (node.leaf()) continue;
      uint32_t heaviest = node.first_child;
      for (uint32_t i = 0; i < node.children; ++i) {
        if (tree.weight(node.first_child + i) >= tree.weight(heaviest)) heaviest = node.first_child + i;
      }
      EXPECT_GT(estimate_of(tree, heaviest, data, rows[index]),
                estimate_of(tree, index, data, rows[index]) + 0.1 - 1e-9);
    }
  }
  EXPECT_GT(differ, 3U);
}

TEST(C45, ChancesSumToOneAndFollowTheLeaves) {
  Progress progress;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Dataset data = random_dataset({80, 4, 3, 5, 0.2, 0.3, false}, seed);
    const C45Tree tree = grow_c45(data, {}, progress);
    const auto classifier = c45_classifier(tree, data);
    std::vector<double> chances(3);
    for (size_t row = 0; row < data.rows; ++row) {
      classifier->distribution(data, row, chances);
      EXPECT_NEAR(chances[0] + chances[1] + chances[2], 1, 1e-9);
    }
  }
}

TEST(C45, OneClassOrOneRowIsALeaf) {
  EXPECT_EQ(tree_text(dataset_of("a class\n1 x\n2 x\n3 x\n4 x\n")), ": x (4.0)\n");
  EXPECT_EQ(tree_text(dataset_of("a class\n1 x\n")), ": x (1.0)\n");
}

TEST(C45, StopsWhenAsked) {
  Progress progress;
  progress.cancel();
  EXPECT_THROW(grow_c45(dataset_of(golf_table()), {}, progress), Error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
