// The linear-programming bound and the solution from it, against exact optima.
#include "shoal/method/shoal/lp_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "shoal/method/shoal/lp_dive.h"
#include "shoal/method/shoal/shoal_bound.h"
#include "testing/shoal_scene.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTables;
using testing::ShoalScene;

constexpr double kClose = 1e-9;
constexpr uint64_t kEnough = 50'000'000;

// Least NCP over all partitions into groups of k rows or more.
double exact_optimum(const NcpSpace& space, uint64_t k) {
  const auto rows = static_cast<uint32_t>(space.rows());
  std::vector<double> cost(size_t{1} << rows), best(size_t{1} << rows, std::numeric_limits<double>::infinity());
  for (uint32_t set = 1; set < cost.size(); ++set) {
    RowGroups group;
    for (uint32_t row = 0; row < rows; ++row) {
      if (set >> row & 1) group.rows.push_back(row);
    }
    group.starts.push_back(static_cast<uint32_t>(group.rows.size()));
    cost[set] = group.rows.size() < k ? std::numeric_limits<double>::infinity() : partition_cost(space, group);
  }
  best[0] = 0;
  for (uint32_t set = 1; set < best.size(); ++set) {
    const uint32_t first = set & -set;
    for (uint32_t group = set; group != 0; group = (group - 1) & set) {
      if (group & first) best[set] = std::min(best[set], cost[group] + best[set ^ group]);
    }
  }
  return best.back();
}

LpSettings settings_of(const ShoalScene& scene, uint64_t work, int threads) {
  LpSettings settings;
  settings.k = scene.k;
  settings.work = work;
  settings.threads = threads;
  return settings;
}

