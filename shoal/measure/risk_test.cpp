#include "shoal/measure/risk.h"

#include <gtest/gtest.h>

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(Risk, ByHand) {
  // 20 rows in 6 groups. Risks: 1, 1, 1/2, 1/4, 1/5, 1/7.
  const Risk found = risk({1, 4, 2, 1, 5, 7}, 0.2);
  EXPECT_EQ(found.groups, 6u);
  EXPECT_EQ(found.uniques, 2u);
  EXPECT_EQ(found.smallest_group, 1u);
  EXPECT_EQ(found.largest_group, 7u);
  EXPECT_DOUBLE_EQ(found.average_group, 20.0 / 6);
  EXPECT_DOUBLE_EQ(found.prosecutor_max, 1);
  EXPECT_DOUBLE_EQ(found.prosecutor_average, 0.3);  // (1 + 1 + 2/2 + 4/4 + 5/5 + 7/7) / 20
  EXPECT_DOUBLE_EQ(found.threshold, 0.2);
  EXPECT_DOUBLE_EQ(found.share_above_threshold, 0.4);  // 1 + 1 + 2 + 4 rows; the group of 5 is not above 1/5
  EXPECT_DOUBLE_EQ(found.journalist_max, 1);
  EXPECT_DOUBLE_EQ(found.marketer, 0.3);
}

TEST(Risk, SmallestGroupSetsTheLargestRisk) {
  const Risk found = risk({8, 4, 10}, 0.05);
  EXPECT_EQ(found.uniques, 0u);
  EXPECT_EQ(found.smallest_group, 4u);
  EXPECT_DOUBLE_EQ(found.prosecutor_max, 0.25);
  EXPECT_DOUBLE_EQ(found.journalist_max, 0.25);
  EXPECT_DOUBLE_EQ(found.share_above_threshold, 1);
}

// A group of exactly 1/threshold rows is never above it, whatever the rounding.
TEST(Risk, ExactThresholdIsNotAbove) {
  for (uint32_t size = 1; size <= 1000; ++size) {
    EXPECT_EQ(risk({size}, 1.0 / size).share_above_threshold, 0) << size;
    EXPECT_EQ(risk({size}, 1.0 / (size + 1)).share_above_threshold, 1) << size;
  }
}

TEST(Risk, NoGroups) {
  const Risk found = risk(std::vector<uint32_t>{}, 0.1);
  EXPECT_EQ(found.groups, 0u);
  EXPECT_EQ(found.smallest_group, 0u);
  EXPECT_EQ(found.prosecutor_max, 0);
  EXPECT_EQ(found.prosecutor_average, 0);
  EXPECT_EQ(found.average_group, 0);
  EXPECT_EQ(found.threshold, 0.1);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
