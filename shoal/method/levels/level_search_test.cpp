#include "shoal/method/levels/level_search.h"

#include <gtest/gtest.h>

#include <numeric>

#include "shoal/method/levels/subset_search.h"
#include "testing/levels_oracle.h"
#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::LevelsOracle;
using testing::RandomTable;
using testing::RandomTables;

const std::vector<std::string> kMeasures = level_measure_parameter().choices;

RandomTable small_table(RandomTables& random) {
  RandomTable drawn = random.table({.rows = random.draw(1, 24), .columns = random.draw(1, 4), .max_values = 5});
  if (random.draw(0, 1) == 0) {
    for (size_t row = 0; row < drawn.table.rows; ++row) drawn.table.rest.push_back(random.draw(1, 3) << 40);
  }
  return drawn;
}

Problem small_problem(RandomTables& random, const RandomTable& drawn) {
  Problem problem = drawn.problem(random.requirements(drawn.table));
  const std::vector<std::optional<double>> limits{std::nullopt, 0.0, 0.1, 0.3, 1.0};
  problem.suppress_rows = limits[random.draw(0, limits.size() - 1)];
  for (double& weight : problem.weights) weight = double(random.draw(1, 3)) / 2;
  problem.threads = static_cast<int>(random.draw(1, 3));
  problem.params["measure"] = kMeasures[random.draw(0, kMeasures.size() - 1)];
  return problem;
}

// Vectors of the search that satisfy, as the oracle writes them.
std::vector<LevelsOracle::Levels> satisfying(const LevelSearch& search) {
  std::vector<LevelsOracle::Levels> levels;
  for (VectorIndex vector : search.satisfying()) levels.push_back(search.all_levels(vector));
  return levels;
}

std::vector<VectorIndex> all_vectors(const LevelSearch& search) {
  std::vector<VectorIndex> all(search.lattice().size());
  std::iota(all.begin(), all.end(), VectorIndex{0});
  return all;
}

TEST(LevelSearch, AgreesWithTheOracleOnEveryVector) {
  RandomTables random(1);
  for (int round = 0; round < 700; ++round) {
    const RandomTable drawn = small_table(random);
    const Problem problem = small_problem(random, drawn);
    const LevelsOracle oracle(problem);
    const auto vectors = oracle.all_vectors();
    std::vector<LevelsOracle::Levels> expected;
    for (const auto& levels : vectors) {
      if (oracle.satisfies(levels)) expected.push_back(levels);
    }
    const std::string& measure = problem.params.at("measure");
    const std::vector<double> losses = oracle.losses(measure, expected);
    SCOPED_TRACE("round " + std::to_string(round) + ", " + measure);

    Progress progress;
    LevelSearch by_subsets(problem, progress), by_counting(problem, progress);
    ASSERT_EQ(by_subsets.lattice().size(), vectors.size());
    decide_by_subsets(by_subsets);
    ASSERT_EQ(satisfying(by_subsets), expected);
    by_counting.decide(all_vectors(by_counting));
    ASSERT_EQ(satisfying(by_counting), expected);

    const std::vector<VectorIndex> found = by_subsets.satisfying();
    const auto choice = by_subsets.best(found);
    ASSERT_TRUE(choice);
    EXPECT_EQ(by_subsets.all_levels(choice->vector), LevelsOracle::choose(expected, losses));
    for (size_t i = 0; i < found.size(); ++i) {
      const auto only = by_subsets.best({&found[i], 1});
      ASSERT_TRUE(only);
      EXPECT_NEAR(only->loss, losses[i], 1e-9);
    }
  }
}

TEST(LevelSearch, MinimalVectorsAreThoseWithNothingSatisfyingBelow) {
  RandomTables random(2);
  for (int round = 0; round < 300; ++round) {
    const RandomTable drawn = small_table(random);
    const Problem problem = small_problem(random, drawn);
    Progress progress;
    LevelSearch search(problem, progress);
    decide_by_subsets(search);
    const auto all = satisfying(search);
    std::vector<LevelsOracle::Levels> expected, minimal;
    for (const auto& levels : all) {
      const bool least = std::none_of(all.begin(), all.end(), [&](const LevelsOracle::Levels& other) {
        bool below = other != levels;
        for (size_t j = 0; j < levels.size(); ++j) below &= other[j] <= levels[j];
        return below;
      });
      if (least) expected.push_back(levels);
    }
    for (VectorIndex vector : search.minimal()) minimal.push_back(search.all_levels(vector));
    EXPECT_EQ(minimal, expected);
  }
}

