#include "shoal/plan/pilot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "shoal/method/space/part_of_problem.h"
#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

std::vector<size_t> random_columns(RandomTables& random, const Table& table) {
  std::vector<size_t> columns;
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    if (random.draw(0, 2) > 0) columns.push_back(j);
  }
  return columns;
}

std::vector<uint64_t> contents(const Table& table, const std::vector<size_t>& columns, uint32_t row) {
  std::vector<uint64_t> cells;
  for (size_t j : columns) cells.push_back(table.quasi[j].codes[row]);
  for (size_t j = 0; j < table.quasi.size(); ++j) {
    if (std::find(columns.begin(), columns.end(), j) == columns.end()) cells.push_back(table.quasi[j].codes[row]);
  }
  if (table.target) cells.push_back(table.target->codes[row]);
  if (!table.rest.empty()) cells.push_back(table.rest[row]);
  return cells;
}

TEST(OrderedRows, SortsByAllCells) {
  RandomTables random(81);
  const Progress progress;
  for (int round = 0; round < 2000; ++round) {
    // Now and then so many columns that their codes do not fit into one number.
    RandomTable drawn = random.table({.rows = random.draw(0, 60),
                                      .columns = round % 10 == 0 ? 40 : random.draw(1, 4),
                                      .max_values = 7,
                                      .target_values = random.draw(0, 2)});
    if (random.draw(0, 1)) {
      for (size_t row = 0; row < drawn.table.rows; ++row) drawn.table.rest.push_back(random.engine()() % 3);
    }
    const auto columns = random_columns(random, drawn.table);
    const OrderedRows order = ordered_rows(drawn.table, columns, progress);
    std::vector<uint32_t> expected(drawn.table.rows);
    std::iota(expected.begin(), expected.end(), 0u);
    std::stable_sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) {
      return contents(drawn.table, columns, a) < contents(drawn.table, columns, b);
    });
    ASSERT_EQ(order.rows, expected) << "round " << round;
    std::vector<uint32_t> starts{0};
    for (uint32_t i = 1; i <= expected.size(); ++i) {
      bool equal = i < expected.size();
      for (size_t j : columns) {
        equal = equal && drawn.table.quasi[j].codes[expected[i - 1]] == drawn.table.quasi[j].codes[expected[i]];
      }
      if (!equal) starts.push_back(i);
    }
    EXPECT_EQ(order.starts, starts) << "round " << round;
  }
}

TEST(RowDraw, DrawsTheShareOfEveryTuple) {
  const RowDraw draw(30'000, 1'000'000);
  uint64_t once = 0;
  for (uint32_t tuple = 0; tuple < 200'000; ++tuple) {
    const std::vector<uint32_t> codes{tuple % 100, tuple / 100};
    once += draw.drawn(codes, 1);
  }
  EXPECT_NEAR(double(once), 6'000, 400);  // 5 standard deviations
  EXPECT_NEAR(double(draw.drawn(std::vector<uint32_t>{3, 4}, 500'000)), 15'000, 600);
  EXPECT_EQ(RowDraw(10, 10).drawn(std::vector<uint32_t>{1}, 7), 7u);
  EXPECT_EQ(RowDraw(0, 10).drawn(std::vector<uint32_t>{1}, 7), 0u);
  // A row more never takes another one out of the draw.
  for (uint64_t count = 0; count < 300; ++count) {
    const std::vector<uint32_t> codes{9, 9, 1};
    EXPECT_LE(draw.drawn(codes, count), draw.drawn(codes, count + 1));
    EXPECT_LE(draw.drawn(codes, count + 1), draw.drawn(codes, count) + 1);
  }
}

TEST(PilotRows, TheOrderOfTheInputDoesNotMatter) {
  RandomTables random(82);
  const Progress progress;
  for (int round = 0; round < 200; ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(1, 300), .columns = 3, .max_values = 5});
    std::vector<uint32_t> shuffled(drawn.table.rows);
    std::iota(shuffled.begin(), shuffled.end(), 0u);
    std::shuffle(shuffled.begin(), shuffled.end(), random.engine());
    const Table other = part_of_table(drawn.table, shuffled);
    const std::vector<size_t> columns{0, 2};
    auto drawn_cells = [&](const Table& table) {
      std::vector<std::vector<uint32_t>> cells;
      const OrderedRows order = ordered_rows(table, columns, progress);
      std::set<uint32_t> rows;
      for (uint32_t row : pilot_rows(table, order, columns, table.rows / 3)) {
        EXPECT_TRUE(rows.insert(row).second) << "drawn twice";
        cells.push_back({table.quasi[0].codes[row], table.quasi[2].codes[row]});
      }
      return cells;
    };
    EXPECT_EQ(drawn_cells(drawn.table), drawn_cells(other));
  }
}

TEST(PilotGroups, GroupsOfEveryRequirementAreItsReleases) {
  RandomTables random(83);
  for (int round = 0; round < 100; ++round) {
    const RandomTable drawn = random.table({.rows = random.draw(6, 80), .columns = 3});
    Problem problem = drawn.problem(random.requirements(drawn.table));
    for (Requirement& requirement : problem.requirements) requirement.k = std::max<uint64_t>(2, requirement.k);
    Progress progress;
    const auto pilot = pilot_groups(problem, drawn.table, problem.table.rows, progress);
    ASSERT_TRUE(pilot.has_value());
    ASSERT_EQ(pilot->groups.size(), problem.requirements.size());
    for (size_t r = 0; r < pilot->groups.size(); ++r) {
      std::map<uint32_t, uint64_t> sizes;
      for (uint32_t group : pilot->groups[r]) ++sizes[group];
      for (const auto& [group, rows] : sizes) EXPECT_GE(rows, problem.requirements[r].k);
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
