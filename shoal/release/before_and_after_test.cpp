// Before and after, against plain walks over all cells and all pairs of rows.
#include "shoal/release/before_and_after.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(BeforeAndAfter, GroupSizesAreCountedByRows) {
  RowsByGroupSize expected{};
  std::vector<uint32_t> sizes;
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const uint32_t size = 1 + static_cast<uint32_t>(random() % (i % 2 ? 12 : 1500));
    sizes.push_back(size);
    const size_t place = size == 1     ? 0
                         : size <= 4   ? 1
                         : size <= 9   ? 2
                         : size <= 19  ? 3
                         : size <= 49  ? 4
                         : size <= 99  ? 5
                         : size <= 999 ? 6
                                       : 7;
    expected[place] += size;
  }
  EXPECT_EQ(rows_by_group_size(sizes), expected);
}

TEST(BeforeAndAfter, ValuesAreSpreadOverWhatTheirReleaseCovers) {
  testing::RandomTables tables(2);
  for (int round = 0; round < 3000; ++round) {
    const size_t leaves = 1 + tables.draw(0, round % 2 ? 11 : 60), rows = tables.draw(1, 50);
    const bool numeric = tables.draw(0, 1) == 1, missing = leaves > 1 && tables.draw(0, 2) == 0;
    const Hierarchy hierarchy = tables.hierarchy(leaves, numeric, missing);
    Column column{"c", Codes(rows, leaves), {}};
    for (size_t leaf = 0; leaf < leaves; ++leaf) {
      column.values.push_back(missing && leaf + 1 == leaves ? "" : fmt::format("v{:02}", leaf));
    }
    ReleasedColumn released{{}, Codes(rows, rows), {}};
    std::vector<uint64_t> cells;
    std::vector<double> before(leaves, 0), after(leaves, 0);
    size_t kept = 0;
    for (size_t row = 0; row < rows; ++row) {
      const uint32_t leaf = static_cast<uint32_t>(tables.draw(0, leaves - 1));
      column.codes.set(row, leaf);
      const uint32_t first = static_cast<uint32_t>(tables.draw(0, leaf)),
                     last = static_cast<uint32_t>(tables.draw(leaf, leaves - 1));
      released.values.push_back(released_range(first, last));
      released.codes.set(row, static_cast<uint32_t>(row));
      const bool dropped = tables.draw(0, 5) == 0;
      cells.push_back(dropped ? 0 : 1);
      before[leaf] += 1;
      if (dropped) continue;
      ++kept;
      for (uint32_t covered = first; covered <= last; ++covered) after[covered] += 1.0 / double(last - first + 1);
    }
    ColumnReport report;
    describe_values(column, hierarchy, rows_per_leaf(column, hierarchy.leaves()), {released, cells}, report);

    double sum_before = 0, sum_after = 0, moved = 0;
    for (const ValueShare& share : report.shares) {
      sum_before += share.before;
      sum_after += share.after;
      EXPECT_FALSE(share.value.empty());
    }
    EXPECT_NEAR(sum_before, 1, 1e-9);
    EXPECT_NEAR(sum_after, kept == 0 ? 0 : 1, 1e-9);
    for (size_t leaf = 0; leaf < leaves; ++leaf) {
      const double share_before = before[leaf] / double(rows), share_after = kept == 0 ? 0 : after[leaf] / double(kept);
      moved += std::abs(share_before - share_after) / 2;
      if (leaves > 12) continue;
      EXPECT_NEAR(report.shares[leaf].before, share_before, 1e-9);
      EXPECT_NEAR(report.shares[leaf].after, share_after, 1e-9);
    }
    EXPECT_NEAR(report.shares_moved, moved, 1e-9);
    EXPECT_LE(report.shares.size(), 13u);

    double apart = 0;
    for (size_t a = 0; a < rows; ++a) {
      for (size_t b = 0; b < rows; ++b) apart += column.codes[a] != column.codes[b];
    }
    EXPECT_NEAR(report.told_apart_before, apart / double(rows * rows), 1e-9);
    double ruled_out = 0;  // cells that cannot be somebody's value
    for (size_t somebody = 0; somebody < rows; ++somebody) {
      for (size_t cell = 0; cell < rows; ++cell) {
        if (cells[cell] == 0) continue;
        const uint32_t value = column.codes[somebody];
        ruled_out += value < released.values[cell].first || value > released.values[cell].last;
      }
    }
    EXPECT_NEAR(report.told_apart, kept == 0 ? 0 : ruled_out / double(rows * kept), 1e-9);
  }
}

