#include "shoal/learn/cell_numbers.h"

#include <gtest/gtest.h>

#include <random>

namespace shoal {
namespace SHOAL_THIS_FILE {

Attribute column(std::vector<Extent> extents, std::vector<uint32_t> codes) {
  Attribute attribute;
  attribute.numeric = true;
  attribute.extents = std::move(extents);
  attribute.codes = std::move(codes);
  for (const Extent& extent : attribute.extents) attribute.has_vague = attribute.has_vague || !extent.exact();
  return attribute;
}

TEST(CellNumbers, WithoutRangesNumbersCountAsTheyAre) {
  const std::vector<double> weights{1, 1, 1};
  const CellNumbers numbers(column({{1, 1}, {5, 5}}, {0, 1, Attribute::kMissing}), weights);
  EXPECT_EQ(numbers.number({1, 1}, true), 1);
  EXPECT_EQ(numbers.number({3, 3}, true), 3);
  EXPECT_EQ(numbers.number({1, 5}, true), 3);
  EXPECT_EQ(CellNumbers().number({7, 7}, true), 7);
}

TEST(CellNumbers, AnExactNumberStandsWhereItsRangesStand) {
  const std::vector<double> weights{3, 1, 2};
  const CellNumbers numbers(column({{0, 10}, {4, 4}, {10, 30}}, {0, 1, 2}), weights);
  EXPECT_EQ(numbers.number({0, 10}, true), 5);
  EXPECT_EQ(numbers.number({0, 0}, true), 5);
  EXPECT_EQ(numbers.number({4, 4}, true), (3 * 5 + 1 * 4) / 4.0);
  EXPECT_EQ(numbers.number({10, 10}, true), (3 * 5 + 2 * 20) / 5.0) << "ends belong to both";
  EXPECT_EQ(numbers.number({11, 11}, true), 20);
  EXPECT_EQ(numbers.number({-1, -1}, true), -1);
  EXPECT_EQ(numbers.number({31, 31}, true), 31);
}

TEST(CellNumbers, RandomColumnsLikeThePlainAverage) {
  std::mt19937_64 random(3);
  auto draw = [&](uint64_t below) { return static_cast<double>(random() % below); };
  for (int round = 0; round < 500; ++round) {
    std::vector<Extent> extents;
    std::vector<uint32_t> codes;
    std::vector<double> weights;
    for (uint32_t i = 0; i < 1 + random() % 8; ++i) {
      const double low = draw(20);
      extents.push_back({low, low + draw(3) * draw(6)});
      for (size_t times = random() % 3; times > 0; --times) {
        codes.push_back(i);
        weights.push_back(0.1 + draw(10));
      }
    }
    const CellNumbers numbers(column(extents, codes), weights);
    const bool vague = std::any_of(extents.begin(), extents.end(), [](const Extent& e) { return !e.exact(); });
    for (double x = -1; x < 33; x += 0.5) {
      double weight = 0, sum = 0;
      for (size_t row = 0; row < codes.size(); ++row) {
        const Extent& extent = extents[codes[row]];
        if (extent.low > x || extent.high < x) continue;
        weight += weights[row];
        sum += weights[row] * extent.middle();
      }
      ASSERT_NEAR(numbers.number({x, x}, true), vague && weight > 0 ? sum / weight : x, 1e-9) << round << " " << x;
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
