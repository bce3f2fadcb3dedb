#include "shoal/table/round_number.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>
#include <string>

namespace shoal {
namespace SHOAL_THIS_FILE {

Decimal decimal(const std::string& text) { return *Decimal::parse(text); }

TEST(RoundNumber, ByHand) {
  EXPECT_EQ(round_down(decimal("37"), {2, 0}), decimal("36"));
  EXPECT_EQ(round_up(decimal("37"), {2, 0}), decimal("38"));
  EXPECT_EQ(round_up(decimal("38"), {2, 0}), decimal("38"));
  EXPECT_EQ(round_down(decimal("-37"), {5, 0}), decimal("-40"));
  EXPECT_EQ(round_up(decimal("-37"), {5, 0}), decimal("-35"));
  EXPECT_EQ(round_up(decimal("-3"), {5, 0}), decimal("0"));
  EXPECT_EQ(round_down(decimal("0.123"), {1, -2}), decimal("0.12"));
  EXPECT_EQ(round_up(decimal("9.99"), {1, 0}), decimal("10"));
  EXPECT_EQ(round_down(decimal("7"), {1, 2}), decimal("0"));
  EXPECT_EQ(round_up(decimal("7"), {1, 2}), decimal("100"));
  EXPECT_EQ(round_up(decimal("0"), {5, 3}), decimal("0"));
  // More digits than a double or a 64-bit number has.
  EXPECT_EQ(round_down(decimal("9400123412341234567890123"), {2, 1}), decimal("9400123412341234567890120"));
}

TEST(RoundNumber, LargestStep) {
  EXPECT_EQ(largest_step(1), (RoundStep{1, 0}));
  EXPECT_EQ(largest_step(1.999), (RoundStep{1, 0}));
  EXPECT_EQ(largest_step(2), (RoundStep{2, 0}));
  EXPECT_EQ(largest_step(9.9999999999999982), (RoundStep{5, 0}));
  EXPECT_EQ(largest_step(36.5), (RoundStep{2, 1}));
  EXPECT_EQ(largest_step(0.07), (RoundStep{5, -2}));
  EXPECT_FALSE(largest_step(0));
  EXPECT_FALSE(largest_step(-1));
  EXPECT_FALSE(largest_step(std::numeric_limits<double>::infinity()));
}

// Against whole numbers: n hundredths, rounded to multiples of m hundredths.
TEST(RoundNumber, AgreesWithWholeNumbers) {
  std::mt19937_64 random(3);
  const auto hundredths = [](int64_t n) { return Decimal::from_digits(n < 0, std::to_string(n < 0 ? -n : n), -2); };
  for (int round = 0; round < 20000; ++round) {
    const auto n = static_cast<int64_t>(random() % 200001) - 100000;
    const int digit = std::array{1, 2, 5}[random() % 3];
    const auto exponent = static_cast<int64_t>(random() % 6) - 2;
    int64_t m = digit;
    for (int64_t i = -2; i < exponent; ++i) m *= 10;
    const int64_t left = ((n % m) + m) % m;
    ASSERT_EQ(round_down(hundredths(n), {digit, exponent}), hundredths(n - left)) << n << " by " << m;
    ASSERT_EQ(round_up(hundredths(n), {digit, exponent}), hundredths(left == 0 ? n : n - left + m)) << n << " by " << m;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
