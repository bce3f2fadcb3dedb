#include "shoal/nearest_word.h"

#include <gtest/gtest.h>

namespace shoal {
namespace SHOAL_THIS_FILE {

using Words = std::vector<std::string_view>;

TEST(NearestWord, AmongNames) {
  const Words words{"education", "age", "occupation", "suppress_rows"};
  auto nearest = [&](std::string_view word) { return nearest_word(word, words, WordKind::name); };
  EXPECT_EQ(nearest("eduction"), "education");
  EXPECT_EQ(nearest("Age"), "age");
  EXPECT_EQ(nearest("aeg"), "age");
  EXPECT_EQ(nearest("suppress-rows"), "suppress_rows");
  EXPECT_EQ(nearest("ocupatoin"), "occupation");
  EXPECT_EQ(nearest("zip"), std::nullopt);
  EXPECT_EQ(nearest(""), std::nullopt);
  EXPECT_EQ(nearest("age"), std::nullopt);  // itself
  EXPECT_EQ(nearest_word("x", Words{"k"}, WordKind::name), std::nullopt);
  EXPECT_EQ(nearest_word("K", Words{"k"}, WordKind::name), "k");
  EXPECT_EQ(nearest_word("bat", Words{"cat", "hat"}, WordKind::name), "cat");  // of equally near ones the first
  EXPECT_EQ(nearest_word("bats", Words{"cat", "bat"}, WordKind::name), "bat");
}

TEST(NearestWord, AmongValues) {
  const Words labels{"Canada", "Cuba", "United-States", "1", "12", "-500", "male"};
  auto nearest = [&](std::string_view word) { return nearest_word(word, labels, WordKind::value); };
  EXPECT_EQ(nearest("Kanada"), "Canada");
  EXPECT_EQ(nearest("Caanda"), "Canada");
  EXPECT_EQ(nearest("CUBA "), "Cuba");
  EXPECT_EQ(nearest("United States"), "United-States");
  EXPECT_EQ(nearest("11"), std::nullopt);  // numbers are near each other without being slips
  EXPECT_EQ(nearest("-501"), std::nullopt);
  EXPECT_EQ(nearest("female"), std::nullopt);
  EXPECT_EQ(nearest(""), std::nullopt);
}

TEST(NearestWord, InWords) {
  EXPECT_EQ(did_you_mean("eduction", {"age", "education"}), "; did you mean 'education'?");
  EXPECT_EQ(did_you_mean("zip", {"age", "education"}), "");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
