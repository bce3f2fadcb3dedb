#include "shoal/recode/ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string>

#include "shoal/recode/apply.h"
#include "testing/hand_table.h"
#include "testing/random_recoding.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

struct NumericColumn {
  Column column;
  Hierarchy hierarchy;
};

// Every number directly under the root.
NumericColumn numbers(const std::vector<std::string>& texts) {
  std::vector<double> values;
  for (const std::string& text : texts) values.push_back(std::stod(text));
  Hierarchy hierarchy = testing::hand_flat(texts, values);
  return {testing::hand_column("x", hierarchy, texts), std::move(hierarchy)};
}

std::string snapped_text(const NumericColumn& x, const std::string& low, const std::string& high) {
  const auto leaf = [&](const std::string& text) {
    return static_cast<uint32_t>(std::find(x.column.values.begin(), x.column.values.end(), text) -
                                 x.column.values.begin());
  };
  return released_text(RangeSnapper(x.hierarchy, x.column.values).snapped(leaf(low), leaf(high)), x.column,
                       x.hierarchy);
}

TEST(RangeSnapper, MovesEndsOutwardToRoundNumbers) {
  std::vector<std::string> texts;
  for (int age = 17; age <= 90; ++age) texts.push_back(std::to_string(age));
  const NumericColumn ages = numbers(texts);
  EXPECT_EQ(snapped_text(ages, "37", "38"), "[36,38]");
  EXPECT_EQ(snapped_text(ages, "38", "39"), "[38,40]");
  EXPECT_EQ(snapped_text(ages, "36", "38"), "[36,38]");
  EXPECT_EQ(snapped_text(ages, "21", "33"), "[20,35]");
  EXPECT_EQ(snapped_text(ages, "17", "18"), "[16,18]");  // 16 is no age of the table
  EXPECT_EQ(snapped_text(ages, "17", "90"), "[0,100]");
  const NumericColumn prices = numbers({"-0.75", "0", "0.5", "1.25", "2000"});
  EXPECT_EQ(snapped_text(prices, "0.5", "1.25"), "[0.4,1.4]");
  EXPECT_EQ(snapped_text(prices, "-0.75", "0"), "[-0.8,0]");
  EXPECT_EQ(snapped_text(prices, "-0.75", "2000"), "[-1000,2000]");
  const NumericColumn hundreds = numbers({"100", "200", "900"});  // in units of a hundred
  EXPECT_EQ(snapped_text(hundreds, "100", "200"), "[0,200]");
}

TEST(RangeSnapper, MovesEndsToBordersOfTheLowestNodes) {
  const Hierarchy ages = testing::hand_hierarchy({{"20", "20s", "young", "*"},
                                                  {"24", "20s", "young", "*"},
                                                  {"31", "30s", "young", "*"},
                                                  {"38", "30s", "young", "*"},
                                                  {"60", "60s", "old", "*"}},
                                                 {20, 24, 31, 38, 60});
  const std::vector<std::string> values{"20", "24", "31", "38", "60"};
  const RangeSnapper snapper(ages, values);
  EXPECT_EQ(snapper.snapped(1, 2), released_range(0, 3));
  EXPECT_EQ(snapper.snapped(3, 4), released_range(2, 4));
  EXPECT_EQ(snapper.snapped(0, 1), released_range(0, 1));
}

// Numbers of all sizes: whole, with decimals, negative, far apart.
NumericColumn random_numbers(testing::RandomTables& random) {
  const int64_t exponent = static_cast<int64_t>(random.draw(0, 5)) - 3;
  const int64_t below = random.draw(0, 2) == 0 ? 500 : 0;
  const size_t most = std::array<size_t, 3>{30, 1000, 1'000'000}[random.draw(0, 2)];
  std::vector<Decimal> drawn;
  for (size_t i = random.draw(2, 25); i > 0; --i) {
    const int64_t number = static_cast<int64_t>(random.draw(0, most)) - below;
    drawn.push_back(Decimal::from_digits(number < 0, std::to_string(std::abs(number)), exponent));
  }
  std::sort(drawn.begin(), drawn.end());
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  std::vector<std::string> texts;
  for (const Decimal& number : drawn) texts.push_back(number.text());
  return numbers(texts);
}

