// Rows that a recoding was not found on: the rule of new_rows.h, and that a recoding's own rows come out as released.
#include "shoal/recode/new_rows.h"

#include <gtest/gtest.h>

#include <tuple>

#include "shoal/measure/cell_loss.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/region_index.h"
#include "testing/random_recoding.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

std::vector<double> losses_of(const Recoding& recoding, const std::vector<Hierarchy>& hierarchies) {
  return recoding.shape() == Shape::regions ? group_losses(recoding.by_group(), hierarchies) : std::vector<double>{};
}

TEST(NewRows, ByValueTheMapDecides) {
  RandomTables random(71);
  for (int round = 0; round < 200; ++round) {
    const RandomTable drawn = random.table({.rows = 30, .columns = 3});
    Recoding recoding = testing::random_recoding(random, drawn, round % 2 ? Shape::levels : Shape::cut);
    const auto found = recode_new_rows(recoding, drawn.table, drawn.hierarchies, {});
    for (size_t j = 0; j < 3; ++j) {
      for (size_t row = 0; row < 30; ++row) {  // rows dropped when it was found are released here
        EXPECT_EQ(found[j].values[found[j].codes[row]],
                  recoding.by_value().value_map[j][drawn.table.quasi[j].codes[row]]);
      }
    }
  }
}

TEST(NewRows, GroupsLeaveRowsAsTheyAre) {
  RandomTables random(73);
  const RandomTable drawn = random.table({.rows = 40, .columns = 2});
  const Recoding recoding = testing::random_recoding(random, drawn, Shape::groups);
  const auto found = recode_new_rows(recoding, drawn.table, drawn.hierarchies, {});
  for (size_t row = 0; row < 40; ++row) {
    EXPECT_EQ(found[1].values[found[1].codes[row]],
              released_leaf(drawn.hierarchies[1], drawn.table.quasi[1].codes[row]));
  }
}

// Group by group: fewest cells that do not cover the row's, then least loss, then the first.
TEST(NewRows, TheNearestGroupIsTheOneTheRuleNames) {
  RandomTables random(75);
  size_t outside = 0;
  for (int round = 0; round < 1000; ++round) {
    const RandomTable drawn = random.table({.rows = 20, .columns = 3, .max_values = 7});
    const Recoding recoding = testing::random_recoding(random, drawn, Shape::groups);
    const GroupRecoding& groups = recoding.by_group();
    if (groups.groups() == 0) continue;
    std::vector<double> losses;
    for (size_t g = 0; g < groups.groups(); ++g) losses.push_back(double(random.draw(0, 3)) / 2);
    // Rows of the same columns that the recoding was not made for.
    Table others = drawn.table;
    for (size_t j = 0; j < 3; ++j) {
      std::vector<uint32_t> codes;
      for (size_t row = 0; row < 20; ++row)
        codes.push_back(uint32_t(random.draw(0, drawn.hierarchies[j].leaves() - 1)));
      others.quasi[j].codes = Codes(std::move(codes));
    }
    const auto found = nearest_groups(groups, others, drawn.hierarchies, losses);
    const auto cells = recode_like_groups(groups, others, drawn.hierarchies, found);
    const size_t width = groups.recoded_columns.size();
    for (size_t row = 0; row < 20; ++row) {
      using Key = std::tuple<size_t, double, size_t>;
      std::optional<Key> best;
      for (size_t g = 0; g < groups.groups(); ++g) {
        size_t uncovered = 0;
        for (size_t i = 0; i < width; ++i) {
          const Released& cell = groups.group_releases[g * width + i];
          const uint32_t leaf = others.quasi[groups.recoded_columns[i]].codes[row];
          if (leaf < cell.first || leaf > cell.last) ++uncovered;
        }
        const Key key{uncovered, losses[g], g};
        if (!best || key < *best) best = key;
      }
      ASSERT_EQ(found[row], std::get<2>(*best));
      outside += std::get<0>(*best) > 0;
      for (size_t i = 0; i < width; ++i) {
        const auto& column = cells[groups.recoded_columns[i]];
        ASSERT_EQ(column.values[column.codes[row]], groups.group_releases[found[row] * width + i]);
      }
    }
  }
  EXPECT_GT(outside, 100U);
}

