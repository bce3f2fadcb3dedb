// The worked examples of the papers, as far as they say what a measure is.
#include <gtest/gtest.h>

#include "shoal/measure/measures.h"
#include "shoal/recode/apply.h"
#include "testing/hand_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Rows = std::vector<std::vector<std::string>>;

struct Example {
  std::vector<Hierarchy> hierarchies;
  Table table;

  // Rows of cells, one per hierarchy, then how often the row occurs; a further cell is its class.
  Example(std::vector<Hierarchy> trees, const Rows& rows) : hierarchies(std::move(trees)) {
    std::vector<std::vector<std::string>> cells(hierarchies.size() + 1);
    for (const auto& row : rows) {
      for (int i = std::stoi(row[hierarchies.size()]); i > 0; --i) {
        for (size_t j = 0; j < hierarchies.size(); ++j) cells[j].push_back(row[j]);
        if (row.size() > hierarchies.size() + 1) cells.back().push_back(row.back());
        ++table.rows;
      }
    }
    for (size_t j = 0; j < hierarchies.size(); ++j) {
      table.quasi.push_back(testing::hand_column("q" + std::to_string(j), hierarchies[j], cells[j]));
    }
    if (!cells.back().empty())
      table.target = testing::hand_column("class", testing::hand_flat({"A", "B"}), cells.back());
  }

  Measures at_levels(std::vector<int> levels, const MeasureSettings& settings = {}) const {
    return measure(table, hierarchies, apply(levels_recoding(hierarchies, std::move(levels)), table, hierarchies, 1),
                   settings);
  }

  // Each group is released as tightly as local recoding can.
  Measures in_groups(const std::vector<uint32_t>& group_of_row, const MeasureSettings& settings = {}) const {
    GroupRecoding recoding;
    recoding.group_of_row = group_of_row;
    for (size_t j = 0; j < table.quasi.size(); ++j) recoding.recoded_columns.push_back(j);
    const uint32_t groups = *std::max_element(group_of_row.begin(), group_of_row.end()) + 1;
    for (uint32_t group = 0; group < groups; ++group) {
      for (size_t j = 0; j < table.quasi.size(); ++j) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (size_t row = 0; row < table.rows; ++row) {
          if (group_of_row[row] != group) continue;
          lo = std::min(lo, table.quasi[j].codes[row]);
          hi = std::max(hi, table.quasi[j].codes[row]);
        }
        recoding.group_releases.push_back(released_interval(hierarchies[j], lo, hi));
      }
    }
    return measure(table, hierarchies, apply({recoding}, table, hierarchies, 1), settings);
  }
};

Example heuristicmin_1() {
  return Example(
      {testing::hand_hierarchy(
           {{"9th", "High", "School", "*"}, {"10th", "High", "School", "*"}, {"12th", "High", "School", "*"}}),
       testing::hand_flat({"M", "F"}), testing::hand_hierarchy({{"30", "[1,40)", "*"}, {"40", "[40,99)", "*"}})},
      {{"10th", "M", "40", "20"},
       {"10th", "M", "30", "4"},
       {"9th", "M", "30", "2"},
       {"9th", "F", "30", "4"},
       {"9th", "F", "40", "6"},
       {"12th", "F", "30", "2"},
       {"12th", "F", "40", "2"}});
}

TEST(MeasuresOfPapers, HeuristicMin1) {
  const Example example = heuristicmin_1();
  const Measures raw = example.at_levels({0, 0, 0});
  EXPECT_EQ(raw.rows, 7u);
  EXPECT_EQ(raw.prec, 1);
  const Measures found = example.at_levels({1, 0, 0}, {{}, 0, 4});
  EXPECT_NEAR(found.prec, 0.889, 0.0005);
  EXPECT_DOUBLE_EQ(found.prec, 1 - 1.0 / 9);
  EXPECT_EQ(found.rows, 4u);
  EXPECT_DOUBLE_EQ(found.rows_ratio, 4.0 / 7);
  EXPECT_DOUBLE_EQ(found.dm, 20 * 20 + 6 * 6 + 6 * 6 + 8 * 8);
  EXPECT_DOUBLE_EQ(found.c_avg, 40.0 / (4 * 4));
  EXPECT_DOUBLE_EQ(found.modification_rate, 1.0 / 3);
  EXPECT_DOUBLE_EQ(found.ncp, 40);  // High covers all three values
  EXPECT_FALSE(found.cm.has_value());
}

TEST(MeasuresOfPapers, MinGenOnHeuristicMin1) {
  const Example example = heuristicmin_1();
  std::vector<uint32_t> groups;  // the tuples of the table in order: their counts, their groups
  for (const auto& [count, group] :
       std::vector<std::pair<int, uint32_t>>{{20, 0}, {4, 1}, {2, 1}, {4, 2}, {6, 3}, {2, 4}, {2, 4}}) {
    groups.insert(groups.end(), static_cast<size_t>(count), group);
  }
  const Measures found = example.in_groups(groups);
  EXPECT_DOUBLE_EQ(found.prec, 0.95);
  EXPECT_EQ(found.rows, 5u);
}

