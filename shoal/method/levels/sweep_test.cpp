#include "shoal/method/levels/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "shoal/error.h"
#include "shoal/method/levels/level_search.h"
#include "testing/levels_oracle.h"
#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::LevelsOracle;
using testing::RandomTables;

// Columns with many values: digit x rest does not fit 32 bits, so that pairs have to be numbered. With and without a
// tail, from the rows and from a projection to higher levels.
TEST(Sweep, AgreesWithTheOracleWhenIdsDoNotFit) {
  RandomTables random(21);
  for (int round = 0; round < 25; ++round) {
    const auto drawn = random.table(
        {.rows = random.draw(50, 150), .columns = 8, .max_values = 120, .numeric = false, .missing = false});
    double ids = 1;
    for (const Hierarchy& hierarchy : drawn.hierarchies) ids *= double(hierarchy.leaves());
    Problem problem = drawn.problem(random.requirements(drawn.table));
    problem.requirements.push_back({{0, 1, 2, 3, 4, 5, 6, 7}, random.draw(2, 4)});
    const LevelsOracle oracle(problem);
    const std::vector<LevelColumn> columns = level_columns(problem);
    const std::vector<SweepRequirement> requirements = sweep_requirements(problem, columns);
    Tail tail{{}, 3};
    for (size_t row = 0; row < problem.table.rows; ++row) {
      tail.of_row.push_back(static_cast<uint32_t>(random.draw(0, 2)));
    }
    const LatticeTuples with_tail(problem.table, columns, &tail, 2);
    LatticeTuples tuples(problem.table, columns, nullptr, 2);
    tuples.unpack_digits();
    for (int vector = 0; vector < 8; ++vector) {
      std::vector<int> levels;
      std::vector<LatticeTuples::Position> floors;
      for (size_t column = 0; column < columns.size(); ++column) {
        levels.push_back(static_cast<int>(random.draw(0, static_cast<size_t>(columns[column].height()))));
        floors.push_back({column, static_cast<int>(random.draw(0, static_cast<size_t>(levels.back())))});
      }
      const std::vector<bool> gone = oracle.dropped(levels);
      std::map<std::vector<uint32_t>, std::map<uint32_t, uint32_t>> groups;
      for (size_t row = 0; row < gone.size(); ++row) {
        if (gone[row]) continue;
        std::vector<uint32_t> tuple;
        for (size_t column = 0; column < columns.size(); ++column) tuple.push_back(oracle.node(row, column, levels));
        ++groups[tuple][tail.of_row[row]];
      }
      std::vector<uint32_t> sizes;
      size_t pairs = 0;
      for (const auto& [tuple, tails] : groups) {
        sizes.push_back(0);
        for (const auto& [value, count] : tails) sizes.back() += count;
        pairs += tails.size();
      }
      std::sort(sizes.begin(), sizes.end());
      const LatticeTuples projected = tuples.project(columns, floors);
      for (const LatticeTuples* table : {&with_tail, static_cast<const LatticeTuples*>(&tuples), &projected}) {
        Sweep sweep(*table, columns, requirements, problem.table.rows);
        std::vector<int> reordered;
        for (const LatticeTuples::Position& position : table->positions()) reordered.push_back(levels[position.column]);
        ASSERT_EQ(sweep.evaluate(reordered), Sweep::Outcome::satisfies);
        const GroupsView view = sweep.groups();
        EXPECT_EQ(static_cast<std::ptrdiff_t>(view.dropped), std::count(gone.begin(), gone.end(), true));
        std::vector<uint32_t> found(view.sizes.begin(), view.sizes.end());
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, sizes) << "round " << round << ", " << ids << " ids";
        EXPECT_EQ(view.tails.size(), table->has_tail() ? pairs : 0);
      }
    }
  }
}

// Level 1 releases a and c as X and b, which lies between them below X, as itself.
TEST(LevelColumn, KeepsTogetherWhatALevelJoins) {
  Table table;
  table.quasi.push_back({"q", Codes(3, 3), {"a", "b", "c"}});
  const std::vector<Hierarchy::NodeInfo> nodes{
      {"*", 0, 0, 0, 2}, {"X", 0, 1, 0, 2}, {"a", 1, 2, 0, 0}, {"b", 1, 2, 1, 1}, {"c", 1, 2, 2, 2}};
  const LevelColumn column =
      level_column(table, Hierarchy(nodes, {{2, 3, 4}, {1, 3, 1}, {1, 1, 1}, {0, 0, 0}}, {}, std::nullopt), 0);
  EXPECT_EQ(column.values(0), 3u);
  EXPECT_EQ(column.values(1), 2u);
  EXPECT_EQ(column.digits[1][column.digit_of_leaf[0]], column.digits[1][column.digit_of_leaf[2]]);
  EXPECT_NE(column.digits[1][column.digit_of_leaf[0]], column.digits[1][column.digit_of_leaf[1]]);
  EXPECT_EQ(column.values(2), 1u);
  EXPECT_EQ(column.raise(1, 2), (std::vector<uint32_t>{0, 0}));
  // a and c alike at level 1, apart at level 2
  const Hierarchy apart(nodes, {{2, 3, 4}, {1, 3, 1}, {1, 1, 0}, {0, 0, 0}}, {}, std::nullopt);
  try {
    level_column(table, apart, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("'a' and 'c'"), std::string::npos) << error.what();
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
