// Rules against plain recounts: every way to come to a group gives the same answers.
#include "shoal/model/group_rule.h"

#include <gtest/gtest.h>

#include "testing/random_rule.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing;

bool plainly(const RandomModels& models, uint64_t k, std::span<const uint32_t> rows) {
  if (rows.empty()) return true;
  if (rows.size() < k) return false;
  Counts counts(models.counted->values);
  for (uint32_t row : rows) ++counts[models.counted->codes[row]];
  return std::all_of(models.specs.begin(), models.specs.end(),
                     [&](const ModelSpec& spec) { return plain_holds(spec, *models.scene, counts) == Answer::yes; });
}

TEST(GroupRule, SaysOfEveryGroupWhatAPlainCountSays) {
  std::mt19937_64 random(1);
  size_t held = 0, failed = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const RandomModels models = random_models(kColumnKinds, 1 + random() % 24, random);
    const uint64_t k = 1 + random() % 4;
    const auto rule = models.rule(k);
    std::vector<uint32_t> a, b;
    for (uint32_t row = 0; row < models.rows(); ++row) {
      const uint64_t side = random() % 3;
      if (side < 2) (side == 0 ? a : b).push_back(row);
    }
    GroupTally first = rule->tally(a), second = rule->tally();
    for (uint32_t row : b) rule->add(second, row);
    std::vector<uint32_t> both = a;
    both.insert(both.end(), b.begin(), b.end());
    EXPECT_EQ(rule->holds(first), plainly(models, k, a));
    EXPECT_EQ(rule->holds(b), plainly(models, k, b));
    EXPECT_EQ(rule->holds_union(first, second), plainly(models, k, both));
    EXPECT_EQ(rule->deficit(second) == 0, rule->holds(second));
    EXPECT_EQ(rule->deficit_union(first, second) == 0, rule->holds_union(first, second));
    EXPECT_LE(rule->deficit_union(first, second), rule->deficit(first) + rule->deficit(second) + 1e-6);
    (rule->holds(first) ? held : failed)++;
    if (!b.empty()) {
      const uint32_t row = b[random() % b.size()];
      std::vector<uint32_t> more = a, less = b;
      more.push_back(row);
      less.erase(std::find(less.begin(), less.end(), row));
      EXPECT_EQ(rule->holds_after_adding(first, row), plainly(models, k, more));
      EXPECT_EQ(rule->holds_after_removing(second, row), plainly(models, k, less));
      rule->remove(second, row);
      EXPECT_EQ(rule->holds(second), plainly(models, k, less));
      rule->add(second, row);
      more.insert(more.end(), 2, row);
      GroupTally thrice = rule->tally(a);
      rule->add(thrice, row, 3);
      EXPECT_EQ(thrice.rows(), more.size());
      EXPECT_EQ(rule->holds(thrice), plainly(models, k, more));
      rule->remove(thrice, row, 3);
      EXPECT_EQ(rule->holds(thrice), plainly(models, k, a));
    }
    rule->merge(first, second);
    EXPECT_EQ(first.rows(), both.size());
    EXPECT_EQ(rule->holds(first), plainly(models, k, both));
    rule->subtract(first, second);
    EXPECT_EQ(rule->holds(first), plainly(models, k, a));
  }
  EXPECT_GT(held, 300u);
  EXPECT_GT(failed, 300u);
}

TEST(GroupRule, OfKAloneCountsRows) {
  const GroupRule rule(3);
  EXPECT_TRUE(rule.rows_only());
  EXPECT_EQ(rule.closure(), Closure::any_superset);
  const std::vector<uint32_t> rows{0, 1, 2};
  EXPECT_TRUE(rule.holds(rows));
  EXPECT_FALSE(rule.holds(std::span(rows).first(2)));
  EXPECT_TRUE(rule.holds(rule.tally()));
  EXPECT_EQ(rule.deficit(rule.tally(std::span(rows).first(1))), 2);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
