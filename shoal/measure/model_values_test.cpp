#include "shoal/measure/model_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace shoal {
namespace SHOAL_THIS_FILE {

// Against plain counts: random codes in random groups.
TEST(ModelValues, AgreeWithPlainCounts) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 2000; ++round) {
    const size_t rows = 1 + random() % 30;
    const auto values = static_cast<uint32_t>(1 + random() % 12);
    const size_t most_groups = 1 + random() % 5;
    auto column = std::make_shared<CountedColumn>();
    column->values = values;
    Groups groups;
    groups.sizes.assign(most_groups, 0);
    WholeColumn whole;
    whole.counts.assign(values, 0);
    std::map<uint32_t, std::vector<uint32_t>> members;
    for (size_t row = 0; row < rows; ++row) {
      column->codes.push_back(static_cast<uint32_t>(random() % values));
      ++whole.counts[column->codes.back()];
      // Every group has a row, and some rows are in none.
      const auto group = row < most_groups ? static_cast<uint32_t>(row) : static_cast<uint32_t>(random() % most_groups);
      if (row >= most_groups && random() % 5 == 0) {
        groups.group_of_row.push_back(kNoGroup);
        continue;
      }
      groups.group_of_row.push_back(group);
      ++groups.sizes[group];
      members[group].push_back(column->codes.back());
    }
    groups.sizes.resize(members.size());
    const auto l = 1 + random() % 4;
    const ModelSpec spec = parse_model("distinct-l:a:l=" + std::to_string(l));
    const uint32_t missing = 0;
    const ModelValues found = model_values({make_model(spec, whole), column}, missing, groups);
    size_t worst = SIZE_MAX, broken = 0, rows_broken = 0, by_missing = 0;
    RowsByDiversity by_diversity{};
    std::vector<uint32_t> different;
    for (const auto& [group, codes] : members) {
      std::set<uint32_t> here(codes.begin(), codes.end());
      worst = std::min(worst, here.size());
      different.push_back(static_cast<uint32_t>(here.size()));
      const size_t place = here.size() < 5 ? here.size() - 1 : here.size() < 10 ? 4 : 5;
      by_diversity[place] += codes.size();
      if (here.size() < l) {
        ++broken;
        rows_broken += codes.size();
      } else {
        const size_t known = here.size() - here.count(missing);
        // Without missing cells a group may have no row left, and then holds.
        by_missing += known < l && known > 0;
      }
    }
    EXPECT_EQ(found.worst, double(worst));
    EXPECT_EQ(found.groups_broken, broken);
    EXPECT_EQ(found.rows_broken, rows_broken);
    EXPECT_EQ(found.groups_by_missing, by_missing);
    EXPECT_EQ(rows_by_diversity(*column, groups), by_diversity);
    EXPECT_EQ(different_per_group(*column, groups), different);
  }
}

TEST(ModelValues, AverageRisk) {
  const Groups groups{{0, 0, 1, kNoGroup}, {2, 1}};
  const ModelValues values = average_risk_values(parse_model("average-risk:risk=0.6"), groups);
  EXPECT_NEAR(values.worst, 2.0 / 3, 1e-12);
  EXPECT_EQ(values.groups_broken, 2U);
  EXPECT_EQ(average_risk_values(parse_model("average-risk:risk=2/3"), groups).groups_broken, 0U);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
