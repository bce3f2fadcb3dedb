#include "shoal/method/shoal/learning_prices.h"

#include <gtest/gtest.h>

#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

// Ten values of ten rows; the class turns after the third value and not again.
TEST(ClassPositions, ValuesLieApartWhereTheirClassesDo) {
  std::vector<double> counts;
  for (int value = 0; value < 10; ++value) {
    counts.push_back(value < 3 ? 9 : 1);
    counts.push_back(value < 3 ? 1 : 9);
  }
  const std::vector<double> positions = class_positions(counts, 2, 10);
  ASSERT_EQ(positions.size(), 10u);
  EXPECT_EQ(positions.front(), 0);
  EXPECT_EQ(positions.back(), 1);
  // One step of total variation 0.8 (scaled to 1), and ranks .05 .. .95 times 0.2: from 0.01 to 1.19.
  for (size_t v = 0; v < 10; ++v) {
    const double raw = (v < 3 ? 0 : 1) + 0.2 * (0.05 + 0.1 * static_cast<double>(v));
    EXPECT_NEAR(positions[v], (raw - 0.01) / 1.18, 1e-12) << v;
  }
}

// Where no cut leaves enough rows on both sides, ranks alone say where values lie; the order always stays.
TEST(ClassPositions, RanksAloneWhereNothingCanBeCut) {
  RandomTables random(5);
  for (int round = 0; round < 200; ++round) {
    const size_t values = random.draw(1, 60), classes = random.draw(1, 4);
    std::vector<double> counts(values * classes), rows(values, 0);
    double all = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
      counts[i] = static_cast<double>(random.draw(1, 6));
      rows[i / classes] += counts[i];
      all += counts[i];
    }
    const std::vector<double> cut = class_positions(counts, classes, static_cast<double>(random.draw(1, 40)));
    ASSERT_EQ(cut.size(), values);
    for (size_t v = 1; v < values; ++v) EXPECT_GT(cut[v], cut[v - 1]);
    EXPECT_EQ(cut.front(), 0);
    EXPECT_EQ(cut.back(), values > 1 ? 1 : 0);

    const std::vector<double> whole = class_positions(counts, classes, all / 2 + 1);
    const double first = rows.front() / 2, last = all - rows.back() / 2;
    double before = 0;
    for (size_t v = 0; v < values; ++v) {
      EXPECT_NEAR(whole[v], values > 1 ? (before + rows[v] / 2 - first) / (last - first) : 0, 1e-9);
      before += rows[v];
    }
  }
}

// A column that is the class, one drawn apart from it, and one that never changes.
TEST(LearningPrices, AColumnThatTellsTheClassIsDear) {
  RandomTables random(6);
  for (size_t rows : {60, 3000}) {
    RandomTable drawn = random.table({rows, 2, 8, true, false, 2});
    while (drawn.hierarchies[0].leaves() < 4 || drawn.hierarchies[1].leaves() < 4) {
      drawn = random.table({rows, 2, 8, true, false, 2});
    }
    for (size_t row = 0; row < rows; ++row) {
      drawn.table.target->codes.set(row, drawn.table.quasi[0].codes[row] * 2 < drawn.hierarchies[0].leaves() ? 0 : 1);
    }
    Progress progress;
    const auto prices = learning_prices(drawn.problem({{{0, 1}, 2}}), {0, 1}, progress);
    const auto last = [&](size_t column) { return static_cast<uint32_t>(drawn.hierarchies[column].leaves() - 1); };
    EXPECT_GT(prices[0](0, last(0)), 1) << rows;
    EXPECT_LT(prices[1](0, last(1)), 0.5) << rows;
    EXPECT_GT(prices[1](0, last(1)), 0) << rows;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
