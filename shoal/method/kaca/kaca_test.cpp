// Method `kaca` against the plain scan, its costs against the distortion measure, and its parameters.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>

#include "shoal/measure/cell_loss.h"
#include "shoal/method/kaca/kaca_index.h"
#include "shoal/recode/apply.h"
#include "testing/flat_numbers.h"
#include "testing/kaca_oracle.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::flatten_numbers;
using testing::KacaScan;
using testing::RandomTable;
using testing::RandomTables;

SearchResult run(const Problem& problem) { return testing::run_method("kaca", problem); }

Problem draw_problem(RandomTables& random, const RandomTable& table) {
  Problem problem = table.problem({united(random.requirements(table.table))});
  if (random.draw(0, 1)) problem.requirements[0].k = random.draw(1, std::min<size_t>(table.table.rows, 5));
  if (random.draw(0, 2) == 0) {
    for (double& weight : problem.weights) weight = double(random.draw(1, 40)) / 8;
  }
  problem.seed = random.draw(0, 1000);
  problem.params = {{"weights", random.draw(0, 1) ? "uniform" : "height"}, {"beta", random.draw(0, 1) ? "1" : "2.5"}};
  problem.params["outlier"] = random.draw(0, 2) ? "0" : fmt::format("0.{}", random.draw(1, 9));
  if (random.draw(0, 1)) problem.suppress_rows = double(random.draw(0, 10)) / 10;
  return problem;
}

testing::KacaSettings settings_of(const Problem& problem) {
  return {problem.params.at("weights") == "uniform" ? 0 : std::stod(problem.params.at("beta")),
          std::stod(problem.params.at("outlier"))};
}

// Row for row the same release and the same groups.
void expect_same(const SearchResult& found, const KacaScan& scan, const Problem& problem) {
  const Recoding& recoding = *found.recoding();
  std::vector<uint32_t> dropped = scan.dropped();
  std::sort(dropped.begin(), dropped.end());
  ASSERT_EQ(recoding.dropped_rows, dropped);
  const size_t columns = recoding.by_group().recoded_columns.size();
  size_t groups = 0;
  for (const KacaScan::Group& group : scan.groups()) {
    if (group.rows.empty()) continue;
    ++groups;
    const size_t released = recoding.by_group().group_of_row[group.rows.front()];
    for (uint32_t row : group.rows) ASSERT_EQ(recoding.by_group().group_of_row[row], released);
    for (size_t j = 0; j < columns; ++j) {
      const auto& recoded = recoding.by_group().recoded_columns;
      const auto place = std::find(recoded.begin(), recoded.end(), scan.space().quasi(j)) - recoded.begin();
      ASSERT_EQ(recoding.by_group().group_releases[released * columns + static_cast<size_t>(place)],
                scan.space().released(j, group.cells[j]));
    }
  }
  ASSERT_EQ(recoding.by_group().group_releases.size(), groups * columns);
  ASSERT_EQ(problem.table.rows, recoding.by_group().group_of_row.size());
}

TEST(Kaca, GivesTheGroupsOfThePlainScan) {
  RandomTables random(41);
  size_t with_dropped = 0, with_stubs = 0;
  for (int round = 0; round < 4000; ++round) {
    SCOPED_TRACE(round);
    RandomTable table =
        random.table({random.draw(1, round % 10 == 0 ? 200 : 40), random.draw(1, 6), random.draw(2, 9), true, true, 0});
    flatten_numbers(random, table);
    const Problem problem = draw_problem(random, table);
    const SearchResult found = run(problem);
    KacaScan scan(problem, settings_of(problem));
    scan.run();
    expect_same(found, scan, problem);
    if (HasFatalFailure()) return;
    with_dropped += !scan.dropped().empty();
    with_stubs += found.stats.details[0].second.find(", 0 of") == std::string::npos;
  }
  EXPECT_GT(with_dropped, 100u);  // else the tables test nothing of it
  EXPECT_GT(with_stubs, 100u);
}

// Columns of many values have no table of joined cells; queries walk the tree.
TEST(Kaca, GivesTheGroupsOfThePlainScanInColumnsOfManyValues) {
  RandomTables random(42);
  for (int round = 0; round < 3; ++round) {
    RandomTable table = random.table({700, 2, 1400, true, true, 0});
    flatten_numbers(random, table);
    Problem problem = draw_problem(random, table);
    problem.requirements = {{{0, 1}, 3}};
    KacaScan scan(problem, settings_of(problem));
    scan.run();
    expect_same(run(problem), scan, problem);
    if (HasFatalFailure()) return;
  }
}