TEST(LpBound, LiesBetweenTheSimpleBoundAndTheOptimum) {
  RandomTables random(51);
  Progress progress;
  double optima = 0, bounds = 0, simple_bounds = 0;
  size_t below_simple = 0, reached = 0, solved = 0;
  for (int round = 0; round < 120; ++round) {
    ShoalScene scene(random, random.draw(6, 11), random.draw(2, 4), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    const double optimum = exact_optimum(*scene.space, scene.k);
    LpSolver solver(*scene.space, tuples, scene.groups, settings_of(scene, kEnough, 1), progress);
    solver.solve();
    if (!solver.best()) {  // a random partition that costs nothing leaves nothing to prove
      ASSERT_LE(partition_cost(*scene.space, scene.groups), kClose);
      continue;
    }
    ++solved;
    const double simple = shoal_lower_bound(*scene.space, scene.k, scene.groups, {1'000'000, 1}, progress);
    ASSERT_LE(solver.best()->bound, optimum + kClose) << "round " << round;
    optima += optimum;
    bounds += solver.best()->bound;
    simple_bounds += simple;
    below_simple += solver.exact() && solver.best()->bound < simple - 0.01 * optimum;
    reached += solver.best()->bound > 0.99 * optimum;
  }
  EXPECT_GT(solved, 100u);
  EXPECT_GT(bounds, 0.9 * optima);  // sets may be used in part: on tiny tables that tells
  EXPECT_GT(bounds, 1.05 * simple_bounds);
  EXPECT_LE(below_simple, 3u);
  EXPECT_GT(reached, solved / 4);
}

TEST(LpBound, IsTheSameForAnyNumberOfThreads) {
  RandomTables random(52);
  Progress progress;
  for (int round = 0; round < 6; ++round) {
    ShoalScene scene(random, random.draw(100, 400), random.draw(2, 6), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    auto solved = [&](int threads) {
      auto solver = std::make_unique<LpSolver>(*scene.space, tuples, scene.groups,
                                               settings_of(scene, 3'000'000, threads), progress);
      solver->solve();
      return solver;
    };
    const auto one = solved(1);
    const auto dived = lp_dive(*scene.space, tuples, *solved(1), {.k = scene.k}, progress);
    for (int threads : {2, 8}) {
      const auto many = solved(threads);
      ASSERT_EQ(one->best().has_value(), many->best().has_value());
      if (one->best()) {
        ASSERT_EQ(one->best()->bound, many->best()->bound);
        ASSERT_EQ(one->best()->dual, many->best()->dual);
      }
      ASSERT_EQ(one->dual(), many->dual());
      ASSERT_EQ(one->work_done(), many->work_done());
      const auto again = lp_dive(*scene.space, tuples, *many, {.k = scene.k}, progress);
      ASSERT_EQ(dived.has_value(), again.has_value());
      if (dived) {
        ASSERT_EQ(dived->rows, again->rows);
        ASSERT_EQ(dived->starts, again->starts);
      }
    }
  }
}

TEST(LpBound, TooLittleWorkGivesCoarserBoxesOrNoneButNeverAWrongBound) {
  RandomTables random(53);
  Progress progress;
  size_t none = 0, coarse = 0;
  for (int round = 0; round < 150; ++round) {
    ShoalScene scene(random, random.draw(6, 10), random.draw(2, 3), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    LpSolver solver(*scene.space, tuples, scene.groups, settings_of(scene, random.draw(1, 600), 1), progress);
    solver.solve();
    none += !solver.best();
    coarse += !solver.exact();
    if (solver.best()) {
      ASSERT_LE(solver.best()->bound, exact_optimum(*scene.space, scene.k) + kClose);
    }
  }
  EXPECT_GT(none, 5u);
  EXPECT_GT(coarse, 5u);
}

TEST(LpBound, StopsWhenTheTimeIsOutOrWhenAsked) {
  RandomTables random(54);
  ShoalScene scene(random, 200, 4, false);
  const DistinctTuples tuples = distinct_tuples_of(*scene.space);
  Progress late;
  late.set_deadline(Clock::now());
  LpSolver solver(*scene.space, tuples, scene.groups, settings_of(scene, kEnough, 1), late);
  solver.solve();
  EXPECT_FALSE(solver.best());
  EXPECT_EQ(solver.rounds(), 0u);
  Progress stopped;
  stopped.cancel();
  LpSolver cancelled(*scene.space, tuples, scene.groups, settings_of(scene, kEnough, 1), stopped);
  EXPECT_THROW(cancelled.solve(), Error);
}

TEST(LpDive, MakesGroupsOfKRowsNearTheOptimum) {
  RandomTables random(55);
  Progress progress;
  double optima = 0, dives = 0, starts = 0;
  size_t dived = 0;
  for (int round = 0; round < 80; ++round) {
    ShoalScene scene(random, random.draw(8, 11), random.draw(2, 3), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    LpSolver solver(*scene.space, tuples, scene.groups, settings_of(scene, kEnough, 1), progress);
    solver.solve();
    const auto groups = lp_dive(*scene.space, tuples, solver, {.k = scene.k}, progress);
    if (!groups) continue;
    ++dived;
    ASSERT_TRUE(testing::is_partition(*groups, scene.table.table.rows, scene.k));
    const double optimum = exact_optimum(*scene.space, scene.k);
    ASSERT_GE(partition_cost(*scene.space, *groups), optimum - kClose);
    optima += optimum;
    dives += partition_cost(*scene.space, *groups);
    starts += partition_cost(*scene.space, scene.groups);
  }
  EXPECT_GT(dived, 60u);
  EXPECT_LT(dives, 1.1 * optima);
  EXPECT_LT(dives, 0.9 * starts);
  for (int round = 0; round < 10; ++round) {
    ShoalScene scene(random, random.draw(100, 500), random.draw(2, 9), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    LpSolver solver(*scene.space, tuples, scene.groups, settings_of(scene, kEnough, 2), progress);
    solver.solve();
    const auto groups = lp_dive(*scene.space, tuples, solver, {.k = scene.k}, progress);
    if (!groups) continue;
    ASSERT_TRUE(testing::is_partition(*groups, scene.table.table.rows, scene.k));
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
