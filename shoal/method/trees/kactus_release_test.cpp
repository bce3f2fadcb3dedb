// Releases of random groups beside a plain account of them.
#include "shoal/method/trees/kactus_release.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "shoal/recode/apply.h"
#include "testing/flat_numbers.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using kactus::Group;
using kactus::Numbers;
using kactus::PathColumn;
using testing::RandomTables;

struct Scene {
  testing::RandomTable table;
  std::vector<Group> groups;
  std::vector<std::vector<PathColumn>> told;
  std::vector<size_t> columns;
  GroupRecoding recoding;

  Scene(RandomTables& random, Numbers numbers)
      : table(random.table({.rows = random.draw(4, 40), .columns = 3, .max_values = 9})) {
    testing::flatten_numbers(random, table);
    for (size_t j = 0; j < 3; ++j) {
      if (random.draw(0, 3) > 0 || (j == 2 && columns.empty())) columns.push_back(j);
    }
    groups.resize(random.draw(1, 4));
    for (uint32_t row = 0; row < table.table.rows; ++row) {
      groups[random.draw(0, groups.size() - 1)].rows.push_back(row);
    }
    std::erase_if(groups, [](const Group& group) { return group.rows.empty(); });
    for (size_t g = 0; g < groups.size(); ++g) {
      told.emplace_back();
      for (size_t i = 0; i < columns.size(); ++i) told.back().push_back(path(random, g, i));
    }
    recoding.recoded_columns = columns;
    kactus::release(table.problem({{columns, 1}}), groups, told, numbers, recoding);
  }

  // A path that the group's rows can have taken.
  PathColumn path(RandomTables& random, size_t group, size_t i) const {
    PathColumn path;
    path.asked = random.draw(0, 2) > 0;
    uint32_t least = UINT32_MAX, greatest = 0;
    for (uint32_t row : groups[group].rows) {
      least = std::min(least, table.table.quasi[columns[i]].codes[row]);
      greatest = std::max(greatest, table.table.quasi[columns[i]].codes[row]);
    }
    if (random.draw(0, 1) == 0) path.first = static_cast<uint32_t>(random.draw(0, least));
    if (random.draw(0, 1) == 0) path.last = static_cast<uint32_t>(random.draw(greatest, greatest + 3));
    return path;
  }

  // What the i-th recoded column of a group must show.
  std::string plain(size_t group, size_t i, Numbers numbers) const {
    const Column& column = table.table.quasi[columns[i]];
    const Hierarchy& hierarchy = table.hierarchies[columns[i]];
    std::set<uint32_t> leaves;
    for (uint32_t row : groups[group].rows) leaves.insert(column.codes[row]);
    if (!told[group][i].asked) return "*";
    Released tightest = released_interval(hierarchy, *leaves.begin(), *leaves.rbegin());
    if (numbers == Numbers::path && hierarchy.numeric() && *leaves.rbegin() != hierarchy.missing()) {
      uint32_t last = *leaves.rbegin();
      while (last + 1 < hierarchy.leaves() && last + 1 != hierarchy.missing() && last < told[group][i].last) ++last;
      tightest = released_interval(hierarchy, told[group][i].first, last);
    }
    if (numbers != Numbers::mean || !tightest.is_range()) {
      return released_text(tightest, column, hierarchy);
    }
    double total = 0;
    for (uint32_t row : groups[group].rows) total += hierarchy.number(column.codes[row]);
    return fmt::format("{:.2f}", total / static_cast<double>(groups[group].rows.size()));  // the numbers are whole
  }
};

TEST(KactusRelease, RandomGroupsLikeThePlainAccount) {
  RandomTables random(11);
  int means = 0, joined = 0;
  for (int round = 0; round < 2000; ++round) {
    const Numbers numbers = std::array{Numbers::mean, Numbers::range, Numbers::path}[size_t(round) % 3];
    const Scene scene(random, numbers);
    const ReleasedTable released = apply({scene.recoding}, scene.table.table, scene.table.hierarchies, 1);
    std::map<std::vector<std::string>, uint32_t> group_of_texts;
    for (size_t g = 0; g < scene.groups.size(); ++g) {
      std::vector<std::string> texts;
      for (size_t i = 0; i < scene.columns.size(); ++i) texts.push_back(scene.plain(g, i, numbers));
      for (uint32_t row : scene.groups[g].rows) {
        for (size_t i = 0; i < scene.columns.size(); ++i) {
          const size_t j = scene.columns[i];
          const ReleasedColumn& column = released.quasi[j];
          const Released& cell = column.values[column.codes[row]];
          ASSERT_EQ(released_text(cell, scene.table.table.quasi[j], scene.table.hierarchies[j], column.means), texts[i])
              << "round " << round;
          means += cell.is_mean();
          ASSERT_LE(cell.first, scene.table.table.quasi[j].codes[row]);
          ASSERT_GE(cell.last, scene.table.table.quasi[j].codes[row]);
        }
        // Rows that look alike are one group.
        const uint32_t group = scene.recoding.group_of_row[row];
        const auto [known, fresh] = group_of_texts.emplace(texts, group);
        ASSERT_EQ(known->second, group);
      }
    }
    joined += group_of_texts.size() < scene.groups.size();
  }
  EXPECT_GT(means, 1000);
  EXPECT_GT(joined, 50);
}

// Two decimals more than the numbers have; no minus before a zero.
TEST(KactusRelease, MeansHaveTwoMoreDecimalsThanTheNumbers) {
  const std::vector<Hierarchy::NodeInfo> nodes{
      {"*", 0, 0, 0, 2}, {"a", 0, 1, 0, 0}, {"b", 0, 1, 1, 1}, {"c", 0, 1, 2, 2}};
  auto released = [&](std::vector<double> numbers) {
    const std::vector<Hierarchy> hierarchies{Hierarchy(nodes, {{1, 2, 3}, {0, 0, 0}}, numbers, std::nullopt)};
    Table table;
    table.rows = 3;
    table.quasi.push_back({"q", Codes(3, 3), {}});
    for (double number : numbers) table.quasi[0].values.push_back(fmt::format("{}", number));
    for (uint32_t row = 0; row < 3; ++row) table.quasi[0].codes.set(row, row);
    const Problem problem{table, hierarchies, {{{0}, 3}}, {1.0}, {}, {}, 1, 1};
    GroupRecoding recoding{.recoded_columns = {0}};
    const std::vector<Group> groups{{0, {0, 1, 2}}};
    const std::vector<std::vector<PathColumn>> told{{{.asked = true}}};
    kactus::release(problem, groups, told, Numbers::mean, recoding);
    return recoding.means[0].at(0);
  };
  EXPECT_EQ(released({1, 2, 4}), "2.33");
  EXPECT_EQ(released({0.1, 0.25, 7}), "2.4500");
  EXPECT_EQ(released({-0.001, 0, 0.0005}), "-0.000167");
  EXPECT_EQ(released({-1, 0, 0.99999}), "-0.0000033");
  EXPECT_EQ(released({-1, 0, 1}), "0.00");
  EXPECT_EQ(released({-0.00001, 0, 0.00001}), "0.0000000");
  EXPECT_EQ(released({1000000, 2000000, 4000000}), "2333333.33");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