// Many categories with a hierarchy: the nodes of its finest level that has few enough, in their order.
TEST(BeforeAndAfter, ManyCategoriesBecomeTheNodesAbove) {
  const size_t leaves = 60, missing = 1;  // 60 months of 5 years, in 20 quarters
  std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, leaves}};
  std::vector<std::vector<Hierarchy::Node>> levels(4, std::vector<Hierarchy::Node>(leaves + missing));
  const auto add = [&](std::string label, Hierarchy::Node parent, uint32_t depth, size_t first, size_t last) {
    nodes.push_back({std::move(label), parent, depth, static_cast<uint32_t>(first), static_cast<uint32_t>(last)});
    return static_cast<Hierarchy::Node>(nodes.size() - 1);
  };
  Column column{"when", Codes(leaves + missing, leaves + missing), {}};
  for (size_t year = 0; year < 5; ++year) {
    const auto above = add(fmt::format("year {}", year), 0, 1, year * 12, year * 12 + 11);
    for (size_t quarter = 0; quarter < 4; ++quarter) {
      const size_t first = year * 12 + quarter * 3;
      const auto node = add(fmt::format("quarter {}", first / 3), above, 2, first, first + 2);
      for (size_t month = first; month < first + 3; ++month) {
        levels[0][month] = add(fmt::format("month {:02}", month), node, 3, month, month);
        levels[1][month] = node;
        levels[2][month] = above;
      }
    }
  }
  levels[0][leaves] = levels[1][leaves] = levels[2][leaves] = add("", 0, 1, leaves, leaves);
  for (size_t leaf = 0; leaf < leaves + missing; ++leaf) {
    column.values.push_back(leaf == leaves ? "" : fmt::format("month {:02}", leaf));
    column.codes.set(leaf, static_cast<uint32_t>(leaf));
  }
  const Hierarchy hierarchy(nodes, levels, {}, static_cast<uint32_t>(leaves));
  ReleasedColumn released{{released_range(0, 11), released_range(12, 60)}, Codes(leaves + missing, 2), {}};
  const std::vector<uint64_t> cells{12, 49};
  ColumnReport report;
  describe_values(column, hierarchy, rows_per_leaf(column, leaves + missing), {released, cells}, report);
  ASSERT_EQ(report.shares.size(), 6u);
  for (size_t year = 0; year < 5; ++year) {
    EXPECT_EQ(report.shares[year].value, fmt::format("year {}", year));
    EXPECT_NEAR(report.shares[year].before, 12.0 / 61, 1e-12);
    EXPECT_NEAR(report.shares[year].after, 12.0 / 61, 1e-12);
  }
  EXPECT_EQ(report.shares[5].value, "(missing)");
  EXPECT_NEAR(report.shares[5].after, 1.0 / 61, 1e-12);
}

// Bars of many values: numbers stand together with their neighbours, categories by how often they occur.
TEST(BeforeAndAfter, ManyValuesBecomeFewBars) {
  testing::RandomTables tables(3);
  for (const bool numeric : {true, false}) {
    const size_t leaves = 100;
    std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, leaves - 1}};  // flat: no nodes to stand for several values
    std::vector<std::vector<Hierarchy::Node>> levels(2, std::vector<Hierarchy::Node>(leaves, 0));
    for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
      levels[0][leaf] = static_cast<Hierarchy::Node>(nodes.size());
      nodes.push_back({fmt::format("v{:02}", leaf), 0, 1, leaf, leaf});
    }
    const Hierarchy hierarchy =
        numeric ? tables.hierarchy(leaves, true, false) : Hierarchy(nodes, levels, {}, std::nullopt);
    Column column{"c", Codes(leaves * 2, leaves), {}};
    for (size_t leaf = 0; leaf < leaves; ++leaf) column.values.push_back(fmt::format("v{:02}", leaf));
    for (size_t row = 0; row < leaves * 2; ++row) column.codes.set(row, row < leaves ? static_cast<uint32_t>(row) : 7);
    ReleasedColumn released{{released_range(0, leaves - 1)}, Codes(leaves * 2, 1), {}};
    const std::vector<uint64_t> cells{leaves * 2};
    ColumnReport report;
    describe_values(column, hierarchy, rows_per_leaf(column, hierarchy.leaves()), {released, cells}, report);
    ASSERT_EQ(report.shares.size(), 12u);
    if (numeric) {
      EXPECT_EQ(report.shares.front().value.substr(0, 7), "v00 to ");
      EXPECT_EQ(report.shares.back().value.substr(3), " to v99");
    } else {
      EXPECT_EQ(report.shares.front().value, "v07");
      EXPECT_NEAR(report.shares.front().before, 101.0 / 200, 1e-12);
      EXPECT_EQ(report.shares.back().value, "89 others");
      EXPECT_NEAR(report.shares.back().after, 0.89, 1e-12);
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
