#include <gtest/gtest.h>

#include "shoal/measure/measures.h"
#include "shoal/recode/apply.h"
#include "testing/flat_numbers.h"
#include "testing/plain_splits.h"
#include "testing/random_problem.h"
#include "testing/rounds.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::PlainCost;
using testing::RandomTable;
using testing::RandomTables;
using testing::rounds;

std::string detail(const SearchResult& result, const std::string& name) {
  for (const auto& [key, value] : result.stats.details) {
    if (key == name) return value;
  }
  return "";
}

Measures measured(const Problem& problem, const Recoding& recoding) {
  MeasureSettings settings;
  settings.weights = problem.weights;
  return measure(problem.table, problem.hierarchies, apply(recoding, problem.table, problem.hierarchies, 1), settings);
}

// What it says it costs is what the release costs; it is never better than the best of all releases, and on tables this
// small nearly always as good.
TEST(Genetic, CostsWhatItSaysAndFindsTheBestOfFewReleases) {
  RandomTables random(190);
  int compared = 0, best = 0, dropping = 0;
  for (int round = 0; compared < rounds(400); ++round) {
    RandomTable drawn = random.table({.rows = random.draw(1, 24), .columns = random.draw(1, 3), .max_values = 5});
    testing::flatten_numbers(random, drawn);
    Problem problem = drawn.problem(random.requirements(drawn.table));
    if (testing::plain_releases(testing::plain_choices(problem)) > 300) continue;
    ++compared;
    const bool lm = random.draw(0, 1) == 0;
    problem.suppress_rows = double(random.draw(0, 2)) / 2;
    problem.seed = random.draw(1, 1000);
    problem.params = {{"objective", lm ? "lm" : "cm"}, {"generations", "40"}, {"population", "40"}};
    const SearchResult result = testing::run_method("genetic", problem);
    ASSERT_TRUE(result.recoding());
    const Measures found = measured(problem, *result.recoding());
    const double shown = lm ? found.lm : *found.cm;
    EXPECT_NEAR(std::stod(detail(result, "best")), shown, 1e-9 + 1e-9 * shown) << "round " << round;
    const double scale = double(drawn.table.rows) * (lm ? double(drawn.table.quasi.size()) : 1);
    const auto limit = static_cast<size_t>(*problem.suppress_rows * double(drawn.table.rows) + 1e-6);
    const double least = testing::plain_least(problem, limit, lm ? &PlainCost::lm : &PlainCost::cm) / scale;
    EXPECT_GE(shown, least - 1e-9) << "round " << round;
    best += shown < least + 1e-9 ? 1 : 0;
    dropping += !result.recoding()->dropped_rows.empty();
  }
  EXPECT_GT(best, compared * 95 / 100);
  EXPECT_GT(dropping, compared / 50);
}

TEST(Genetic, FollowsItsSeed) {
  RandomTables random(191);
  const RandomTable drawn = random.table({.rows = 300, .columns = 4, .max_values = 12});
  Problem problem = drawn.problem({{{0, 1, 2, 3}, 5}});
  problem.params = {{"generations", "3"}, {"population", "20"}};
  const auto cost = [&](uint64_t seed) {
    problem.seed = seed;
    return detail(testing::run_method("genetic", problem), "best");
  };
  std::set<std::string> costs;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    EXPECT_EQ(cost(seed), cost(seed));
    costs.insert(cost(seed));
  }
  EXPECT_GT(costs.size(), 1u);
}

TEST(Genetic, MoreBroodsAreNeverWorse) {
  RandomTables random(192);
  for (int round = 0; round < rounds(10); ++round) {
    const RandomTable drawn = random.table({.rows = 100, .columns = 3, .max_values = 10});
    Problem problem = drawn.problem({{{0, 1, 2}, 4}});
    double before = 1e300;
    for (const char* generations : {"0", "5", "50"}) {
      problem.params = {{"generations", generations}, {"population", "30"}};
      const double cost = std::stod(detail(testing::run_method("genetic", problem), "best"));
      EXPECT_LE(cost, before);
      before = cost;
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
