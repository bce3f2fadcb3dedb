// Method `mingen` against all partitions of tiny tables, and what it says when a table is too large.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "shoal/error.h"
#include "shoal/measure/cell_loss.h"
#include "shoal/method/method.h"
#include "shoal/recode/apply.h"
#include "testing/flat_numbers.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

SearchResult run(const Problem& problem) { return testing::run_method("mingen", problem); }

// What a column loses when these rows share a release: numbers without inner nodes become ranges, others nodes.
double column_loss(const Problem& problem, size_t column, const std::vector<uint32_t>& rows) {
  const Hierarchy& tree = problem.hierarchies[column];
  uint32_t lo = UINT32_MAX, hi = 0, deepest = 0;
  for (uint32_t row : rows) {
    lo = std::min(lo, problem.table.quasi[column].codes[row]);
    hi = std::max(hi, problem.table.quasi[column].codes[row]);
  }
  for (uint32_t node = 0; node < tree.nodes(); ++node) deepest = std::max(deepest, tree.node(node).depth);
  const Released cell = tree.numeric() && deepest < 2 ? released_interval(tree, lo, hi)
                                                      : released_node(tree, tree.common_ancestor(lo, hi));
  double loss = 0;
  for (uint32_t row : rows) loss += precision_loss(tree, problem.table.quasi[column].codes[row], cell);
  return loss;
}

// The least loss over all ways to put the items (sets of rows) into groups of k rows or more.
double least_loss(const Problem& problem, const std::vector<std::vector<uint32_t>>& items) {
  const Requirement& requirement = problem.requirements[0];
  double least = 1e300;
  std::vector<std::vector<uint32_t>> groups;
  const std::function<void(size_t)> place = [&](size_t item) {
    if (item == items.size()) {
      double loss = 0;
      for (const auto& group : groups) {
        if (group.size() < requirement.k) return;
        for (size_t column : requirement.columns) loss += column_loss(problem, column, group);
      }
      least = std::min(least, loss);
      return;
    }
    for (size_t g = 0; g <= groups.size(); ++g) {
      const bool fresh = g == groups.size();
      if (fresh) groups.emplace_back();
      groups[g].insert(groups[g].end(), items[item].begin(), items[item].end());
      place(item + 1);
      groups[g].resize(groups[g].size() - items[item].size());
      if (!fresh) continue;
      groups.pop_back();
      return;
    }
  };
  place(0);
  return least;
}

std::vector<std::vector<uint32_t>> items_of(const Problem& problem, bool alike) {
  std::vector<std::vector<uint32_t>> items;
  for (uint32_t row = 0; row < problem.table.rows; ++row) {
    const auto same = std::find_if(items.begin(), items.end(), [&](const std::vector<uint32_t>& item) {
      return alike && std::all_of(problem.requirements[0].columns.begin(), problem.requirements[0].columns.end(),
                                  [&](size_t column) {
                                    const Codes& codes = problem.table.quasi[column].codes;
                                    return codes[item.front()] == codes[row];
                                  });
    });
    if (same == items.end()) {
      items.push_back({row});
    } else {
      same->push_back(row);
    }
  }
  return items;
}

double released_loss(const Problem& problem, const ReleasedTable& released) {
  double loss = 0;
  for (size_t j = 0; j < released.quasi.size(); ++j) {
    for (size_t row = 0; row < problem.table.rows; ++row) {
      loss += precision_loss(problem.hierarchies[j], problem.table.quasi[j].codes[row],
                             released.quasi[j].values[released.quasi[j].codes[row]]);
    }
  }
  return loss;
}

TEST(MinGen, LosesAsLittleAsTheBestOfAllPartitions) {
  RandomTables random(51);
  size_t freer = 0;
  for (int round = 0; round < 1500; ++round) {
    SCOPED_TRACE(round);
    RandomTable table = random.table({random.draw(1, 8), random.draw(1, 3), random.draw(2, 5), true, true, 0});
    testing::flatten_numbers(random, table);
    Problem problem = table.problem({united(random.requirements(table.table))});
    problem.requirements[0].k = random.draw(1, std::min<size_t>(4, table.table.rows));
    double found[2];
    for (const bool alike : {true, false}) {
      problem.params = {{"rows", alike ? "alike" : "free"}, {"states", "100000"}};
      const SearchResult result = run(problem);
      ASSERT_TRUE(result.stats.optimal);
      const ReleasedTable released = apply(*result.recoding(), table.table, table.hierarchies, 1);
      ASSERT_TRUE(testing::holds(released, table.table.rows, problem.requirements[0]));
      found[alike] = released_loss(problem, released);
      ASSERT_NEAR(found[alike], least_loss(problem, items_of(problem, alike)), 1e-6) << "alike " << alike;
      const double cells = double(table.table.rows * table.table.quasi.size());
      ASSERT_NEAR(*result.stats.bound, 1 - found[alike] / cells, 1e-6);
    }
    ASSERT_LE(found[false], found[true] + 1e-6);
    freer += found[false] < found[true] - 1e-6;
  }
  EXPECT_GT(freer, 50u);  // else the two readings are not told apart
}

TEST(MinGen, RefusesWhatIsTooMuchWithAnEstimateAndAWayOut) {
  RandomTables random(52);
  for (const size_t rows : {60, 400}) {  // too many states; too many boxes
    const RandomTable table = random.table({rows, 4, 9, false, false, 0});
    Problem problem = table.problem({{{0, 1, 2, 3}, 5}});
    problem.params = {{"rows", "free"}, {"states", "10"}};
    try {
      run(problem);
      FAIL() << "did not refuse";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::job);
      for (const char* part : {"too large for mingen", rows == 60 ? "about " : "more boxes", "10^", "kaca"}) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
      }
    }
  }
}

TEST(MinGen, SaysThatWeightsAreNotUsed) {
  RandomTables random(53);
  const RandomTable table = random.table({6, 2, 3, false, false, 0});
  Problem problem = table.problem({{{0, 1}, 2}});
  problem.params = {{"rows", "alike"}, {"states", "100000"}};
  EXPECT_TRUE(run(problem).notices.empty());
  problem.weights[0] = 2;
  EXPECT_NE(run(problem).notices.at(0).find("weights"), std::string::npos);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
