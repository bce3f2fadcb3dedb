// The chosen cut against all cuts, tried one by one; and a table where only the target says where to cut.
#include "shoal/method/mondrian/mondrian_gain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "shoal/method/method.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using mondrian::Cut;
using mondrian::CutColumn;
using mondrian::Region;
using mondrian::Rows;

class AtLeast final : public mondrian::Permission {
 public:
  AtLeast(uint64_t k, Region region) : k_(k), region_(region) {}
  std::optional<mondrian::Scope> scope(size_t /*column*/) override { return mondrian::Scope{{&region_, 1}, k_}; }
  bool allows(const Cut& /*cut*/) override { return false; }

 private:
  uint64_t k_;
  Region region_;
};

double entropy_bits(const std::vector<uint32_t>& classes) {
  std::map<uint32_t, double> counts;
  for (uint32_t c : classes) ++counts[c];
  double bits = 0;
  for (const auto& [c, count] : counts) bits -= count * std::log2(count / double(classes.size()));
  return bits;
}

// Gain of every cut of all rows on one column that the rule may make, by the greatest leaf on the left.
std::map<uint32_t, double> gains(const testing::RandomTable& drawn, size_t column, uint64_t k) {
  const Hierarchy& tree = drawn.hierarchies[column];
  const Codes& leaves = drawn.table.quasi[column].codes;
  std::set<uint32_t> values;
  for (size_t row = 0; row < drawn.table.rows; ++row) values.insert(leaves[row]);
  const uint32_t ancestor = tree.common_ancestor(*values.begin(), *values.rbegin());
  std::map<uint32_t, double> result;
  for (auto last = values.begin(); std::next(last) != values.end(); ++last) {
    const uint32_t next = *std::next(last);
    bool inside_a_child = false;
    for (uint32_t child : tree.children(ancestor))
      inside_a_child |= tree.covers(child, *last) && tree.covers(child, next);
    if (inside_a_child && !tree.numeric()) continue;
    std::vector<uint32_t> all, left, right;
    for (size_t row = 0; row < drawn.table.rows; ++row) {
      const uint32_t c = drawn.table.target->codes[row];
      all.push_back(c);
      (leaves[row] <= *last ? left : right).push_back(c);
    }
    if (std::min(left.size(), right.size()) < k) continue;
    const double gain = entropy_bits(all) - entropy_bits(left) - entropy_bits(right);
    if (tree.numeric() && next == tree.missing()) return {{*last, gain}};
    result[*last] = gain;
  }
  return result;
}

TEST(GainRule, TakesTheCutThatGainsMost) {
  testing::RandomTables random(41);
  int by_gain = 0, by_median = 0, none = 0;
  for (int round = 0; round < 3000; ++round) {
    auto drawn = random.table({.rows = random.draw(2, 60),
                               .columns = random.draw(1, 4),
                               .max_values = random.draw(2, 300),
                               .target_values = random.draw(1, 3)});
    const size_t rows = drawn.table.rows;
    const uint64_t k = random.draw(1, std::max<size_t>(1, rows / 3));
    std::vector<size_t> quasi(drawn.table.quasi.size());
    std::iota(quasi.begin(), quasi.end(), size_t{0});
    std::vector<CutColumn> columns;
    for (const Hierarchy& hierarchy : drawn.hierarchies) columns.push_back({&hierarchy, 1.0});
    const auto packed = Rows::pack(drawn.table, quasi, {}, 1);
    const Region all{0, rows};
    AtLeast permission(k, all);
    mondrian::GainRule rule(columns, *drawn.table.target);
    const std::optional<Cut> cut = rule.choose(*packed, all, permission);
    double most = 0;
    std::vector<std::map<uint32_t, double>> gain_of;
    for (size_t column : quasi) {
      gain_of.push_back(gains(drawn, column, k));
      for (const auto& [leaf, gain] : gain_of.back()) most = std::max(most, gain);
    }
    if (most > 1e-6) {
      ++by_gain;
      ASSERT_TRUE(cut);
      ASSERT_TRUE(gain_of[cut->column].contains(cut->last_left)) << "round " << round;
      EXPECT_NEAR(gain_of[cut->column][cut->last_left], most, 1e-9) << "round " << round;
      EXPECT_GE(std::min(cut->left_rows, rows - cut->left_rows), k);
    } else {
      mondrian::MedianRule median(columns, false);
      const std::optional<Cut> plain = median.choose(*packed, all, permission);
      ASSERT_EQ(cut.has_value(), plain.has_value());
      ++(cut ? by_median : none);
      if (!cut) continue;
      EXPECT_EQ(cut->column, plain->column);
      EXPECT_EQ(cut->last_left, plain->last_left);
    }
  }
  EXPECT_GT(by_gain, 300);
  EXPECT_GT(by_median, 100);
  EXPECT_GT(none, 5);
}

// 40 rows: the class follows y above 3, x tells nothing but is wider.
TEST(MondrianInfoGain, CutsWhereTheClassChanges) {
  testing::RandomTables random(1);
  testing::RandomTable drawn;
  drawn.table.rows = 40;
  for (const std::string name : {"x", "y"}) {
    drawn.hierarchies.push_back(random.hierarchy(8, true, false));
    drawn.table.quasi.push_back({name, Codes(40, 8), std::vector<std::string>(8, "v")});
  }
  drawn.table.target = Column{"class", Codes(40, 2), {"no", "yes"}};
  for (uint32_t row = 0; row < 40; ++row) {
    drawn.table.quasi[0].codes.set(row, row % 8);
    drawn.table.quasi[1].codes.set(row, row / 5);
    drawn.table.target->codes.set(row, row / 5 > 2);
  }
  Problem problem = drawn.problem({{{0, 1}, 12}});
  Progress progress;
  const SearchResult result = testing::run_method("mondrian-infogain", problem, progress);
  ASSERT_TRUE(result.recoding());
  const Recoding& recoding = *result.recoding();
  for (uint32_t row = 0; row < 40; ++row) {
    const Released& y = recoding.by_group().group_releases[recoding.by_group().group_of_row[row] * 2 + 1];
    EXPECT_EQ(y.first > 2, row / 5 > 2);
    EXPECT_EQ(y.last > 2, row / 5 > 2);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