TEST(LevelSearch, RowsToDropAreTheOracles) {
  RandomTables random(3);
  for (int round = 0; round < 500; ++round) {
    const RandomTable drawn = small_table(random);
    const Problem problem = small_problem(random, drawn);
    const LevelsOracle oracle(problem);
    const auto vectors = oracle.all_vectors();
    const auto& levels = vectors[random.draw(0, vectors.size() - 1)];
    const std::vector<bool> gone = oracle.dropped(levels);
    std::vector<uint32_t> expected;
    for (uint32_t row = 0; row < gone.size(); ++row) {
      if (gone[row]) expected.push_back(row);
    }
    EXPECT_EQ(drop_rows(problem, levels).rows, expected);
  }
}

TEST(LevelSearch, RoundsTheRowLimitDownButNotBelowWhatIsMeant) {
  RandomTables random(4);
  const RandomTable drawn = random.table({.rows = 100, .columns = 1});
  Problem problem = drawn.problem({{{0}, 2}});
  EXPECT_EQ(row_limit(problem), 0u);
  for (int percent = 0; percent < 100; ++percent) {
    problem.suppress_rows = double(percent) / 100;
    EXPECT_EQ(row_limit(problem), static_cast<uint64_t>(percent));
  }
  problem.suppress_rows = 1;
  EXPECT_EQ(row_limit(problem), 99u) << "a release without a row is none";
  problem.suppress_rows = 0.0199;
  EXPECT_EQ(row_limit(problem), 1u);
}

TEST(LevelSearch, RefusesLatticesThatAreTooLargeWithTheNumber) {
  RandomTables random(5);
  RandomTable drawn;
  drawn.table.rows = 4;
  for (size_t j = 0; j < 18; ++j) {
    drawn.hierarchies.push_back(random.hierarchy(1, false, false));
    drawn.table.quasi.push_back({"q" + std::to_string(j), Codes(4, 1), {"v"}});
  }
  Requirement all;
  for (size_t j = 0; j < 18; ++j) all.columns.push_back(j);
  all.k = 2;
  double subsets = 1;
  for (const Hierarchy& hierarchy : drawn.hierarchies) subsets *= hierarchy.height() + 2;
  ASSERT_GT(subsets, 268435456);
  const auto reason = lattice_too_large(drawn.problem({all}));
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find(std::to_string(static_cast<uint64_t>(subsets))), std::string::npos) << *reason;
  EXPECT_NE(reason->find("mondrian"), std::string::npos);
  all.columns.resize(3);
  EXPECT_FALSE(lattice_too_large(drawn.problem({all})));
}

TEST(LevelSearch, MisclassificationNeedsATarget) {
  RandomTables random(6);
  const RandomTable drawn = random.table({.rows = 10, .columns = 2, .target_values = 0});
  Problem problem = drawn.problem({{{0, 1}, 2}});
  problem.params["measure"] = "cm";
  Progress progress;
  LevelSearch search(problem, progress);
  decide_by_subsets(search);
  EXPECT_THROW(search.best(search.satisfying()), Error);
}

TEST(BestVector, TiesGoToTheLeastHeightThenTheSmallestVector) {
  const Lattice lattice({2, 2});
  const auto index = [&](int a, int b) { return lattice.index(std::vector<int>{a, b}); };
  BestVector best(lattice, 1e-3);
  best.add(index(2, 2), 0.5);
  best.add(index(2, 0), 0.25 + 5e-4);
  best.add(index(1, 1), 0.25 + 8e-4);
  best.add(index(1, 2), 0.25);
  EXPECT_EQ(best.choice().vector, index(1, 1));
  best.add(index(0, 0), 0.2511);  // not within the tolerance
  EXPECT_EQ(best.choice().vector, index(1, 1));
  best.add(index(2, 1), 0.25 - 5e-4);  // moves the least, so that only (1,2) and (2,0) stay within reach
  EXPECT_EQ(best.choice().vector, index(2, 0));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