// The rule, region by region, as a key that is least for the right one.
uint32_t plain_region(const RegionBoxes& boxes, const std::vector<uint32_t>& row) {
  using Key = std::tuple<bool, double, double, uint32_t>;
  std::optional<Key> best;
  for (uint32_t region = 0; region < boxes.losses.size(); ++region) {
    bool held = !boxes.holds.empty();
    double gap = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      if (row[i] == RegionBoxes::kAny) continue;
      const LeafInterval covers = boxes.covers[region * row.size() + i];
      uint32_t off = 0;
      while (row[i] + off < covers.first) ++off;
      while (row[i] > covers.last + off) ++off;
      gap += boxes.count_cells ? (off > 0 ? 1 : 0) : off / double(boxes.leaves[i]);
      if (boxes.holds.empty()) continue;
      const LeafInterval holds = boxes.holds[region * row.size() + i];
      if (row[i] < holds.first || row[i] > holds.last) held = false;
    }
    const Key key{!held, gap, boxes.losses[region], region};
    if (!best || key < *best) best = key;
  }
  return std::get<3>(*best);
}

TEST(NewRows, TheRegionIsTheOneTheRuleNames) {
  RandomTables random(74);
  for (int round = 0; round < 2000; ++round) {
    const size_t columns = random.draw(1, 3), regions = round % 5 == 0 ? random.draw(20, 80) : random.draw(1, 6);
    RegionBoxes boxes;
    boxes.count_cells = round % 7 == 0;
    for (size_t i = 0; i < columns; ++i) boxes.leaves.push_back(random.draw(1, 8));
    for (size_t region = 0; region < regions; ++region) {
      boxes.losses.push_back(double(random.draw(0, 3)) / 2);
      for (size_t i = 0; i < columns; ++i) {
        auto within = [&](size_t low, size_t high) {
          const size_t a = random.draw(low, high), b = random.draw(low, high);
          return LeafInterval{static_cast<uint32_t>(std::min(a, b)), static_cast<uint32_t>(std::max(a, b))};
        };
        boxes.covers.push_back(within(0, boxes.leaves[i] - 1));
        boxes.holds.push_back(within(boxes.covers.back().first, boxes.covers.back().last));
      }
    }
    if (round % 3 == 0) boxes.holds.clear();
    const RegionIndex index(boxes);
    for (int ask = 0; ask < 10; ++ask) {
      std::vector<uint32_t> row;
      for (size_t i = 0; i < columns; ++i) {
        row.push_back(random.draw(0, 5) == 0 ? RegionBoxes::kAny
                                             : static_cast<uint32_t>(random.draw(0, boxes.leaves[i] - 1)));
      }
      ASSERT_EQ(boxes.region_of(row), plain_region(boxes, row)) << "round " << round;
      ASSERT_EQ(index.region_of(row), plain_region(boxes, row)) << "round " << round;
    }
  }
}

// Rows that the regions were made of come back to a region that covers them.
TEST(NewRows, RegionsCoverTheirOwnRows) {
  RandomTables random(72);
  for (int round = 0; round < 200; ++round) {
    const RandomTable drawn = random.table({.rows = 40, .columns = 3, .max_values = 8});
    const SearchResult found = testing::run_method("mondrian-infogain", drawn.problem({{{0, 1, 2}, 4}}));
    const auto mapped = recode_new_rows(*found.recoding(), drawn.table, drawn.hierarchies,
                                        losses_of(*found.recoding(), drawn.hierarchies));
    for (size_t j = 0; j < 3; ++j) {
      for (size_t row = 0; row < 40; ++row) {
        const Released& cell = mapped[j].values[mapped[j].codes[row]];
        const uint32_t leaf = drawn.table.quasi[j].codes[row];
        EXPECT_TRUE(cell.first <= leaf && leaf <= cell.last) << "round " << round;
      }
    }
  }
}

