#include "shoal/verify/mean_check.h"

#include <gtest/gtest.h>

namespace shoal {
namespace SHOAL_THIS_FILE {

struct Pair {
  std::string_view job, age;  // released
  std::string_view original_age;
};

VerificationCheck check(const std::vector<Pair>& pairs) {
  MeanCheck means({{"job", false}, {"age", true}});
  for (const Pair& pair : pairs) {
    const std::string_view released[] = {pair.job, pair.age}, original[] = {"whatever", pair.original_age};
    means.add(released, original);
  }
  return means.result();
}

TEST(MeanCheck, MeansOfTheRowsThatLookAlikePass) {
  EXPECT_TRUE(check({{"a", "30.50", "30"}, {"b", "7.00", "7"}, {"a", "30.50", "31"}, {"b", "7.00", "7"}}).ok());
  EXPECT_TRUE(check({{"a", "0.67", "0"}, {"a", "0.67", "1"}, {"a", "0.67", "1"}}).ok()) << "rounded as printed";
  EXPECT_TRUE(check({{"a", "*", "0"}, {"a", "[1,2]", "1"}}).ok()) << "no numbers, nothing to check";
  EXPECT_TRUE(check({{"a", "12", "12"}, {"a", "12", "12.0"}}).ok()) << "as it is";
  EXPECT_TRUE(check({}).ok());
}

TEST(MeanCheck, OtherNumbersFailAndAreNamed) {
  const VerificationCheck wrong = check({{"b", "7", "7"}, {"a", "30.52", "30"}, {"a", "30.52", "31"}});
  EXPECT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.detail,
            "released row 2: the number in the column 'age' is not the mean of the 2 originals that it stands for");
  EXPECT_FALSE(check({{"a", "30.50", "30"}, {"b", "30.50", "31"}}).ok()) << "rows that do not look alike share no mean";
  EXPECT_FALSE(check({{"a", "0.68", "0"}, {"a", "0.68", "1"}, {"a", "0.68", "1"}}).ok());
  EXPECT_FALSE(check({{"a", "31", "30"}, {"a", "31", "32"}}).ok())
      << "a mean shows two decimals, else it passes for a value";
  EXPECT_FALSE(check({{"a", "30.00", "30"}, {"a", "30.00", "?"}}).ok());
}

TEST(MeanCheck, IsExact) {
  EXPECT_TRUE(
      check({{"a", "9400123412341236.50", "9400123412341236"}, {"a", "9400123412341236.50", "9400123412341237"}}).ok());
  EXPECT_FALSE(
      check({{"a", "9400123412341237.00", "9400123412341236"}, {"a", "9400123412341237.00", "9400123412341237"}}).ok());
  EXPECT_FALSE(
      check({{"a", "9400123412341236.51", "9400123412341236"}, {"a", "9400123412341236.51", "9400123412341237"}}).ok());
  EXPECT_TRUE(check({{"a", "0.12", "0.125"}, {"a", "0.12", "0.125"}}).ok() &&
              check({{"a", "0.13", "0.125"}, {"a", "0.13", "0.125"}}).ok())
      << "a tie may go either way";
  EXPECT_FALSE(check({{"a", "0.12", "0.125"}, {"a", "0.12", "0.12500000000000000000001"}}).ok());
}

// Cells run into each other in no way: ("a1", "2") and ("a", "12") are different combinations.
TEST(MeanCheck, CombinationsAreKeptApart) {
  EXPECT_TRUE(check({{"a1", "2.50", "2.5"}, {"a", "12.50", "12.5"}, {"", "1.50", "1"}, {"", "1.50", "2"}}).ok());
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
