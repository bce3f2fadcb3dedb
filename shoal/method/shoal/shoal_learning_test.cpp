#include "shoal/method/shoal/shoal_learning.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "shoal/error.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

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

// Of two columns drawn alike, one tells the class: it must keep more of its detail than the other.
TEST(ShoalLearning, KeepsTheColumnThatTellsTheClass) {
  RandomTables random(31);
  RandomTable table = random.table({400, 2, 8, true, false, 2});
  while (table.hierarchies[0].leaves() < 6 || table.hierarchies[1].leaves() < 6) {
    table = random.table({400, 2, 8, true, false, 2});
  }
  for (size_t row = 0; row < 400; ++row) {
    table.table.target->codes.set(row, table.table.quasi[0].codes[row] * 2 < table.hierarchies[0].leaves() ? 0 : 1);
  }
  auto spread_of = [&](const std::string& objective, size_t column) {
    Problem problem = table.problem({{{0, 1}, 20}});
    problem.params = {{"effort", "normal"}, {"objective", objective}};
    const SearchResult result = testing::run_method("shoal", problem);
    const GroupRecoding& groups = result.recoding()->by_group();
    std::vector<std::set<uint32_t>> values(groups.groups());
    for (size_t row = 0; row < 400; ++row) {
      values[groups.group_of_row[row]].insert(table.table.quasi[column].codes[row]);
    }
    size_t sum = 0;
    for (size_t row = 0; row < 400; ++row) sum += values[groups.group_of_row[row]].size();
    return static_cast<double>(sum) / 400;
  };
  EXPECT_LT(spread_of("learning", 0), spread_of("learning", 1));
  EXPECT_LE(spread_of("learning", 0), spread_of("ncp", 0));
}

TEST(ShoalLearning, NeedsATargetAndStopsWhenAsked) {
  RandomTables random(32);
  const RandomTable without = random.table({20, 2, 4, true, true, 0});
  Problem problem = without.problem({{{0, 1}, 2}});
  problem.params = {{"effort", "fast"}, {"objective", "learning"}};
  EXPECT_THROW(testing::run_method("shoal", problem), Error);
  const RandomTable table = random.table({200, 3, 8, true, true, 2});
  Problem cancelled = table.problem({{{0, 1, 2}, 4}});
  cancelled.params = {{"effort", "fast"}, {"objective", "learning"}};
  Progress progress;
  progress.cancel();
  EXPECT_THROW(testing::run_method("shoal", cancelled, progress), Error);
}

}  // namespace
}  // namespace shoal
