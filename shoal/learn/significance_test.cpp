// Against printed tables, closed forms and the worked example of Demsar 2006.
#include "shoal/learn/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(Significance, TailsAreThoseOfThePrintedTables) {
  EXPECT_NEAR(normal_tail(1.959963984540054), 0.025, 1e-12);
  EXPECT_NEAR(normal_tail(-1.2815515655446004), 0.9, 1e-12);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-10);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-10);
  EXPECT_NEAR(chi_squared_tail(3.841458820694124, 1), 0.05, 1e-10);
  EXPECT_NEAR(chi_squared_tail(18.307038053275146, 10), 0.05, 1e-10);
  EXPECT_NEAR(chi_squared_tail(0.5, 4), std::exp(-0.25) * 1.25, 1e-12);  // closed form for 4 degrees
  EXPECT_NEAR(f_tail(4.735063, 10, 5), 0.05, 1e-6);
  EXPECT_NEAR(f_tail(10.05102, 10, 5), 0.01, 1e-6);
  EXPECT_NEAR(f_tail(4.256495, 2, 9), 0.05, 1e-6);
  EXPECT_NEAR(f_tail(0.3, 2, 8), std::pow(1 + 2 * 0.3 / 8, -4.0), 1e-12);  // closed form for 2 degrees above
  EXPECT_EQ(f_tail(0, 3, 3), 1);
  EXPECT_EQ(f_tail(INFINITY, 3, 3), 0);
}

TEST(Significance, TailsFallAndMirror) {
  for (double d1 : {1.0, 2.0, 5.0, 30.0}) {
    for (double d2 : {1.0, 4.0, 25.0}) {
      double before = 1;
      for (double f = 0.05; f < 20; f *= 1.3) {
        const double tail = f_tail(f, d1, d2);
        EXPECT_LT(tail, before);
        EXPECT_NEAR(tail, 1 - f_tail(1 / f, d2, d1), 1e-11);  // 1/F has the degrees exchanged
        before = tail;
      }
      EXPECT_NEAR(f_tail(1e-9, d1, d2), 1, 1e-3);
    }
  }
}

TEST(Significance, IntervalOfAnError) {
  const ErrorInterval interval = error_interval(0.15, 15060);
  EXPECT_NEAR(interval.low, 0.1444, 0.0002);
  EXPECT_NEAR(interval.high, 0.1558, 0.0002);
  const ErrorInterval none = error_interval(0, 100);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.0370, 0.0001);
  const ErrorInterval all = error_interval(1, 100);
  EXPECT_NEAR(all.low, 1 - none.high, 1e-12);
  EXPECT_EQ(all.high, 1);
  EXPECT_LT(error_interval(0.3, 50, 0.99).low, error_interval(0.3, 50, 0.95).low);
}

TEST(Significance, DifferenceOfPairedRows) {
  // 100 rows: 12 that only the first gets wrong, 4 that only the second does. McNemar's numbers by hand.
  std::vector<double> by_row(100, 0);
  for (size_t i = 0; i < 12; ++i) by_row[i] = 1;
  for (size_t i = 12; i < 16; ++i) by_row[i] = -1;
  const ErrorDifference difference = mean_difference(by_row);
  EXPECT_NEAR(difference.difference, 0.08, 1e-12);
  const double half = 1.959963984540054 * std::sqrt((0.16 - 0.08 * 0.08) / 99);
  EXPECT_NEAR(difference.low, 0.08 - half, 1e-9);
  EXPECT_NEAR(difference.high, 0.08 + half, 1e-9);
  EXPECT_EQ(mean_difference({}).high, 0);
}

TEST(Significance, IntervalOfAFewTables) {
  // Student's t for 4 degrees: 2.776445.
  const MeanInterval interval = mean_interval({1, 2, 3, 4, 5});
  EXPECT_NEAR(interval.mean, 3, 1e-12);
  EXPECT_NEAR(interval.high - 3, 2.776445105 * std::sqrt(2.5 / 5), 1e-6);
  EXPECT_NEAR(3 - interval.low, interval.high - 3, 1e-12);
  EXPECT_EQ(mean_interval({7}).low, 7);
}

