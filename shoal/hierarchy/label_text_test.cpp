#include "shoal/hierarchy/label_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "shoal/hierarchy/interval_label.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

TEST(LabelText, Numbers) {
  EXPECT_EQ(label_number("12"), 12.0);
  EXPECT_EQ(label_number(" +1.50 "), 1.5);
  EXPECT_EQ(label_number("-2e3"), -2000.0);
  for (const char* text : {"", " ", "x", "1x", "1 2", "inf", "nan", "+-1", "0x10", "1,5", "1e999"}) {
    EXPECT_EQ(label_number(text), std::nullopt) << text;
  }
  EXPECT_EQ(number_label(5), "5");
  EXPECT_EQ(number_label(-0.0), "0");
  EXPECT_EQ(number_label(0.1), "0.1");
  EXPECT_EQ(number_label(100000), "100000");
  EXPECT_EQ(number_label(1.0 / 3), "0.3333333333333333");
}

TEST(LabelText, QuotesAreCutAndClean) {
  EXPECT_EQ(quoted_label("a\nb"), "'a b'");
  std::string umlauts;
  for (int i = 0; i < 40; ++i) umlauts += "\xC3\xBC";
  // 60 bytes are 30 characters; one byte more in front must not tear a character apart.
  EXPECT_EQ(quoted_label("x" + umlauts), "'x" + umlauts.substr(0, 58) + "...'");
}

TEST(LabelText, MeantLabel) {
  const std::vector<std::string_view> labels{"Canada", "Cuba", "12"};
  EXPECT_EQ(meant_label("Cubba", labels), "; did you mean 'Cuba'?");
  EXPECT_EQ(meant_label("France", labels), "");
}

TEST(IntervalLabel, EndsAreOpenOrClosedAsWritten) {
  struct Case {
    const char* label;
    std::vector<double> inside, outside;
  };
  const std::vector<Case> cases{
      {"15-19", {15, 17.5, 19}, {14.9, 20}},
      {"16~20", {16, 20}, {15, 21}},
      {"1..5", {1, 5}, {0, 6}},
      {"1 to 5", {1, 5}, {0, 6}},
      {"15\xE2\x80\x93"
       "19",
       {15, 19},
       {14, 20}},
      {"-10--5", {-10, -5}, {-11, -4}},
      {"-5-5", {-5, 0, 5}, {-6, 6}},
      {"[20,30)", {20, 29.9}, {19, 30}},
      {"[1, 37)", {1, 36}, {0, 37}},
      {"(1;37]", {2, 37}, {1, 38}},
      {"<18", {17, -5}, {18}},
      {"<=18", {18}, {18.1}},
      {">65", {66}, {65}},
      {">= 65", {65, 1e9}, {64}},
      {"18+", {18, 99}, {17}},
  };
  for (const Case& c : cases) {
    const auto interval = label_interval(c.label);
    ASSERT_TRUE(interval.has_value()) << c.label;
    const auto decimal = [](double number) { return Decimal::parse(fmt::format("{}", number)).value(); };
    for (double number : c.inside) EXPECT_TRUE(interval->contains(decimal(number))) << number << " in " << c.label;
    for (double number : c.outside) EXPECT_FALSE(interval->contains(decimal(number))) << number << " in " << c.label;
  }
}

TEST(IntervalLabel, OtherTextIsNone) {
  for (const char* label : {"", "*", "-", "a-b", "5", "-5", "1e-5", "2024-03", "7th-8th", "<=50K", "5371*", "[a,b)",
                            "[5]", "30-20", "+", "<", "1-2-3"}) {
    EXPECT_FALSE(label_interval(label).has_value()) << label;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
