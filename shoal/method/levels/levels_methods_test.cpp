// allmin, incognito and datafly through the registry: worked examples, and the exhaustive oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <set>

#include "shoal/method/method.h"
#include "shoal/recode/apply.h"
#include "testing/levels_oracle.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::LevelsOracle;
using testing::RandomTable;
using testing::RandomTables;

std::string detail(const SearchResult& result, const std::string& name) {
  for (const auto& [key, value] : result.stats.details) {
    if (key == name) return value;
  }
  return "";
}

// A tree given as labels from the root to each leaf, leaves in depth-first order, all of the same depth.
Hierarchy tree(const std::vector<std::vector<std::string>>& paths) {
  std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, static_cast<uint32_t>(paths.size() - 1)}};
  const size_t height = paths.front().size();
  std::vector<std::vector<uint32_t>> levels(height + 1, std::vector<uint32_t>(paths.size(), 0));
  for (uint32_t leaf = 0; leaf < paths.size(); ++leaf) {
    uint32_t parent = 0;
    for (size_t depth = 1; depth <= height; ++depth) {
      const std::string& label = paths[leaf][depth - 1];
      uint32_t node = leaf > 0 ? levels[height - depth][leaf - 1] : 0;
      if (node == 0 || nodes[node].label != label || nodes[node].parent != parent) {
        node = static_cast<uint32_t>(nodes.size());
        nodes.push_back({label, parent, static_cast<uint32_t>(depth), leaf, leaf});
      }
      nodes[node].last = leaf;
      levels[height - depth][leaf] = parent = node;
    }
  }
  return Hierarchy(nodes, levels, {}, std::nullopt);
}

// HM-1: columns edu, sex, hrs.
struct HeuristicMinExample {
  HeuristicMinExample() {
    hierarchies.push_back(tree({{"School", "High", "9th"}, {"School", "High", "10th"}, {"School", "High", "12th"}}));
    hierarchies.push_back(tree({{"M"}, {"F"}}));
    hierarchies.push_back(tree({{"[1,40)", "30"}, {"[40,99)", "40"}}));
    const std::vector<std::array<uint32_t, 4>> rows{{1, 0, 1, 20}, {1, 0, 0, 4}, {0, 0, 0, 2}, {0, 1, 0, 4},
                                                    {0, 1, 1, 6},  {2, 1, 0, 2}, {2, 1, 1, 2}};
    table.rows = 40;
    table.quasi = {{"edu", Codes(40, 3), {"9th", "10th", "12th"}},
                   {"sex", Codes(40, 2), {"M", "F"}},
                   {"hrs", Codes(40, 2), {"30", "40"}}};
    size_t next = 0;
    for (const auto& row : rows) {
      for (uint32_t i = 0; i < row[3]; ++i, ++next) {
        for (size_t j = 0; j < 3; ++j) table.quasi[j].codes.set(next, row[j]);
      }
    }
  }
  Problem problem() const { return {table, hierarchies, {{{0, 1, 2}, 4}}, {1, 1, 1}, {}, {{"measure", "gcp"}}, 1, 1}; }
  Table table;
  std::vector<Hierarchy> hierarchies;
};

TEST(AllMin, EvaluatesFourteenStatesOfTheHeuristicMinExample) {
  const HeuristicMinExample example;
  const SearchResult result = testing::run_method("allmin", example.problem());
  ASSERT_TRUE(result.recoding());
  EXPECT_EQ(result.recoding()->by_value().levels, (std::vector<int>{1, 0, 0}));
  EXPECT_TRUE(result.recoding()->dropped_rows.empty());
  EXPECT_EQ(result.stats.generated, 14u);
  EXPECT_EQ(result.stats.expanded + result.stats.pruned, 14u);
  EXPECT_TRUE(result.stats.optimal);
  EXPECT_EQ(detail(result, "vectors of least height"), "1: [1,0,0]");
}

