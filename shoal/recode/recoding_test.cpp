// Released cells, how they are printed and read back, and apply() against looking every cell up by hand.
#include "shoal/recode/recoding.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "shoal/recode/apply.h"
#include "shoal/recode/group_keys.h"
#include "testing/plain_loss.h"
#include "testing/random_recoding.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

constexpr Shape kShapes[] = {Shape::levels, Shape::cut, Shape::regions, Shape::groups};

TEST(Released, KindsAreToldApart) {
  const Released range = released_range(2, 5), mean = released_mean(2, 5, 0), node{2, 5, Released::Kind::node, 0};
  EXPECT_TRUE(range.is_range() && !range.is_mean() && !range.is_node() && !range.is_root());
  EXPECT_TRUE(mean.is_mean() && !mean.is_range() && !mean.is_node() && !mean.is_root());
  EXPECT_TRUE(node.is_node() && node.is_root() && !node.is_range() && !node.is_mean());
  EXPECT_FALSE(range == mean || mean == node || range == node);
  EXPECT_FALSE(mean == released_mean(2, 5, 1));
  EXPECT_EQ(released_mean(2, 5, 7).number, 7u);
  // Node 0 alone is the root: a mean or a range numbered 0 is not.
  EXPECT_FALSE(mean.is_node(0) || range.is_node(0));
}

// The least node, or range of numbers, that has both leaves below it.
TEST(Released, IntervalIsTheTightestReleaseThatCoversBoth) {
  RandomTables random(11);
  for (int round = 0; round < 300; ++round) {
    const bool numeric = round % 2 == 0;
    const size_t leaves = random.draw(1, 9);
    const Hierarchy tree = random.hierarchy(leaves, numeric, leaves > 1 && random.draw(0, 2) == 0);
    for (uint32_t lo = 0; lo < leaves; ++lo) {
      for (uint32_t hi = lo; hi < leaves; ++hi) {
        const Released released = released_interval(tree, lo, hi);
        ASSERT_LE(released.first, lo);
        ASSERT_GE(released.last, hi);
        if (lo == hi) {
          ASSERT_EQ(released, released_leaf(tree, lo));
        } else if (numeric && tree.missing() == hi) {
          ASSERT_TRUE(released.is_root());
        } else if (numeric) {
          ASSERT_EQ(released, released_range(lo, hi));
        } else {
          ASSERT_TRUE(released.is_node());
          size_t least = leaves;
          for (uint32_t node = 0; node < tree.nodes(); ++node) {
            if (testing::is_below(tree, lo, node) && testing::is_below(tree, hi, node)) {
              least = std::min(least, testing::leaves_under(tree, node).size());
            }
          }
          ASSERT_EQ(testing::leaves_under(tree, released.number).size(), least);
        }
      }
    }
  }
}

TEST(Recoding, ItsShapeIsThatOfItsCells) {
  RandomTables random(12);
  for (Shape shape : kShapes) {
    const RandomTable drawn = random.table({.rows = 12, .columns = 2});
    const Recoding recoding = testing::random_recoding(random, drawn, shape);
    EXPECT_EQ(recoding.shape(), shape);
    EXPECT_EQ(recoding.is_by_value(), shape == Shape::levels || shape == Shape::cut);
    if (recoding.is_by_value()) {
      EXPECT_THROW(recoding.by_group(), std::bad_variant_access);
    } else {
      EXPECT_THROW(recoding.by_value(), std::bad_variant_access);
    }
  }
}

// What the recoding says about one cell, read from its definition.
Released plain_cell(const Recoding& recoding, const RandomTable& drawn, size_t row, size_t j) {
  const uint32_t leaf = drawn.table.quasi[j].codes[row];
  if (const auto* values = std::get_if<ValueRecoding>(&recoding.cells)) return values->value_map.at(j).at(leaf);
  const auto& groups = std::get<GroupRecoding>(recoding.cells);
  for (size_t i = 0; i < groups.recoded_columns.size(); ++i) {
    if (groups.recoded_columns[i] != j) continue;
    return groups.group_releases.at(groups.group_of_row.at(row) * groups.recoded_columns.size() + i);
  }
  return released_leaf(drawn.hierarchies[j], leaf);
}