TEST(RangeSnapper, CoversExactlyWhatItPrintsAndNeverMovesInward) {
  testing::RandomTables random(5);
  int moved = 0, beyond_values = 0;
  for (int round = 0; round < 3000; ++round) {
    const NumericColumn x = random_numbers(random);
    const size_t leaves = x.hierarchy.leaves();
    if (leaves < 2) continue;
    const RangeSnapper snapper(x.hierarchy, x.column.values);
    const ReleasedCells cells(x.column, x.hierarchy);
    const auto first = static_cast<uint32_t>(random.draw(0, leaves - 2));
    const auto last = static_cast<uint32_t>(random.draw(first + 1, leaves - 1));
    const Released range = snapper.snapped(first, last);
    const std::string text = released_text(range, x.column, x.hierarchy);
    ASSERT_LE(range.first, first);
    ASSERT_GE(range.last, last);
    const DecimalRange ends = *parse_decimal_range(text);
    for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
      const bool inside = range.first <= leaf && leaf <= range.last;
      ASSERT_EQ(ends.contains(*Decimal::parse(x.column.values[leaf])), inside) << text << ", " << x.column.values[leaf];
    }
    ASSERT_EQ(snapper.snapped(range.first, range.last), range) << text;
    ASSERT_EQ(cells.parse(text), range) << text;
    // Never more than the width and a few units on each side.
    const double before = x.hierarchy.number(last) - x.hierarchy.number(first);
    const double after = ends.high.nearest_double() - ends.low.nearest_double();
    ASSERT_LE(after, 2 * before + 4 * (x.hierarchy.number(1) - x.hierarchy.number(0) + before)) << text;
    moved += range.first < first || range.last > last;
    beyond_values += range.number != 0;
  }
  EXPECT_GT(moved, 500);
  EXPECT_GT(beyond_values, 500);
}

// Whatever the recoding, settled ranges cover what they covered, groups only grow, and settling again changes nothing.
TEST(SettleRanges, OnlyMakesGroupsCoarser) {
  testing::RandomTables random(6);
  for (int round = 0; round < 2000; ++round) {
    const auto drawn = random.table({.rows = random.draw(1, 30), .columns = random.draw(1, 3), .max_values = 12});
    const Shape shape = std::array{Shape::levels, Shape::cut, Shape::regions, Shape::groups}[random.draw(0, 3)];
    const Recoding before = testing::random_recoding(random, drawn, shape);
    for (Ranges ranges : {Ranges::tight, Ranges::snapped, Ranges::nodes}) {
      Recoding after = before;
      settle_ranges(after, drawn.table, drawn.hierarchies, ranges);
      const ReleasedTable tight = apply(before, drawn.table, drawn.hierarchies, 1);
      const ReleasedTable settled = apply(after, drawn.table, drawn.hierarchies, 1);
      settle_ranges(after, drawn.table, drawn.hierarchies, ranges);
      const ReleasedTable twice = apply(after, drawn.table, drawn.hierarchies, 1);
      for (size_t j = 0; j < drawn.hierarchies.size(); ++j) {
        const Hierarchy& hierarchy = drawn.hierarchies[j];
        for (size_t row = 0; row < drawn.table.rows; ++row) {
          const auto cell = [&](const ReleasedTable& table) {
            return table.quasi[j].values[table.quasi[j].codes[row]];
          };
          ASSERT_LE(cell(settled).first, cell(tight).first);
          ASSERT_GE(cell(settled).last, cell(tight).last);
          ASSERT_EQ(cell(twice), cell(settled));
          if (!cell(tight).is_range() || ranges == Ranges::tight) {
            ASSERT_EQ(cell(settled), cell(tight));
          }
          if (ranges == Ranges::nodes && hierarchy.has_inner_nodes()) {
            ASSERT_FALSE(cell(settled).is_range());
          }
        }
      }
      std::vector<size_t> all(drawn.hierarchies.size());
      std::iota(all.begin(), all.end(), size_t{0});
      for (uint64_t k = 1; k < 6; ++k) {
        if (testing::holds(tight, drawn.table.rows, {all, k})) {
          ASSERT_TRUE(testing::holds(settled, drawn.table.rows, {all, k}));
        }
      }
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