TEST(Significance, Combined5x2) {
  // By hand: squares 10 x 0.01, variances 5 x 2 x 0.0001: f = 0.101 / (2 x 0.001).
  std::array<std::array<double, 2>, 5> differences;
  differences.fill({0.11, 0.09});
  const FTest test = combined_5x2_f_test(differences);
  EXPECT_NEAR(test.f, 50.5, 1e-9);
  EXPECT_LT(test.p, 0.001);
  differences.fill({0.1, -0.1});
  EXPECT_NEAR(combined_5x2_f_test(differences).f, 0.5, 1e-12);
  EXPECT_GT(combined_5x2_f_test(differences).p, 0.5);
  differences.fill({0, 0});
  EXPECT_EQ(combined_5x2_f_test(differences).p, 1);
  differences.fill({0.1, 0.1});
  EXPECT_EQ(combined_5x2_f_test(differences).p, 0);
}

// Demsar 2006, table 6: AUC of four learners on 14 sets (here as 1 - AUC). The one .9751 stands for a printed .975 that
// ranks before its neighbour.
TEST(Significance, FriedmanAsDemsarComputesIt) {
  const std::vector<std::vector<double>> auc{
      {.763, .768, .771, .798},  {.599, .591, .590, .569}, {.954, .971, .968, .967}, {.628, .661, .654, .657},
      {.882, .888, .886, .898},  {.936, .931, .916, .931}, {.661, .668, .609, .685}, {.583, .583, .563, .625},
      {.775, .838, .866, .875},  {1.0, 1.0, 1.0, 1.0},     {.940, .962, .965, .962}, {.619, .666, .614, .669},
      {.972, .981, .9751, .975}, {.957, .978, .946, .970}};
  std::vector<std::vector<double>> errors = auc;
  for (auto& set : errors) {
    for (double& error : set) error = 1 - error;
  }
  const FriedmanTest test = friedman_test(errors);
  EXPECT_NEAR(test.mean_ranks[0], 3.143, 0.001);
  EXPECT_NEAR(test.mean_ranks[1], 2.000, 0.001);
  EXPECT_NEAR(test.mean_ranks[2], 2.893, 0.001);
  EXPECT_NEAR(test.mean_ranks[3], 1.964, 0.001);
  EXPECT_NEAR(test.chi_squared, 9.28, 0.02);
  EXPECT_NEAR(test.f, 3.69, 0.02);
  EXPECT_LT(test.p, 0.05);
  // The critical distance at 0.05 with a control: 2.394 sqrt(4 x 5 / (6 x 14)).
  EXPECT_NEAR(bonferroni_dunn_distance(4, 14), 1.16, 0.01);
  EXPECT_NEAR(bonferroni_dunn_distance(4, 14, 0.10), 2.128 * std::sqrt(20.0 / 84), 0.001);
}

TEST(Significance, FriedmanAtItsEnds) {
  EXPECT_EQ(friedman_test({{0.1, 0.2, 0.3}, {0.2, 0.3, 0.4}, {0.0, 0.3, 0.5}}).p, 0);
  const FriedmanTest same = friedman_test({{0.1, 0.1}, {0.2, 0.2}});
  EXPECT_EQ(same.chi_squared, 0);
  EXPECT_EQ(same.p, 1);
}

// Under "the same" the p of the 5x2 test is small about as often as it says: normal noise, 20,000 draws.
TEST(Significance, Combined5x2RejectsAsOftenAsItSays) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise;
  int rejected = 0;
  const int draws = 20000;
  for (int draw = 0; draw < draws; ++draw) {
    std::array<std::array<double, 2>, 5> differences;
    for (auto& repetition : differences) repetition = {noise(random), noise(random)};
    rejected += combined_5x2_f_test(differences).p < 0.05;
  }
  // Squares and variances are not independent, so F(10, 5) is approximate and, as Alpaydin says, on the careful side.
  EXPECT_LT(rejected, draws * 0.06);
  EXPECT_GT(rejected, draws * 0.005);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