TEST(MeasuresOfPapers, HeuristicMin3) {
  const Example example({testing::hand_flat({"Acc", "Rej"}), testing::hand_flat({"M", "F"}),
                         testing::hand_hierarchy({{"20", "[0,40)", "*"},
                                                  {"25", "[0,40)", "*"},
                                                  {"30", "[0,40)", "*"},
                                                  {"40", "[40,99)", "*"},
                                                  {"50", "[40,99)", "*"},
                                                  {"70", "[40,99)", "*"}})},
                        {{"Acc", "F", "30", "5", "A"},
                         {"Acc", "F", "20", "16", "A"},
                         {"Acc", "F", "40", "3", "A"},
                         {"Acc", "M", "25", "4", "B"},
                         {"Acc", "M", "30", "5", "B"},
                         {"Rej", "M", "30", "10", "B"},
                         {"Rej", "F", "30", "15", "A"},
                         {"Rej", "F", "50", "5", "A"},
                         {"Rej", "F", "20", "5", "A"},
                         {"Rej", "M", "70", "15", "B"}});
  EXPECT_EQ(example.at_levels({0, 1, 0}).rows, 8u);
  EXPECT_NEAR(example.at_levels({0, 1, 0}).prec, 0.67, 0.005);
  EXPECT_EQ(example.at_levels({1, 0, 0}).rows, 7u);
  EXPECT_EQ(example.at_levels({1, 0, 1}).rows, 4u);
  EXPECT_EQ(example.at_levels({1, 0, 1}).cm, 0);
  EXPECT_DOUBLE_EQ(example.at_levels({1, 1, 2}).cm.value(), 34.0 / 83);  // one group, 49 A and 34 B
}

TEST(MeasuresOfPapers, Kaca1) {
  const Example example({testing::hand_flat({"male", "female"}), testing::hand_flat({"young", "middle", "old"}),
                         testing::hand_hierarchy({{"4350", "435*", "43**", "4***", "*"},
                                                  {"4351", "435*", "43**", "4***", "*"},
                                                  {"4352", "435*", "43**", "4***", "*"},
                                                  {"4353", "435*", "43**", "4***", "*"}})},
                        {{"male", "middle", "4350", "2"},
                         {"male", "young", "4351", "1"},
                         {"female", "young", "4352", "1"},
                         {"female", "old", "4353", "2"}});
  const Measures local = example.in_groups({0, 0, 1, 1, 2, 2});
  EXPECT_DOUBLE_EQ(local.modification_rate, 2.0 / 9);
  EXPECT_DOUBLE_EQ(local.distortion, 2.5);
  EXPECT_DOUBLE_EQ(local.distortion_ratio, 2.5 / 18);
  const Measures global = example.at_levels({1, 0, 1});
  EXPECT_DOUBLE_EQ(global.modification_rate, 6.0 / 9);
  EXPECT_DOUBLE_EQ(global.distortion, 6 * 1.25);
}

// The paper's U is the sum of range widths: NCP with every column weighted by its range.
TEST(MeasuresOfPapers, Xu1) {
  const Example example({testing::hand_flat({"10", "20", "50", "60"}, {10, 20, 50, 60}),
                         testing::hand_flat({"10", "15", "20", "50", "60", "70"}, {10, 15, 20, 50, 60, 70})},
                        {{"10", "60", "1"},
                         {"20", "70", "1"},
                         {"20", "50", "1"},
                         {"50", "20", "1"},
                         {"50", "15", "1"},
                         {"60", "10", "1"}});
  const MeasureSettings widths{{60 - 10, 70 - 10}, 0, 2};
  EXPECT_NEAR(example.in_groups({0, 0, 1, 1, 2, 2}, widths).ncp, 190, 1e-9);
  EXPECT_NEAR(example.in_groups({0, 0, 0, 1, 1, 1}, widths).ncp, 150, 1e-9);
  EXPECT_NEAR(example.in_groups({0, 0, 0, 1, 1, 1}, widths).gcp, 150.0 / (6 * 110), 1e-12);
}

// The table of docs/measures.md.
TEST(MeasuresOfPapers, TheExampleOfTheManual) {
  const Hierarchy jobs = testing::hand_hierarchy(
      {{"clerk", "office", "*"}, {"lawyer", "office", "*"}, {"baker", "craft", "*"}, {"smith", "craft", "*"}});
  const Example example({testing::hand_flat({"20", "24", "40", "60"}, {20, 24, 40, 60}), jobs},
                        {{"20", "clerk", "1", "A"},
                         {"24", "lawyer", "1", "B"},
                         {"40", "baker", "1", "A"},
                         {"40", "baker", "1", "A"},
                         {"60", "smith", "1", "B"}});
  GroupRecoding recoding;
  recoding.group_of_row = {0, 0, 1, 1, 0};
  recoding.recoded_columns = {0, 1};
  recoding.group_releases = {released_interval(example.hierarchies[0], 0, 1), released_interval(jobs, 0, 1),
                             released_interval(example.hierarchies[0], 2, 2), released_interval(jobs, 2, 2)};
  const Measures found = measure(example.table, example.hierarchies,
                                 apply({recoding, {4}}, example.table, example.hierarchies, 1), {{}, 0, 2});
  EXPECT_NEAR(found.prec, 0.68, 1e-12);
  EXPECT_EQ(found.rows, 2u);
  EXPECT_DOUBLE_EQ(found.rows_ratio, 0.5);
  EXPECT_DOUBLE_EQ(found.dm, 13);
  EXPECT_DOUBLE_EQ(found.c_avg, 1.25);
  EXPECT_NEAR(found.ncp, 3.2, 1e-12);
  EXPECT_NEAR(found.gcp, 0.32, 1e-12);
  EXPECT_NEAR(found.distortion, 3.2, 1e-12);
  EXPECT_NEAR(found.distortion_ratio, 0.32, 1e-12);
  EXPECT_DOUBLE_EQ(found.modification_rate, 0.6);
  EXPECT_NEAR(found.lm, (2 * 0.1 + 2 * 1.0 / 3 + 2) / 10, 1e-12);
  EXPECT_DOUBLE_EQ(found.cm.value(), 0.4);
  EXPECT_NEAR(found.entropy, 8.644, 0.001);
  EXPECT_NEAR(found.entropy_ratio, 0.450, 0.001);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