// What a merge is said to cost is what the measure counts afterwards.
TEST(Kaca, CostsAreThoseOfTheDistortionMeasure) {
  RandomTables random(43);
  for (int round = 0; round < 500; ++round) {
    RandomTable table = random.table({30, 3, 9, true, true, 0});
    flatten_numbers(random, table);
    Problem problem = table.problem({{{0, 1, 2}, 3}});
    for (double& weight : problem.weights) weight = double(random.draw(1, 3));
    const double beta = round % 2 == 0 ? 0 : double(random.draw(1, 3));
    const KacaSpace space(problem, {0, 1, 2}, beta, 3);
    double weights = 0;
    for (double weight : problem.weights) weights += weight;
    for (size_t j = 0; j < 3; ++j) {
      const Hierarchy& tree = space.hierarchy(j);
      for (uint32_t a = 0; a < tree.leaves(); ++a) {
        for (uint32_t b = 0; b < tree.leaves(); ++b) {
          const KacaCell joined = space.join(j, {a, a}, {b, b});
          const KacaCost share = space.uneven(j) ? space.share(j, a) : 1;
          const double cost = double(share * (space.kept(j, {a, a}) - space.kept(j, joined)));
          const double expected = problem.weights[space.quasi(j)] *
                                  weighted_hierarchical_distance(tree, a, space.released(j, joined), beta);
          ASSERT_NEAR(cost / double(space.whole_row()) * weights, expected, 2e-5);
          if (j >= space.trees()) continue;
          const KacaCost* row = space.kept_of_joined(j, tree.leaf_node(a));
          ASSERT_EQ(row[tree.leaf_node(b)], space.kept(j, joined));
        }
      }
    }
  }
}

// Equal distances are equal: a third and a sixth and a half make one, exactly.
TEST(Kaca, CountsCommonFractionsWithoutRounding) {
  RandomTables random(44);
  for (int round = 0; round < 200; ++round) {
    const RandomTable table = random.table({20, 4, 8, false, true, 0});
    const Problem problem = table.problem({{{0, 1, 2, 3}, 2}});
    const KacaSpace space(problem, {0, 1, 2, 3}, 0, 2);
    for (size_t j = space.even_trees(); j < space.trees(); ++j) {
      for (uint32_t leaf = 0; leaf < space.leaves(j); ++leaf) {
        ASSERT_EQ(space.share(j, leaf) * space.kept(j, {leaf, leaf}), space.whole_row() / 4);
      }
    }
    for (size_t j = 0; j < space.even_trees(); ++j) ASSERT_EQ(space.kept(j, {0, 0}), space.whole_row() / 4);
  }
}

TEST(Kaca, OutliersAreDroppedWithinTheLimitAndSaid) {
  RandomTables random(45);
  size_t kept_and_said = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomTable table = random.table({40, 4, 8, true, true, 0});
    Problem problem = table.problem({{{0, 1, 2, 3}, 4}});
    problem.params = {{"weights", "uniform"}, {"beta", "1"}, {"outlier", "0.2"}};
    problem.suppress_rows = 0.1;
    const SearchResult limited = run(problem);
    ASSERT_LE(limited.recoding()->dropped_rows.size(), 4u);
    kept_and_said += !limited.notices.empty();
    problem.suppress_rows = 1;
    ASSERT_GE(run(problem).recoding()->dropped_rows.size(), limited.recoding()->dropped_rows.size());
    problem.suppress_rows.reset();
    ASSERT_TRUE(run(problem).recoding()->dropped_rows.empty());
    problem.suppress_rows = 0.1;
    problem.params["outlier"] = "0";
    const SearchResult none = run(problem);
    ASSERT_TRUE(none.recoding()->dropped_rows.empty());
    ASSERT_NE(none.notices.at(0).find("outlier"), std::string::npos);
  }
  EXPECT_GT(kept_and_said, 50u);
}

TEST(Kaca, AHierarchyIsUsedAndNumbersWithoutOneBecomeRanges) {
  RandomTables random(46);
  size_t ranges = 0, nodes = 0;
  for (int round = 0; round < 200; ++round) {
    RandomTable table = random.table({30, 2, 6, true, false, 0});
    flatten_numbers(random, table);
    const Problem problem = table.problem({{{0, 1}, 3}});
    const SearchResult found = run(problem);
    for (size_t i = 0; i < found.recoding()->by_group().group_releases.size(); ++i) {
      const Hierarchy& tree = table.hierarchies[i % 2];
      const Released& cell = found.recoding()->by_group().group_releases[i];
      bool inner = false;
      for (uint32_t node = 1; node < tree.nodes(); ++node) inner = inner || !tree.is_leaf(node);
      ASSERT_EQ(cell.is_range(), tree.numeric() && !inner && cell.first < cell.last);
      ranges += cell.is_range();
      nodes += tree.numeric() && inner && cell.first < cell.last;
    }
  }
  EXPECT_GT(ranges, 50u);
  EXPECT_GT(nodes, 50u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
