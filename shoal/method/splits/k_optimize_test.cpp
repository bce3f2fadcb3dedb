#include <gtest/gtest.h>

#include "shoal/measure/measures.h"
#include "shoal/recode/apply.h"
#include "testing/flat_numbers.h"
#include "testing/modelled_problem.h"
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

Measures measured(const Problem& problem, const Recoding& recoding) {
  MeasureSettings settings;
  settings.weights = problem.weights;
  for (const Requirement& requirement : problem.requirements) settings.k = std::max(settings.k, requirement.k);
  return measure(problem.table, problem.hierarchies, apply(recoding, problem.table, problem.hierarchies, 1), settings);
}

SearchResult run(Problem problem, const std::string& objective) {
  problem.params = {{"objective", objective}};
  return testing::run_method("k-optimize", problem);
}

// The proven answer costs what the cheapest of all releases costs: one or several requirements, none or some rows
// dropped.
TEST(KOptimize, IsTheBestOfAllReleases) {
  RandomTables random(180);
  int compared = 0, dropping = 0, ranges = 0;
  for (int round = 0; compared < rounds(1500); ++round) {
    RandomTable drawn = random.table({.rows = random.draw(1, 24), .columns = random.draw(1, 3), .max_values = 5});
    testing::flatten_numbers(random, drawn);
    auto requirements = random.requirements(drawn.table);
    if (random.draw(0, 2) > 0) {  // the usual case: one over all columns
      requirements.resize(1);
      requirements[0].columns.clear();
      for (size_t j = 0; j < drawn.table.quasi.size(); ++j) requirements[0].columns.push_back(j);
    }
    Problem problem = drawn.problem(requirements);
    if (testing::plain_releases(testing::plain_choices(problem)) > 300) continue;
    ++compared;
    problem.suppress_rows = double(random.draw(0, 4)) / 4;
    problem.threads = static_cast<int>(random.draw(1, 2));
    const auto limit = static_cast<size_t>(*problem.suppress_rows * double(drawn.table.rows) + 1e-6);
    const bool dm = random.draw(0, 1) == 0;
    const SearchResult result = run(problem, dm ? "dm" : "cm");
    ASSERT_TRUE(result.recoding());
    const Measures found = measured(problem, *result.recoding());
    const double least = testing::plain_least(problem, limit, dm ? &PlainCost::dm : &PlainCost::cm);
    const double cost = dm ? found.dm : *found.cm * double(drawn.table.rows);
    ASSERT_NEAR(cost, least, 1e-6) << "round " << round << (dm ? " dm" : " cm");
    EXPECT_TRUE(result.stats.optimal) << "round " << round;
    EXPECT_NEAR(*result.stats.bound, dm ? found.dm : *found.cm, 1e-9);
    EXPECT_LE(result.recoding()->dropped_rows.size(), limit);
    dropping += !result.recoding()->dropped_rows.empty();
    for (const auto& column : result.recoding()->by_value().value_map) {
      ranges += std::any_of(column.begin(), column.end(), [](const Released& cell) { return cell.is_range(); });
    }
  }
  EXPECT_GT(dropping, rounds(1500) / 30);
  EXPECT_GT(ranges, rounds(1500) / 30);
}

// With models no row is dropped; among what keeps them the answer is the best.
TEST(KOptimize, IsTheBestThatKeepsModels) {
  RandomTables random(181);
  for (ModelKind kind : testing::kColumnKinds) {
    for (int round = 0, compared = 0; compared < rounds(40); ++round) {
      testing::Asked asked = testing::draw_asked(random, kind, {24, 4, true, true});
      testing::flatten_numbers(random, asked.drawn);
      Problem problem = asked.problem();
      const auto choices = testing::plain_choices(problem);
      if (testing::plain_releases(choices) > 200) continue;
      ++compared;
      problem.suppress_rows = double(random.draw(0, 1));
      const SearchResult result = run(problem, "dm");
      ASSERT_TRUE(result.recoding()) << result.reason();
      EXPECT_TRUE(result.recoding()->dropped_rows.empty());
      double least = 1e300;
      testing::for_every_release(choices, [&](const std::vector<const testing::PlainColumn*>& columns) {
        ReleasedTable released;
        for (size_t j = 0; j < columns.size(); ++j) {
          ReleasedColumn column{{}, Codes(problem.table.rows, problem.table.rows + 1), {}};
          for (uint32_t row = 0; row < problem.table.rows; ++row) {
            const auto [first, last] = (*columns[j])[problem.table.quasi[j].codes[row]];
            column.codes.set(row, row);
            column.values.push_back(released_range(first, last));
          }
          released.quasi.push_back(std::move(column));
        }
        if (!testing::keeps(asked, released)) return;
        Problem any = asked.drawn.problem({});
        least = std::min(least, testing::plain_cost(any, columns).dm);
      });
      ASSERT_NEAR(measured(problem, *result.recoding()).dm, least, 1e-6)
          << model_entry(kind).word << ", round " << round;
      EXPECT_TRUE(result.stats.optimal);
    }
  }
}

// Little memory changes the way, not the answer.
TEST(KOptimize, GoesDepthFirstWithTheSameCost) {
  RandomTables random(182);
  for (int round = 0; round < rounds(30); ++round) {
    RandomTable drawn = random.table({.rows = 200, .columns = 3, .max_values = 12});
    testing::flatten_numbers(random, drawn);
    Problem problem = drawn.problem({{{0, 1, 2}, random.draw(2, 12)}});
    problem.suppress_rows = 0.2;
    const SearchResult plenty = run(problem, "dm");
    problem.params = {{"objective", "dm"}, {"memory", "0.000001"}};
    const SearchResult little = testing::run_method("k-optimize", problem);
    ASSERT_TRUE(plenty.recoding() && little.recoding());
    EXPECT_TRUE(plenty.stats.optimal && little.stats.optimal);
    EXPECT_EQ(measured(problem, *plenty.recoding()).dm, measured(problem, *little.recoding()).dm);
  }
}

TEST(KOptimize, StoppedItShowsHowFarItCanBe) {
  RandomTables random(183);
  for (int round = 0; round < rounds(50); ++round) {
    const RandomTable drawn = random.table({.rows = 60, .columns = 3, .max_values = 6});
    Problem problem = drawn.problem({{{0, 1, 2}, 3}});
    Progress no_time;
    no_time.set_deadline(Clock::now());
    const SearchResult stopped = testing::run_method("k-optimize", problem, no_time);
    const SearchResult whole = run(problem, "dm");
    const double best = measured(problem, *whole.recoding()).dm;
    EXPECT_GE(measured(problem, *stopped.recoding()).dm, best);
    EXPECT_LE(*stopped.stats.bound, best);
    EXPECT_EQ(stopped.stats.optimal, stopped.notices.empty());
  }
}

TEST(KOptimize, AsksForATarget) {
  RandomTables random(184);
  const RandomTable drawn = random.table({.rows = 10, .columns = 2, .target_values = 0});
  EXPECT_THROW(run(drawn.problem({{{0, 1}, 2}}), "cm"), Error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
