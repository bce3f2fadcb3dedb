// Method `shoal` as a whole, through the registry.
#include <gtest/gtest.h>

#include <algorithm>

#include "shoal/measure/cell_loss.h"
#include "shoal/method/method.h"
#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

SearchResult run(const Problem& problem) { return testing::run_method("shoal", problem); }

// Weighted GCP of a release, cell by cell.
double gcp(const Problem& problem, const ReleasedTable& released) {
  double sum = 0, weights = 0;
  for (size_t j = 0; j < problem.hierarchies.size(); ++j) {
    weights += problem.weights[j];
    for (size_t row = 0; row < problem.table.rows; ++row) {
      sum += problem.weights[j] * ncp(problem.hierarchies[j], released.quasi[j].values[released.quasi[j].codes[row]]);
    }
  }
  return weights == 0 ? 0 : sum / (weights * double(problem.table.rows));
}

bool covers(const Problem& problem, const ReleasedTable& released) {
  for (size_t j = 0; j < problem.hierarchies.size(); ++j) {
    for (size_t row = 0; row < problem.table.rows; ++row) {
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      const uint32_t code = problem.table.quasi[j].codes[row];
      if (code < cell.first || code > cell.last) return false;
    }
  }
  return true;
}

TEST(Shoal, HoldsEveryRequirementCoversEveryCellAndStaysAboveItsBound) {
  RandomTables random(21);
  for (int round = 0; round < 1000; ++round) {
    const RandomTable table = random.table({random.draw(3, 60), random.draw(1, 5), 8, true, true, 2});
    Problem problem = table.problem({united(random.requirements(table.table))});
    for (double& weight : problem.weights) weight = double(random.draw(0, 3));
    problem.params = {{"effort", round % 20 == 0 ? "normal" : "fast"},
                      {"objective", round % 3 == 0 ? "classification" : "ncp"}};
    const SearchResult result = run(problem);
    ASSERT_TRUE(result.recoding());
    const ReleasedTable released = apply(*result.recoding(), table.table, table.hierarchies, 1);
    for (const Requirement& requirement : problem.requirements) {
      ASSERT_TRUE(testing::holds(released, table.table.rows, requirement));
    }
    ASSERT_TRUE(covers(problem, released));
    if (result.stats.bound) {
      ASSERT_LE(*result.stats.bound, gcp(problem, released) + 1e-9);
    }
    ASSERT_TRUE(result.notices.empty());
  }
}

TEST(Shoal, ColumnsOutsideTheRequirementAreReleasedAsTheyAre) {
  RandomTables random(22);
  const RandomTable table = random.table({40, 3, 6, true, true, 0});
  const SearchResult result = run(table.problem({{{0, 2}, 5}}));
  ASSERT_EQ(result.recoding()->by_group().recoded_columns, (std::vector<size_t>{0, 2}));
  const ReleasedTable released = apply(*result.recoding(), table.table, table.hierarchies, 1);
  for (size_t row = 0; row < 40; ++row) {
    const Released& cell = released.quasi[1].values[released.quasi[1].codes[row]];
    ASSERT_EQ(cell, released_leaf(table.hierarchies[1], table.table.quasi[1].codes[row]));
  }
}

TEST(Shoal, SameAnswerForAnyNumberOfThreads) {
  RandomTables random(23);
  for (int round = 0; round < 4; ++round) {
    const RandomTable table = random.table({2500, 5, 12, true, true, 2});
    Problem problem = table.problem({{{0, 1, 2, 3, 4}, 4}});
    problem.params = {{"effort", "fast"}, {"objective", round % 2 == 0 ? "ncp" : "classification"}};
    const SearchResult one = run(problem);
    for (int threads : {2, 8}) {
      problem.threads = threads;
      const SearchResult many = run(problem);
      ASSERT_EQ(one.recoding()->by_group().group_of_row, many.recoding()->by_group().group_of_row);
      ASSERT_EQ(one.recoding()->by_group().group_releases, many.recoding()->by_group().group_releases);
      ASSERT_EQ(one.stats.bound, many.stats.bound);
      ASSERT_EQ(one.stats.details, many.stats.details);
    }
  }
}

TEST(Shoal, MoreEffortCostsLess) {
  RandomTables random(24);
  const RandomTable table = random.table({800, 5, 12, true, true, 2});
  Problem problem = table.problem({{{0, 1, 2, 3, 4}, 6}});
  double last = 1;
  for (const char* effort : {"fast", "normal"}) {
    problem.params = {{"effort", effort}};
    const double now = gcp(problem, apply(*run(problem).recoding(), table.table, table.hierarchies, 1));
    EXPECT_LT(now, last);
    last = now;
  }
}

TEST(Shoal, ASpentTimeBudgetStillGivesAnAnswerAndSaysSo) {
  RandomTables random(25);
  const RandomTable table = random.table({200, 3, 8, true, true, 2});
  const Problem problem = table.problem({{{0, 1, 2}, 4}});
  Progress progress;
  progress.set_deadline(Clock::now());
  const SearchResult result = testing::run_method("shoal", problem, progress);
  ASSERT_TRUE(
      testing::holds(apply(*result.recoding(), table.table, table.hierarchies, 1), 200, problem.requirements.front()));
  ASSERT_EQ(result.notices.size(), 1u);
  EXPECT_NE(result.notices.front().find("after pass 0 of"), std::string::npos);
  EXPECT_FALSE(result.stats.bound);
}

TEST(Shoal, EqualRowsEnoughOfThemLoseNothingAndItIsKnownToBeBest) {
  RandomTables random(26);
  RandomTable table = random.table({24, 2, 4, true, false, 0});
  for (Column& column : table.table.quasi) {
    for (size_t row = 0; row < 24; ++row) column.codes.set(row, column.codes[row % 4]);
  }
  const SearchResult result = run(table.problem({{{0, 1}, 3}}));
  EXPECT_EQ(gcp(table.problem({}), apply(*result.recoding(), table.table, table.hierarchies, 1)), 0);
  EXPECT_TRUE(result.stats.optimal);
}

TEST(Shoal, ClassesAreKeptApartWhenAsked) {
  RandomTables random(27);
  const RandomTable table = random.table({600, 4, 8, true, true, 2});
  auto mixed_rows = [&](const std::string& objective) {
    Problem problem = table.problem({{{0, 1, 2, 3}, 5}});
    problem.params = {{"effort", "normal"}, {"objective", objective}};
    const Recoding recoding = *run(problem).recoding();
    std::vector<std::array<size_t, 2>> counts(600, {0, 0});
    for (size_t row = 0; row < 600; ++row)
      ++counts[recoding.by_group().group_of_row[row]][table.table.target->codes[row]];
    size_t mixed = 0;
    for (const auto& count : counts) mixed += std::min(count[0], count[1]);
    return mixed;
  };
  EXPECT_LT(2 * mixed_rows("classification"), mixed_rows("ncp"));
}

TEST(Shoal, ClassificationWithoutATargetIsAMistakeInTheJob) {
  RandomTables random(28);
  const RandomTable table = random.table({20, 2, 4, true, true, 0});
  Problem problem = table.problem({{{0, 1}, 2}});
  problem.params = {{"effort", "fast"}, {"objective", "classification"}};
  EXPECT_THROW(run(problem), Error);
}

TEST(Shoal, StopsWhenAsked) {
  RandomTables random(29);
  const RandomTable table = random.table({200, 3, 8, true, true, 2});
  Progress progress;
  progress.cancel();
  EXPECT_THROW(testing::run_method("shoal", table.problem({{{0, 1, 2}, 4}}), progress), Error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