// With what each region holds every one of its own rows finds a region that is released the same way.
TEST(NewRows, OwnRowsComeOutAsReleased) {
  RandomTables random(75);
  size_t overlaps = 0;
  for (int round = 0; round < 600; ++round) {
    const RandomTable drawn = random.table({.rows = 50, .columns = 3, .max_values = 9});
    const std::string method = round % 2 ? "mondrian" : "mondrian-infogain";
    const SearchResult found = testing::run_method(method, drawn.problem(random.requirements(drawn.table)));
    const GroupRecoding& regions = found.recoding()->by_group();
    const size_t width = regions.recoded_columns.size();
    const RegionBoxes boxes =
        region_boxes(*found.recoding(), drawn.hierarchies, group_losses(regions, drawn.hierarchies), &drawn.table);
    RegionBoxes without = boxes;
    without.holds.clear();
    for (size_t row = 0; row < 50; ++row) {
      std::vector<uint32_t> leaves;
      for (size_t j : regions.recoded_columns) leaves.push_back(drawn.table.quasi[j].codes[row]);
      const uint32_t own = regions.group_of_row[row], region = boxes.region_of(leaves);
      for (size_t i = 0; i < width; ++i) {
        ASSERT_EQ(regions.group_releases[region * width + i], regions.group_releases[own * width + i])
            << "round " << round << ", row " << row;
      }
      overlaps += without.region_of(leaves) != own;
    }
  }
  EXPECT_GT(overlaps, 100u);  // where releases overlap, what they cover alone would not tell
}

WrittenRecoding two_columns() {
  WrittenRecoding recoding;
  recoding.shape = Shape::regions;
  recoding.columns = {{"age", {{"20", 0}, {"25", 1}, {"40", 2}}, {{20, 20, 0}, {25, 25, 1}, {40, 40, 2}}, 3, {}},
                      {"sex", {{"F", 0}, {"M", 1}}, {}, {}, {}}};
  recoding.boxes.leaves = {4, 2};
  recoding.boxes.covers = {{0, 1}, {0, 1}, {2, 2}, {0, 0}, {2, 2}, {1, 1}, {3, 3}, {0, 1}};
  recoding.boxes.holds = recoding.boxes.covers;
  recoding.boxes.losses = {1, 0, 0, 1};
  recoding.region_releases = {"[20,25]", "*", "40", "F", "40", "M", "?", "*"};
  return recoding;
}

std::vector<std::vector<std::string>> recoded(const WrittenRecoding& recoding, const std::vector<std::string>& first,
                                              const std::vector<std::string>& second, std::vector<bool>& known) {
  Codes ascending(first.size(), first.size());
  for (size_t row = 0; row < first.size(); ++row) ascending.set(row, static_cast<uint32_t>(row));
  const std::vector<NewColumn> columns{{first, &ascending}, {second, &ascending}};
  const std::vector<std::string> missing{"?"};
  std::vector<std::vector<std::string>> rows(first.size());
  for (const RecodedTexts& column : recode_new_texts(recoding, MissingTexts(missing), first.size(), columns)) {
    for (size_t row = 0; row < rows.size(); ++row) rows[row].push_back(column.texts[column.codes[row]]);
    known.insert(known.end(), column.known.begin(), column.known.end());
  }
  return rows;
}

TEST(NewRows, TextsFindTheirRegion) {
  std::vector<bool> known;
  const auto rows = recoded(two_columns(), {"20", "40", "40", "?", "", "33", "32.5", "99", "x"},
                            {"M", "F", "M", "F", "M", "M", "F", "F", "M"}, known);
  const std::vector<std::vector<std::string>> expected{
      {"[20,25]", "*"}, {"40", "F"}, {"40", "M"}, {"?", "*"}, {"?", "*"}, {"40", "M"},  // 33 is nearer to 40
      {"[20,25]", "*"},  // 32.5 is as near to 25: the lower
      {"40", "F"},       // beyond the greatest
      {"*", "M"}};       // no number: the region is found by the other column
  EXPECT_EQ(rows, expected);
  EXPECT_EQ(known, (std::vector<bool>{true, true, true, true, true, false, false, false, false,  //
                                      true, true, true, true, true, true, true, true, true}));
}

TEST(NewRows, UnknownCategoriesAndUnexpectedMissingCellsAreStars) {
  std::vector<bool> known;
  const auto rows = recoded(two_columns(), {"40", "40"}, {"X", ""}, known);
  EXPECT_EQ(rows, (std::vector<std::vector<std::string>>{{"40", "*"}, {"40", "*"}}));
  EXPECT_EQ(known, (std::vector<bool>{true, true, false, true}));
  WrittenRecoding none = two_columns();
  none.boxes.covers.clear();
  none.boxes.holds.clear();
  none.boxes.losses.clear();
  none.region_releases.clear();
  EXPECT_EQ(recoded(none, {"40"}, {"F"}, known), (std::vector<std::vector<std::string>>{{"*", "*"}}));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