TEST(AllMin, ReleasesARawTableThatSatisfiesAsItIs) {
  const HeuristicMinExample example;
  Problem problem = example.problem();
  problem.requirements[0].k = 2;
  const SearchResult result = testing::run_method("allmin", problem);
  ASSERT_TRUE(result.recoding());
  EXPECT_EQ(result.recoding()->by_value().levels, (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(result.stats.generated, 0u);
}

TEST(Incognito, FindsTheHeuristicMinExamplesBestVector) {
  const HeuristicMinExample example;
  const SearchResult result = testing::run_method("incognito", example.problem());
  ASSERT_TRUE(result.recoding());
  EXPECT_EQ(result.recoding()->by_value().levels, (std::vector<int>{1, 0, 0}));
  EXPECT_EQ(result.stats.generated, 24u);
  EXPECT_LT(result.stats.expanded, 24u);
}

TEST(Datafly, RaisesTheColumnWithMostValuesAndDropsAtMostK) {
  const HeuristicMinExample example;
  SearchResult result = testing::run_method("datafly", example.problem());
  ASSERT_TRUE(result.recoding());
  // Raw: 6 rows violate, more than k = 4; edu has 3 values, the others 2.
  EXPECT_EQ(result.recoding()->by_value().levels, (std::vector<int>{1, 0, 0}));
  EXPECT_EQ(result.stats.generated, 2u);
  EXPECT_EQ(detail(result, "columns raised, in order"), "edu");
  Problem problem = example.problem();
  problem.suppress_rows = 0.15;  // exactly the 6 rows
  result = testing::run_method("datafly", problem);
  EXPECT_EQ(result.recoding()->by_value().levels, (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(result.recoding()->dropped_rows.size(), 6u);
}

const std::vector<std::string> kMeasures{
    "prec", "rows", "dm", "c_avg", "ncp", "gcp", "distortion", "modification_rate", "lm", "cm", "entropy"};

Problem random_problem(RandomTables& random, const RandomTable& drawn) {
  Problem problem = drawn.problem(random.requirements(drawn.table));
  const std::vector<std::optional<double>> limits{std::nullopt, 0.0, 0.1, 1.0};
  problem.suppress_rows = limits[random.draw(0, limits.size() - 1)];
  for (double& weight : problem.weights) weight = double(random.draw(1, 3)) / 2;
  problem.params["measure"] = kMeasures[random.draw(0, kMeasures.size() - 1)];
  return problem;
}

void expect_holds(const Problem& problem, const SearchResult& result) {
  const ReleasedTable released = apply(*result.recoding(), problem.table, problem.hierarchies, 1);
  for (const Requirement& requirement : problem.requirements) {
    EXPECT_TRUE(testing::holds(released, problem.table.rows, requirement));
  }
}

TEST(LevelsMethods, AllMinAndIncognitoChooseWhatExhaustiveSearchChooses) {
  RandomTables random(11);
  for (int round = 0; round < 400; ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(3, 20), .columns = random.draw(1, 4), .max_values = 4});
    const Problem problem = random_problem(random, drawn);
    const LevelsOracle oracle(problem);
    const std::string& measure = problem.params.at("measure");
    SCOPED_TRACE("round " + std::to_string(round) + ", " + measure);
    std::vector<LevelsOracle::Levels> satisfying;
    for (const auto& levels : oracle.all_vectors()) {
      if (oracle.satisfies(levels)) satisfying.push_back(levels);
    }
    const std::vector<double> losses = oracle.losses(measure, satisfying);
    const SearchResult incognito = testing::run_method("incognito", problem);
    ASSERT_TRUE(incognito.recoding());
    EXPECT_EQ(incognito.recoding()->by_value().levels, LevelsOracle::choose(satisfying, losses));
    EXPECT_EQ(detail(incognito, "satisfying vectors"), std::to_string(satisfying.size()));
    expect_holds(problem, incognito);

    int least = INT_MAX;
    for (const auto& levels : satisfying) least = std::min(least, LevelsOracle::height(levels));
    std::vector<LevelsOracle::Levels> lowest;
    std::vector<double> lowest_losses;
    for (size_t i = 0; i < satisfying.size(); ++i) {
      if (LevelsOracle::height(satisfying[i]) != least) continue;
      lowest.push_back(satisfying[i]);
      lowest_losses.push_back(losses[i]);
    }
    const SearchResult allmin = testing::run_method("allmin", problem);
    ASSERT_TRUE(allmin.recoding());
    EXPECT_EQ(allmin.recoding()->by_value().levels, LevelsOracle::choose(lowest, lowest_losses));
    EXPECT_EQ(detail(allmin, "vectors of least height").find(std::to_string(lowest.size()) + ":"), 0u);
    expect_holds(problem, allmin);
  }
}

// Datafly again, on rows: the levels it ends with.
LevelsOracle::Levels plain_datafly(const Problem& problem) {
  const LevelsOracle oracle(problem);
  LevelsOracle::Levels levels(problem.table.quasi.size(), 0);
  while (true) {
    std::set<size_t> columns;
    const uint64_t allowed = problem.suppress_rows ? oracle.limit() : 0;
    for (const Requirement& requirement : problem.requirements) {
      std::map<std::vector<uint32_t>, uint64_t> counts;
      for (size_t row = 0; row < problem.table.rows; ++row) {
        std::vector<uint32_t> tuple;
        for (size_t column : requirement.columns) tuple.push_back(oracle.node(row, column, levels));
        ++counts[tuple];
      }
      if (std::none_of(counts.begin(), counts.end(), [&](const auto& c) { return c.second < requirement.k; })) continue;
      columns.insert(requirement.columns.begin(), requirement.columns.end());
    }
    const std::vector<bool> gone = oracle.dropped(levels);
    if (static_cast<uint64_t>(std::count(gone.begin(), gone.end(), true)) <= allowed) return levels;
    size_t best = SIZE_MAX, most = 0;
    for (size_t column : columns) {
      if (levels[column] == problem.hierarchies[column].height()) continue;
      std::set<uint32_t> values;
      for (size_t row = 0; row < problem.table.rows; ++row) values.insert(oracle.node(row, column, levels));
      if (values.size() > most) {
        most = values.size();
        best = column;
      }
    }
    ++levels[best];
  }
}

TEST(LevelsMethods, DataflyWalksAsThePlainVersionDoes) {
  RandomTables random(12);
  for (int round = 0; round < 400; ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(6, 30), .columns = random.draw(1, 4), .max_values = 6});
    const Problem problem = random_problem(random, drawn);
    const SearchResult result = testing::run_method("datafly", problem);
    ASSERT_TRUE(result.recoding()) << result.reason();
    const auto expected = plain_datafly(problem);
    EXPECT_EQ(result.recoding()->by_value().levels, expected) << "round " << round;
    const std::vector<bool> gone = LevelsOracle(problem).dropped(expected);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(result.recoding()->dropped_rows.size()),
              std::count(gone.begin(), gone.end(), true));
    expect_holds(problem, result);
  }
}

