// Against the plain estimate: points, cells and sums written out.
#include "shoal/learn/column_shares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

#include "testing/learn_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(ColumnShares, OfExactCellsTheyAreTheirShares) {
  const Dataset data = testing::dataset_of("a class\nx p\nx q\ny p\n* q\n");
  const ColumnShares shares(data.attributes[0], data.weights);
  ASSERT_EQ(shares.bins(), 2U);
  EXPECT_NEAR(shares.shares()[0], 2.0 / 3, 1e-12);
  std::vector<double> covered;
  shares.covered(data.attributes[0], Attribute::kMissing, covered);
  EXPECT_EQ(covered, shares.shares());
  shares.covered(data.attributes[0], 1, covered);
  EXPECT_EQ(covered[0], 0);
  EXPECT_NEAR(covered[1], 1.0 / 3, 1e-12);
}

TEST(ColumnShares, NothingKnownNothingSaid) {
  const Dataset data = testing::dataset_of("a b class\n* 1 p\n* 2 q\n");
  EXPECT_EQ(ColumnShares(data.attributes[0], data.weights).bins(), 0U);
}

// Self-consistent estimate over the ends of cells, 25 rounds, point by point.
std::vector<double> plain_shares(const Attribute& attribute, const std::vector<double>& weights,
                                 const std::vector<double>& points) {
  std::vector<double> shares(points.size(), 1.0 / static_cast<double>(points.size()));
  for (int round = 0; round < 25; ++round) {
    std::vector<double> next(points.size(), 0);
    double total = 0;
    for (size_t row = 0; row < attribute.codes.size(); ++row) {
      if (attribute.missing(row)) continue;
      const Extent& cell = attribute.extents[attribute.codes[row]];
      double held = 0;
      for (size_t v = 0; v < points.size(); ++v)
        held += points[v] >= cell.low && points[v] <= cell.high ? shares[v] : 0;
      for (size_t v = 0; v < points.size(); ++v) {
        if (points[v] >= cell.low && points[v] <= cell.high) next[v] += weights[row] * shares[v] / held;
      }
      total += weights[row];
    }
    for (size_t v = 0; v < points.size(); ++v) shares[v] = next[v] / total;
  }
  return shares;
}

TEST(ColumnShares, RandomRangesLikeThePlainEstimate) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 1000; ++round) {
    Attribute attribute;
    attribute.numeric = true;
    std::set<std::pair<double, double>> cells;
    for (size_t i = 0; i < 1 + random() % 6; ++i) {
      const auto low = static_cast<double>(random() % 12);
      cells.insert({low, low + static_cast<double>(random() % 3 * (random() % 5))});
    }
    for (const auto& [low, high] : cells) attribute.extents.push_back({low, high});
    std::vector<double> weights;
    std::set<double> ends;
    for (uint32_t i = 0; i < attribute.extents.size(); ++i) {
      for (size_t times = 1 + random() % 3; times > 0; --times) {
        attribute.codes.push_back(random() % 5 == 0 ? Attribute::kMissing : i);
        weights.push_back(1 + static_cast<double>(random() % 3));
        if (attribute.codes.back() == Attribute::kMissing) continue;
        ends.insert({attribute.extents[i].low, attribute.extents[i].high});
      }
    }
    const ColumnShares shares(attribute, weights);
    const std::vector<double> points(ends.begin(), ends.end());
    ASSERT_EQ(shares.bins(), points.size());  // few points: a bin each
    if (points.empty()) continue;
    const auto plain = plain_shares(attribute, weights, points);
    for (size_t v = 0; v < points.size(); ++v) ASSERT_NEAR(shares.shares()[v], plain[v], 1e-9) << round;
    // A cell covers its own points, and all together cover everything.
    std::vector<double> covered;
    for (uint32_t code = 0; code < attribute.extents.size(); ++code) {
      const Extent& cell = attribute.extents[code];
      shares.covered(attribute, code, covered);
      bool any = false;
      for (double point : points) any = any || (point >= cell.low && point <= cell.high);
      for (size_t v = 0; v < points.size() && any; ++v) {
        ASSERT_NEAR(covered[v], points[v] >= cell.low && points[v] <= cell.high ? plain[v] : 0, 1e-9);
      }
    }
  }
}

TEST(ColumnShares, ManyNumbersAreBinnedByShare) {
  std::mt19937_64 random(5);
  Attribute attribute;
  attribute.numeric = true;
  std::vector<double> weights;
  for (uint32_t i = 0; i < 400; ++i) {
    attribute.extents.push_back({double(i), double(i)});
    for (size_t times = 1 + random() % 4; times > 0; --times) {
      attribute.codes.push_back(i);
      weights.push_back(1);
    }
  }
  const ColumnShares shares(attribute, weights);
  ASSERT_EQ(shares.bins(), ColumnShares::kMostBins);
  double sum = 0;
  for (double share : shares.shares()) {
    EXPECT_NEAR(share, 1.0 / 16, 0.01);
    sum += share;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
  // Numbers below, between and above those of the column have a bin as well.
  Attribute others;
  others.numeric = true;
  others.extents = {{-50, -50}, {200.3, 200.3}, {1e6, 1e6}};
  std::vector<double> covered;
  shares.covered(others, 0, covered);
  EXPECT_EQ(covered.front(), shares.shares().front());
  shares.covered(others, 2, covered);
  EXPECT_EQ(covered.back(), shares.shares().back());
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
