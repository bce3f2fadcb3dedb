#include "shoal/measure/interval_cost.h"

#include <gtest/gtest.h>

#include "shoal/measure/cell_loss.h"
#include "testing/hand_table.h"
#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(IntervalCost, IsTheWeightedNcpOfTheTightestRelease) {
  testing::RandomTables random(21);
  for (int round = 0; round < 2000; ++round) {
    const auto leaves = static_cast<uint32_t>(random.draw(1, round % 10 == 0 ? 70 : 12));
    const bool missing = random.draw(0, 2) == 0;
    Hierarchy hierarchy = random.hierarchy(leaves, random.draw(0, 2) == 0, missing);
    if (round % 2 == 0) hierarchy = hierarchy.releasing_nodes();
    const double weight = double(random.draw(1, 12)) / 4;
    const IntervalCost cost(hierarchy, weight);
    for (uint32_t lo = 0; lo < leaves; ++lo) {
      for (uint32_t hi = lo; hi < leaves; ++hi) {
        ASSERT_NEAR(cost(lo, hi), weight * ncp(hierarchy, released_interval(hierarchy, lo, hi)), 1e-12)
            << "leaves " << lo << ".." << hi << " of " << leaves << " in round " << round;
        ASSERT_LE(cost(lo, hi > lo ? hi - 1 : hi), cost(lo, hi));
      }
    }
  }
}

TEST(IntervalCost, ByHand) {
  const Hierarchy jobs = testing::hand_hierarchy({{"clerk", "office", "*"},
                                                  {"lawyer", "office", "*"},
                                                  {"baker", "craft", "*"},
                                                  {"smith", "craft", "*"},
                                                  {"potter", "craft", "*"}});
  const IntervalCost job_cost(jobs, 2);
  EXPECT_DOUBLE_EQ(job_cost(3, 3), 0);
  EXPECT_DOUBLE_EQ(job_cost(0, 1), 2 * 2.0 / 5);
  EXPECT_DOUBLE_EQ(job_cost(2, 3), 2 * 3.0 / 5);
  EXPECT_DOUBLE_EQ(job_cost(1, 2), 2);
  const IntervalCost age_cost(testing::hand_flat({"20", "25", "40"}, {20, 25, 40}), 1);
  EXPECT_DOUBLE_EQ(age_cost(0, 1), 0.25);
  EXPECT_DOUBLE_EQ(age_cost(0, 2), 1);
  // 20 and 21 together cost what the node above them does: its numbers, not its leaves.
  const Hierarchy ages = testing::hand_hierarchy(
      {{"20", "20s", "*"}, {"21", "20s", "*"}, {"29", "20s", "*"}, {"40", "40s", "*"}}, {20, 21, 29, 40});
  EXPECT_DOUBLE_EQ(IntervalCost(ages, 1)(0, 1), 1.0 / 20);
  EXPECT_DOUBLE_EQ(IntervalCost(ages.releasing_nodes(), 1)(0, 1), 9.0 / 20);
  EXPECT_DOUBLE_EQ(IntervalCost(ages.releasing_nodes(), 1)(1, 3), 1);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