TEST(LevelsMethods, SameAnswerAndCountsForAnyNumberOfThreads) {
  RandomTables random(13);
  for (int round = 0; round < 60; ++round) {
    const RandomTable drawn = random.table({.rows = 60, .columns = 4, .max_values = 7});
    Problem problem = random_problem(random, drawn);
    for (const char* method : {"allmin", "incognito", "datafly"}) {
      problem.threads = 1;
      const SearchResult one = testing::run_method(method, problem);
      for (int threads : {2, 8}) {
        problem.threads = threads;
        const SearchResult many = testing::run_method(method, problem);
        EXPECT_EQ(many.recoding()->by_value().levels, one.recoding()->by_value().levels);
        EXPECT_EQ(many.recoding()->dropped_rows, one.recoding()->dropped_rows);
        EXPECT_EQ(many.stats.generated, one.stats.generated);
        EXPECT_EQ(many.stats.expanded, one.stats.expanded) << method << " round " << round;
        EXPECT_EQ(many.stats.details, one.stats.details);
      }
    }
  }
}

TEST(LevelsMethods, GiveAnAnswerThatHoldsWhenTimeIsUpAndStopWhenCancelled) {
  RandomTables random(14);
  for (int round = 0; round < 50; ++round) {
    const RandomTable drawn = random.table({.rows = 30, .columns = 3});
    const Problem problem = random_problem(random, drawn);
    for (const char* method : {"allmin", "incognito", "datafly"}) {
      Progress late;
      late.set_deadline(Clock::now());
      const SearchResult result = testing::run_method(method, problem, late);
      ASSERT_TRUE(result.recoding()) << method;
      expect_holds(problem, result);
      EXPECT_TRUE(result.notices.empty() || !result.stats.optimal);
      Progress cancelled;
      cancelled.cancel();
      EXPECT_THROW(testing::run_method(method, problem, cancelled), Error);
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