TEST(ApplyRecoding, EveryCellIsReleasedAsTheRecodingSaysWhateverTheThreads) {
  RandomTables random(13);
  for (int round = 0; round < 400; ++round) {
    const Shape shape = kShapes[round % 4];
    const RandomTable drawn = random.table({.rows = random.draw(1, 40), .columns = random.draw(1, 4)});
    const Recoding recoding = testing::random_recoding(random, drawn, shape);
    for (int threads : {1, 3}) {
      const ReleasedTable released = apply(recoding, drawn.table, drawn.hierarchies, threads);
      ASSERT_EQ(released.dropped_rows, recoding.dropped_rows);
      for (size_t j = 0; j < drawn.table.quasi.size(); ++j) {
        const ReleasedColumn& column = released.quasi[j];
        for (size_t a = 0; a < column.values.size(); ++a) {
          for (size_t b = 0; b < a; ++b) ASSERT_FALSE(column.values[a] == column.values[b]) << "listed twice";
        }
        for (uint32_t row = 0; row < drawn.table.rows; ++row) {
          if (std::binary_search(recoding.dropped_rows.begin(), recoding.dropped_rows.end(), row)) continue;
          ASSERT_EQ(column.values.at(column.codes[row]), plain_cell(recoding, drawn, row, j)) << "round " << round;
        }
      }
    }
  }
}

// Every node, leaf and range, as printed: `*` only the root, a range as its ends, everything else by its own text.
TEST(ReleasedText, IsReadBackAsWhatItSays) {
  RandomTables random(14);
  size_t ranges = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomTable drawn = random.table({.rows = 12, .columns = 1, .max_values = 9});
    const Hierarchy& tree = drawn.hierarchies[0];
    Column column = drawn.table.quasi[0];
    for (uint32_t leaf = 0; tree.numeric() && leaf < tree.leaves(); ++leaf) {
      if (leaf != tree.missing()) column.values[leaf] = std::to_string(static_cast<int>(tree.number(leaf)));
    }
    const ReleasedCells cells(column, tree);
    EXPECT_EQ(released_text(released_node(tree, 0), column, tree), "*");
    for (uint32_t node = 1; node < tree.nodes(); ++node) {
      const Released released = released_node(tree, node);
      const std::string text = released_text(released, column, tree);
      const auto read = cells.parse(text);
      ASSERT_TRUE(read) << text;
      EXPECT_TRUE(read->first == released.first && read->last == released.last) << text;
    }
    const auto numbers = static_cast<uint32_t>(tree.leaves() - (tree.missing() ? 1 : 0));
    for (uint32_t lo = 0; tree.numeric() && lo < numbers; ++lo) {
      for (uint32_t hi = lo + 1; hi < numbers; ++hi, ++ranges) {
        const std::string text = released_text(released_range(lo, hi), column, tree);
        EXPECT_EQ(text, "[" + column.values[lo] + "," + column.values[hi] + "]");
        EXPECT_EQ(cells.parse(text), released_range(lo, hi));
      }
    }
    EXPECT_FALSE(cells.parse("nowhere"));
  }
  EXPECT_GT(ranges, 100u);
  const std::vector<std::string> means{"1.50", "2.25"};
  EXPECT_EQ(released_text(released_mean(0, 1, 1), Column{"x", {}, {"1", "2"}}, random.hierarchy(2, true, false), means),
            "2.25");
}

TEST(GroupKeys, GroupWhatLooksAlike) {
  RandomTables random(15);
  const RandomTable drawn = random.table({.rows = 40, .columns = 2, .max_values = 3});
  const Recoding recoding = levels_recoding(drawn.hierarchies, {drawn.hierarchies[0].height(), 0});
  const ReleasedTable released = apply(recoding, drawn.table, drawn.hierarchies, 1);
  const Groups raw = group_rows(40, raw_keys(drawn.table, drawn.hierarchies)),
               after = group_rows(40, released_keys(released));
  for (size_t a = 0; a < 40; ++a) {
    for (size_t b = 0; b < a; ++b) {
      const bool same1 = drawn.table.quasi[1].codes[a] == drawn.table.quasi[1].codes[b];
      const bool same0 = drawn.table.quasi[0].codes[a] == drawn.table.quasi[0].codes[b];
      EXPECT_EQ(raw.group_of_row[a] == raw.group_of_row[b], same0 && same1);
      EXPECT_EQ(after.group_of_row[a] == after.group_of_row[b], same1);
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
