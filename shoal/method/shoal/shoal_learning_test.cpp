#include "shoal/method/shoal/shoal_learning.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "shoal/error.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

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

// Groups of k rows that stay within the groups of kactus, whatever the threads.
TEST(ShoalLearning, SplitsTheGroupsOfATree) {
  RandomTables random(33);
  size_t split = 0;
  for (int round = 0; round < 200; ++round) {
    const RandomTable drawn = random.table({random.draw(6, 80), 3, 6, true, true, 2});
    const uint64_t k = random.draw(1, 4);
    Problem problem = drawn.problem({{{0, 1, 2}, k}});
    const SearchResult tree = testing::run_method("kactus", problem);
    problem.params = {{"effort", round % 2 ? "fast" : "normal"}, {"objective", "learning"}};
    const SearchResult found = testing::run_method("shoal", problem);
    ASSERT_TRUE(tree.recoding() && found.recoding());
    const GroupRecoding &whole = tree.recoding()->by_group(), &parts = found.recoding()->by_group();
    std::map<uint32_t, uint32_t> group_of_part;
    std::map<uint32_t, size_t> sizes;
    for (size_t row = 0; row < drawn.table.rows; ++row) {
      const uint32_t part = parts.group_of_row[row];
      ++sizes[part];
      ASSERT_EQ(group_of_part.emplace(part, whole.group_of_row[row]).first->second, whole.group_of_row[row]) << round;
    }
    for (const auto& [part, rows] : sizes) ASSERT_GE(rows, k) << round;
    split += sizes.size() > whole.groups();
    if (round % 20 > 0) continue;
    for (int threads : {2, 8}) {
      problem.threads = threads;
      const SearchResult again = testing::run_method("shoal", problem);
      ASSERT_EQ(again.recoding()->by_group().group_of_row, parts.group_of_row);
    }
  }
  EXPECT_GT(split, 50U);
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

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
