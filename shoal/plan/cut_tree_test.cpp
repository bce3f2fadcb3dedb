#include "shoal/plan/cut_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTables;

double entropy(double share) { return -(share * std::log2(share) + (1 - share) * std::log2(1 - share)); }

struct PlainCut {
  double score = 0, evenness = 0;
  size_t column = 0;
  uint32_t first_right = 0;
};

// Every place between two values of every column, counted from scratch.
std::optional<PlainCut> plain_best_cut(const PilotGroups& pilot, size_t least) {
  const size_t rows = pilot.table->rows;
  std::optional<PlainCut> best;
  for (size_t column : pilot.columns) {
    const Codes& codes = pilot.table->quasi[column].codes;
    for (uint32_t place = 1; place < 64; ++place) {
      size_t left = 0, crossed = 0;
      bool occurs = false;
      for (size_t row = 0; row < rows; ++row) {
        left += codes[row] < place;
        occurs |= codes[row] == place;
      }
      if (!occurs || left < least || rows - left < least) continue;
      for (const auto& groups : pilot.groups) {
        std::map<uint32_t, std::pair<size_t, size_t>> sides;
        for (size_t row = 0; row < rows; ++row)
          ++(codes[row] < place ? sides[groups[row]].first : sides[groups[row]].second);
        for (const auto& [group, side] : sides) crossed += std::min(side.first, side.second);
      }
      const double evenness = entropy(double(left) / double(rows)), score = double(crossed) / evenness;
      if (!best || score < best->score || (score == best->score && evenness > best->evenness)) {
        best = PlainCut{score, evenness, column, place};
      }
    }
  }
  return best;
}

PilotGroups random_pilot(RandomTables& random, const Table& table) {
  PilotGroups pilot;
  pilot.table = &table;
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    if (j == 0 || random.draw(0, 3) > 0) pilot.columns.push_back(j);
  }
  for (size_t r = random.draw(1, 3); r > 0; --r) {
    const size_t most = random.draw(0, table.rows / 2);
    std::vector<uint32_t> groups;
    for (size_t row = 0; row < table.rows; ++row) {
      // Some groups follow a column, so that there are cuts that cross few.
      groups.push_back(random.draw(0, 1) == 0 ? table.quasi[0].codes[row]
                                              : static_cast<uint32_t>(random.draw(0, most)));
    }
    pilot.groups.push_back(std::move(groups));
  }
  return pilot;
}

TEST(CutTree, MakesTheCutThatCrossesLeast) {
  RandomTables random(71);
  size_t cut = 0, uneven = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto drawn = random.table({.rows = random.draw(2, 40), .columns = random.draw(1, 4), .max_values = 9});
    const PilotGroups pilot = random_pilot(random, drawn.table);
    const size_t rows = drawn.table.rows, least = random.draw(1, 4);
    const auto fifth = static_cast<size_t>(std::ceil(0.2 * double(rows)));
    std::optional<PlainCut> expected = plain_best_cut(pilot, std::max(fifth, least));
    if (!expected) {
      expected = plain_best_cut(pilot, least);
      uneven += expected.has_value();
    }
    CutGrower grower(pilot, least);
    ASSERT_EQ(grower.cut(0), expected.has_value()) << "round " << round;
    if (!expected) continue;
    ++cut;
    EXPECT_EQ(grower.tree().nodes()[0].column, expected->column) << "round " << round;
    EXPECT_EQ(grower.tree().nodes()[0].first_right, expected->first_right) << "round " << round;
    EXPECT_FALSE(grower.cut(0)) << "cut twice";
  }
  EXPECT_GT(cut, 2000u);
  EXPECT_GT(uneven, 10u);
}

TEST(CutTree, GrowsByCuttingTheLargestLeafAndRoutesEveryRow) {
  RandomTables random(72);
  for (int round = 0; round < 300; ++round) {
    const auto drawn = random.table({.rows = random.draw(20, 200), .columns = random.draw(1, 4), .max_values = 12});
    const PilotGroups pilot = random_pilot(random, drawn.table);
    const size_t wanted = random.draw(1, 12), least = random.draw(1, 10);
    CutGrower grower(pilot, least);
    grower.grow(wanted);
    const CutTree& tree = grower.tree();
    EXPECT_LE(tree.leaves(), wanted);
    const auto leaf_of_row = tree.route(drawn.table, 1);
    EXPECT_EQ(leaf_of_row, tree.route(drawn.table, 4));
    std::map<uint32_t, size_t> rows_of;
    for (size_t row = 0; row < drawn.table.rows; ++row) {
      // Down the tree by hand.
      uint32_t node = 0;
      while (tree.nodes()[node].left != 0) {
        const auto& here = tree.nodes()[node];
        node = drawn.table.quasi[here.column].codes[row] < here.first_right ? here.left : here.right;
      }
      EXPECT_EQ(leaf_of_row[row], node);
      EXPECT_EQ(tree.leaf_of([&](size_t column) { return drawn.table.quasi[column].codes[row]; }), node);
      ++rows_of[node];
    }
    EXPECT_EQ(rows_of.size(), tree.leaves());
    for (const auto& [leaf, rows] : rows_of) EXPECT_GE(rows, tree.leaves() == 1 ? 1 : least);
    if (tree.leaves() == wanted) continue;
    for (const auto& [leaf, rows] : rows_of) EXPECT_FALSE(CutGrower(grower).cut(leaf)) << "stopped too early";
  }
}

TEST(CutTree, RowsThatAreAllAlikeAreNotCut) {
  testing::RandomTable drawn = RandomTables(1).table({.rows = 30, .columns = 2, .max_values = 1});
  PilotGroups pilot{&drawn.table, {0, 1}, {std::vector<uint32_t>(30, 0)}};
  CutGrower grower(pilot, 1);
  grower.grow(8);
  EXPECT_EQ(grower.tree().leaves(), 1u);
  EXPECT_EQ(grower.tree().route(drawn.table, 2), std::vector<uint32_t>(30, 0));
}

// Nine rows in ten are alike: no cut has a fifth of the rows on each side, and the others are still taken apart.
TEST(CutTree, OneTupleOfMostRowsIsSetApart) {
  testing::RandomTable drawn = RandomTables(1).table({.rows = 100, .columns = 1, .max_values = 1});
  for (size_t row = 0; row < 100; ++row) drawn.table.quasi[0].codes.set(row, row < 90 ? 0 : 1);
  PilotGroups pilot{&drawn.table, {0}, {std::vector<uint32_t>(100, 0)}};
  CutGrower few(pilot, 10), many(pilot, 11);
  EXPECT_TRUE(few.cut(0));
  EXPECT_FALSE(many.cut(0));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
