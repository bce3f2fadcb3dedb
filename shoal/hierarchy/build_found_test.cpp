// Builders that find their settings in the values: dates, codes, orders, rare values, and `auto` above them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "shoal/error.h"
#include "shoal/hierarchy/build.h"
#include "shoal/hierarchy/choose_builder.h"
#include "shoal/hierarchy/date_text.h"
#include "shoal/hierarchy/value_order.h"
#include "shoal/read/read_tree.h"
#include "testing/random_tree.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::nested;
using Settings = std::map<std::string, std::string>;
using Texts = std::vector<std::string>;
using Counts = std::vector<uint64_t>;

Tree build(const std::string& kind, const Settings& settings, const Texts& values, const Counts& counts = {}) {
  return build_tree({kind, settings}, values, counts);
}

std::string error_of(const std::string& kind, const Settings& settings, const Texts& values) {
  try {
    build(kind, settings, values);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// `hierarchy check` accepts it: the file it is written to has no faults, also against the values, and is the same tree.
void expect_accepted(const Tree& tree, const Texts& values) {
  const ParsedTree parsed = parse_tree_text(level_table(tree), "built.csv");
  ASSERT_TRUE(parsed.faults.empty()) << parsed.faults.front().message;
  const auto faults = all_faults(parsed, std::span<const std::string>(values));
  ASSERT_TRUE(faults.empty()) << faults.front().message;
  ASSERT_EQ(nested(parsed.tree), nested(tree));
}

TEST(DateText, EveryFormatReadsItsOwn) {
  for (const auto& [text, format] :
       std::vector<std::pair<std::string, DateFormat>>{{"2024-03-17", DateFormat::iso},
                                                       {"17.03.2024", DateFormat::dotted},
                                                       {"17.3.2024", DateFormat::dotted},
                                                       {"17/03/2024", DateFormat::day_slash},
                                                       {"03/17/2024", DateFormat::month_slash},
                                                       {"2024/03/17", DateFormat::year_slash},
                                                       {"17-03-2024", DateFormat::day_dash},
                                                       {"03-17-2024", DateFormat::month_dash},
                                                       {"20240317", DateFormat::digits},
                                                       {"17.03.2024 08:15", DateFormat::dotted}}) {
    const auto date = read_date(text, format);
    ASSERT_TRUE(date) << text;
    EXPECT_EQ(date->year * 10000 + date->month * 100 + date->day, 20240317) << text;
    EXPECT_EQ(date->has_time, text.size() > 10) << text;
    DateFormats formats;
    formats.see(text);
    EXPECT_EQ(formats.possible(), std::vector{format}) << text;
  }
}

TEST(DateText, OnlyDaysThatExist) {
  for (const char* text : {"30.02.2024", "29.02.2023", "31.04.2024", "00.01.2024", "01.13.2024", "1.1.24", "2024-3-17",
                           "17.03.2024 25:00", "17.03.2024 08:60", "17.03.2024x", "20241317", "99990101", ""}) {
    for (const DateFormat format : kDateFormats) EXPECT_FALSE(read_date(text, format)) << text;
  }
  EXPECT_TRUE(read_date("29.02.2024", DateFormat::dotted));
  EXPECT_FALSE(read_date("29.02.1900", DateFormat::dotted));
  EXPECT_TRUE(read_date("2024-03-17T10:11:12.123+02:00", DateFormat::iso)->has_time);
}

TEST(BuildDates, FormatsAreFoundOverAllValues) {
  // Only the third value tells that the day stands first.
  const Texts values{"03/04/2024", "05/04/2024", "17/04/2023"};
  EXPECT_EQ(nested(build("dates", {{"levels", "month,year"}}, values)),
            "*(2023(2023-04(17/04/2023)) 2024(2024-04(03/04/2024 05/04/2024)))");
  expect_accepted(build("dates", {}, values), values);
  const Texts german{"17.03.1964", "1.4.1964", "30.12.1959"};
  EXPECT_EQ(nested(build("dates", {{"levels", "quarter,year,decade"}}, german)),
            "*(1950s(1959(1959-Q4(30.12.1959))) 1960s(1964(1964-Q1(17.03.1964) 1964-Q2(1.4.1964))))");
}

TEST(BuildDates, TwoReadingsAreRefusedWithBoth) {
  const std::string error = error_of("dates", {}, {"01/01/2024", "03/04/2024"});
  EXPECT_TRUE(holds(error, "DD/MM/YYYY and as MM/DD/YYYY")) << error;
  EXPECT_TRUE(holds(error, "'03/04/2024' is 2024-04-03 or 2024-03-04")) << error;
  EXPECT_TRUE(holds(error, "format: DD/MM/YYYY")) << error;
  EXPECT_EQ(nested(build("dates", {{"format", "MM/DD/YYYY"}, {"levels", "month"}}, {"03/04/2024"})),
            "*(2024-03(03/04/2024))");
  EXPECT_EQ(nested(build("dates", {{"levels", "month"}}, {"01/01/2024"})), "*(2024-01(01/01/2024))");  // both the same
  EXPECT_TRUE(holds(error_of("dates", {}, {"17.03.1964", "31.02.1964"}), "'31.02.1964'"));
  EXPECT_TRUE(holds(error_of("dates", {{"format", "YY"}}, {"17.03.1964"}), "DD.MM.YYYY"));
}

TEST(BuildDates, TimesHaveDays) {
  const Texts values{"2024-03-17 10:00", "2024-03-17 11:30", "2024-04-01T09:00:00"};
  EXPECT_EQ(nested(build("dates", {{"levels", "day,month"}}, values)),
            "*(2024-03(2024-03-17(2024-03-17 10:00 2024-03-17 11:30)) 2024-04(2024-04-01(2024-04-01T09:00:00)))");
  expect_accepted(build("dates", {}, values), values);
  EXPECT_TRUE(holds(error_of("dates", {}, {"2024-03-17 10:00", "2024-03-17"}), "whole days"));
}

TEST(BuildCodes, LevelsAreFoundWhereTheyHalve) {
  const Texts icd{"E11.9", "E11.4", "E10.9", "E10.1", "I10.0", "I10.1", "I25.1", "I25.9"};
  EXPECT_EQ(code_levels(icd), (std::vector<size_t>{4, 1}));
  EXPECT_EQ(nested(build("codes", {}, icd)),
            "*(E*(E10*(E10.1 E10.9) E11*(E11.4 E11.9)) I*(I10*(I10.0 I10.1) I25*(I25.1 I25.9)))");
  expect_accepted(build("codes", {}, icd), icd);
  EXPECT_EQ(nested(build("codes", {{"levels", "2"}}, {"10115", "10117", "20095"})), "*(10*(10115 10117) 20*(20095))");
  // A code that ends early stands under what it begins.
  EXPECT_EQ(nested(build("codes", {{"levels", "3,1"}}, {"E11", "E11.9", "E"})), "*(E*(E E11*(E11 E11.9)))");
  EXPECT_TRUE(code_levels(Texts{"a", "b", "c"}).empty());
  EXPECT_TRUE(holds(error_of("codes", {{"levels", "1,3"}}, {"E11"}), "many characters to few"));
  EXPECT_TRUE(holds(error_of("codes", {{"levels", "x"}}, {"E11"}), "'x'"));
}

TEST(BuildOrdinal, OrdersThatValuesShow) {
  EXPECT_EQ(*found_order(Texts{"high", "Low", "medium"}), (Texts{"Low", "medium", "high"}));
  EXPECT_EQ(*found_order(Texts{"[20-30)", "[0-10)", "[10-20)", "[100-110)"}),
            (Texts{"[0-10)", "[10-20)", "[20-30)", "[100-110)"}));
  EXPECT_EQ(*found_order(Texts{">=65", "<18", "18-64"}), (Texts{"<18", "18-64", ">=65"}));
  EXPECT_EQ(*found_order(Texts{"Stufe 10", "Stufe 2"}), (Texts{"Stufe 2", "Stufe 10"}));
  EXPECT_EQ(*found_order(Texts{"stage IV", "stage I", "stage III"}), (Texts{"stage I", "stage III", "stage IV"}));
  EXPECT_EQ(*found_order(Texts{"10", "9"}), (Texts{"9", "10"}));
  EXPECT_FALSE(found_order(Texts{"red", "green"}));
  EXPECT_FALSE(found_order(Texts{"0-10", "5-15"}));  // they overlap
  EXPECT_FALSE(found_order(Texts{"A1", "B2"}));
}

TEST(BuildOrdinal, NeighboursJoin) {
  EXPECT_EQ(nested(build("ordinal", {}, {"[20-30)", "[0-10)", "[10-20)", "[30-40)", "[40-50)"})),
            "*([0-40)([0-20)([0-10) [10-20)) [20-40)([20-30) [30-40))) [40-50))");
  const Texts answers{"never", "often", "always", "rarely"};
  EXPECT_EQ(nested(build("ordinal", {}, answers)), "*(never..rarely(never rarely) often..always(often always))");
  expect_accepted(build("ordinal", {}, answers), answers);
  EXPECT_EQ(nested(build("ordinal", {{"order", "NO < >30 < <30"}, {"factor", "3"}}, {"<30", ">30", "NO"})),
            "*(NO >30 <30)");
  EXPECT_TRUE(holds(error_of("ordinal", {}, {"red", "green"}), "show no order"));
  EXPECT_TRUE(holds(error_of("ordinal", {{"order", "a < b"}}, {"a", "c"}), "'c'"));
  EXPECT_TRUE(holds(error_of("ordinal", {{"order", "a < b < a"}}, {"a"}), "twice"));
}

TEST(BuildFrequency, RareValuesJoin) {
  const Texts values{"red", "green", "mauve", "teal", "puce"};
  EXPECT_EQ(nested(build("frequency", {{"below", "0.02,0.1"}}, values, {600, 330, 5, 5, 60})),
            "*(green other (under 10 %)(other (under 2 %)(mauve teal) puce) red)");
  expect_accepted(build("frequency", {}, values, {600, 330, 5, 5, 60}), values);
  EXPECT_EQ(nested(build("frequency", {}, {"a", "b"}, {50, 50})), "*(a b)");
  EXPECT_TRUE(holds(error_of("frequency", {{"below", "2"}}, {"a"}), "between 0 and 1"));
}

TEST(BuildIntervals, TopAndBottomAreJoined) {
  const Texts values{"3", "21", "44", "90", "700"};
  const Tree tree = build("intervals", {{"width", "10"}, {"levels", "1"}, {"bottom", "20"}, {"top", "90"}}, values);
  EXPECT_EQ(nested(tree), "*(<20(3) [20,30)(21) [40,50)(44) >=90(90 700))");
  expect_accepted(tree, values);
  EXPECT_TRUE(holds(error_of("intervals", {{"width", "10"}, {"top", "95"}}, values), "border"));
  EXPECT_TRUE(holds(error_of("intervals", {{"width", "10"}, {"top", "20"}, {"bottom", "30"}}, values), "above bottom"));
}

std::string chosen(const Texts& values, const Counts& counts = {}, ValueKind kind = ValueKind::any) {
  const BuilderSpec spec = choose_builder(values, counts, kind).builder;
  std::string words = spec.kind;
  for (const auto& [name, value] : spec.settings) words += " " + name + "=" + value;
  return words;
}

TEST(BuildAuto, ChoosesByTheValues) {
  Texts ages, zips, incomes;
  for (int age = 17; age <= 90; ++age) ages.push_back(std::to_string(age));
  for (int i = 0; i < 40; ++i) zips.push_back(std::to_string(10115 + 997 * i));
  for (int i = 0; i < 200; ++i) incomes.push_back(std::to_string(i * 100));
  incomes.push_back("10000000");
  EXPECT_EQ(chosen(ages), "intervals levels=3 width=5");
  EXPECT_EQ(chosen(incomes), "intervals levels=4 top=20000 width=1000");
  EXPECT_TRUE(chosen(zips).starts_with("codes levels=")) << chosen(zips);
  EXPECT_EQ(chosen({"17.03.1964", "18.03.1964", "01.04.1970"}),
            "dates format=DD.MM.YYYY levels=month,quarter,year,decade");
  EXPECT_EQ(chosen({"1", "2", "3", "4"}), "ordinal");
  EXPECT_EQ(chosen({"low", "high", "medium"}), "ordinal");
  EXPECT_EQ(chosen({"a", "b", "c", "d"}, {1000, 900, 3, 4}), "frequency below=0.01,0.05");
  EXPECT_EQ(chosen({"a", "b", "c"}), "flat");
  EXPECT_EQ(chosen({"1", "2", "5"}, {}, ValueKind::names), "flat");
  Texts kinds;
  for (int i = 1; i <= 28; ++i) kinds.push_back(std::to_string(i));
  EXPECT_EQ(chosen(kinds, {}, ValueKind::names), "flat");
  // Two readings are the user's to decide: no dates then.
  EXPECT_EQ(chosen({"01/02/2024", "03/04/2024", "05/06/2024"}), "flat");
}

// Random columns of every kind: `auto` builds a tree that check accepts, whatever order the values come in.
TEST(BuildAuto, AlwaysBuildsWhatCheckAccepts) {
  std::mt19937_64 random(7);
  const auto below = [&](uint64_t bound) { return random() % bound; };
  const auto value_of = [&](int kind) -> std::string {
    switch (kind) {
      case 0:
        return std::to_string(below(1000));
      case 1:
        return std::to_string(static_cast<int64_t>(below(100000)) - 50000) + "." + std::to_string(below(100));
      case 2:
        return fmt::format("{:02}.{:02}.{}", 1 + below(28), 1 + below(12), 1920 + below(100));
      case 3:
        return fmt::format("{}{:02}.{}", static_cast<char>('A' + below(6)), below(40), below(10));
      case 4:
        return fmt::format("{:05}", below(100000));
      case 5:
        return fmt::format("[{0}-{1})", 10 * below(1), 10 * below(1) + 10 * (1 + below(9)));
      case 6:
        return std::string(1 + below(6), static_cast<char>('a' + below(26)));
      default:
        return fmt::format("2024-{:02}-{:02} {:02}:{:02}", 1 + below(12), 1 + below(28), below(24), below(60));
    }
  };
  for (int round = 0; round < 600; ++round) {
    const int kind = static_cast<int>(below(8));
    std::set<std::string> distinct;
    const size_t wanted = 1 + below(60);
    for (size_t i = 0; i < wanted; ++i) distinct.insert(value_of(kind));
    Texts values(distinct.begin(), distinct.end());
    Counts counts;
    for (size_t i = 0; i < values.size(); ++i) counts.push_back(1 + below(5) * below(400));
    const Tree tree = build("auto", {}, values, counts);
    expect_accepted(tree, values);
    const ChosenBuilder first = choose_builder(values, counts);
    std::reverse(values.begin(), values.end());
    std::reverse(counts.begin(), counts.end());
    const ChosenBuilder second = choose_builder(values, counts);
    ASSERT_EQ(first.builder.kind, second.builder.kind);
    ASSERT_EQ(first.builder.settings, second.builder.settings);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
