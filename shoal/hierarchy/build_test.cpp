#include "shoal/hierarchy/build.h"
#include "shoal/read/read_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>

#include "shoal/error.h"
#include "shoal/hierarchy/interval_label.h"
#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/tree_draft.h"
#include "testing/random_tree.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::nested;
using Settings = std::map<std::string, std::string>;
using Texts = std::vector<std::string>;

Tree build(const std::string& kind, const Settings& settings, const Texts& values,
           const std::vector<uint64_t>& counts = {}) {
  return build_tree({kind, settings}, values, counts);
}

void expect_error(ErrorKind kind, const std::vector<std::string>& words, const std::string& builder,
                  const Settings& settings, const Texts& values) {
  try {
    build(builder, settings, values);
    FAIL() << builder << " built without an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    for (const std::string& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in " << error.what();
    }
  }
}

// What every built tree promises: parents first, labels that name one node each, exactly the values as leaves, and a
// level table that reads back without faults as the same tree.
void expect_sound(const Tree& tree, const Texts& values) {
  std::vector<std::string> labels;
  Texts leaves;
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    ASSERT_TRUE(node == 0 || tree.nodes[node].parent < node);
    ASSERT_FALSE(tree.nodes[tree.nodes[node].parent].leaf);
    labels.push_back(tree.nodes[node].label);
    if (tree.nodes[node].leaf) leaves.push_back(tree.nodes[node].label);
  }
  std::sort(labels.begin(), labels.end());
  ASSERT_EQ(std::adjacent_find(labels.begin(), labels.end()), labels.end());
  ASSERT_TRUE(std::is_permutation(leaves.begin(), leaves.end(), values.begin(), values.end()));
  if (values.empty()) return;
  const auto [again, faults] = parse_tree_text(level_table(tree), "built.csv");
  ASSERT_TRUE(faults.empty()) << faults.front().message;
  ASSERT_EQ(nested(again), nested(tree));
}

TEST(BuildTree, KindsAndSettingsAreChecked) {
  EXPECT_EQ(builder_kinds(),
            (Texts{"intervals", "quantiles", "mask", "dates", "codes", "ordinal", "frequency", "flat", "auto"}));
  expect_error(ErrorKind::job, {"'interval'", "did you mean 'intervals'", "quantiles, mask, dates, codes"}, "interval",
               {}, {"1"});
  expect_error(ErrorKind::job, {"'intervals'", "no setting 'widht'", "did you mean 'width'", "factor"}, "intervals",
               {{"widht", "5"}}, {"1"});
  expect_error(ErrorKind::job, {"'flat'", "no setting 'x'", "takes none"}, "flat", {{"x", "5"}}, {"1"});
  expect_error(ErrorKind::input, {"1 of 2 values", "'*'", "missing"}, "flat", {}, {"a", "*"});
}

TEST(BuildTree, Flat) {
  const Tree tree = build("flat", {}, {"b", "a"});
  EXPECT_EQ(nested(tree), "*(a b)");
  EXPECT_EQ(nested(build_tree({"flat", {}}, Texts{"a", "b", "c"}, std::vector<uint64_t>{1, 2, 5})), "*(c b a)");
  EXPECT_EQ(tree.source, "flat");
  expect_sound(tree, {"b", "a"});
  EXPECT_EQ(build("flat", {}, {}).nodes.size(), 1U);
}

TEST(BuildIntervals, NestedWidths) {
  const Texts values{"12", "3", "7", "19", "25", "38"};
  const Tree tree = build("intervals", {{"width", "5"}}, values);
  // 40 wide would be one interval over everything: that is the root.
  EXPECT_EQ(nested(tree),
            "*([0,20)([0,10)([0,5)(3) [5,10)(7)) [10,20)([10,15)(12) [15,20)(19))) "
            "[20,40)([20,30)([25,30)(25)) [30,40)([35,40)(38))))");
  EXPECT_EQ(tree.source, "intervals width=5");
  expect_sound(tree, values);
}

TEST(BuildIntervals, StartFactorAndLevels) {
  EXPECT_EQ(nested(build("intervals", {{"width", "10"}, {"start", "18"}, {"factor", "3"}, {"levels", "2"}},
                         {"17", "18", "30"})),
            "*([-12,18)([8,18)(17)) [18,48)([18,28)(18) [28,38)(30)))");
  EXPECT_EQ(nested(build("intervals", {{"width", "100"}, {"levels", "1"}}, {"-1", "0"})), "*([-100,0)(-1) [0,100)(0))");
  // Asked for, a level is made even where it divides nothing.
  EXPECT_EQ(nested(build("intervals", {{"width", "5"}, {"levels", "2"}}, {"1"})), "*([0,10)([0,5)(1)))");
  EXPECT_EQ(nested(build("intervals", {{"width", "5"}}, {"1"})), "*([0,5)(1))");
}

TEST(BuildIntervals, DecimalsAreExact) {
  // Texts that are the same number to the engine stay together.
  EXPECT_EQ(nested(build("intervals", {{"width", "0.1"}, {"levels", "1"}},
                         {"0.3", "0.30", "0.7", "1e-1", "0.299999999999999999999"})),
            "*([0.1,0.2)(1e-1) [0.2,0.3)(0.299999999999999999999) [0.3,0.4)(0.3 0.30) [0.7,0.8)(0.7))");
  EXPECT_EQ(nested(build("intervals", {{"width", "2.50"}, {"levels", "1"}}, {"-0.01", "2.5", "5"})),
            "*([-2.5,0)(-0.01) [2.5,5)(2.5) [5,7.5)(5))");
  EXPECT_EQ(nested(build("intervals", {{"width", "1e3"}, {"levels", "1"}}, {"-1", "12345"})),
            "*([-1000,0)(-1) [12000,13000)(12345))");
}

TEST(BuildIntervals, Edges) {
  const Texts values{"5", "18", "64", "65", "100", "-3"};
  const Tree tree = build("intervals", {{"edges", "0, 18,65,100"}}, values);
  EXPECT_EQ(nested(tree), "*(<0(-3) [0,18)(5) [18,65)(18 64) [65,100)(65) >=100(100))");
  expect_sound(tree, values);
  EXPECT_EQ(nested(build("intervals", {{"edges", "18"}}, {"17.5", "18"})), "*(<18(17.5) >=18(18))");
  EXPECT_EQ(nested(build("intervals", {{"edges", "0,18.0"}}, {"3"})), "*([0,18)(3))");
}

TEST(BuildIntervals, Errors) {
  const auto wrong = [](const Settings& settings, const std::vector<std::string>& words) {
    expect_error(ErrorKind::job, words, "intervals", settings, {"1"});
  };
  wrong({}, {"width", "needed", "edges"});
  wrong({{"width", "0"}}, {"width=0", "above 0"});
  wrong({{"width", "-1"}}, {"width=-1", "above 0"});
  wrong({{"width", "five"}}, {"width=five", "number"});
  wrong({{"width", "1e-30"}}, {"width=1e-30", "digits"});
  wrong({{"width", "5"}, {"factor", "1"}}, {"factor=1", "whole number from 2"});
  wrong({{"width", "5"}, {"factor", "2.5"}}, {"factor=2.5", "whole number"});
  wrong({{"width", "5"}, {"levels", "0"}}, {"levels=0", "from 1 to 30"});
  wrong({{"width", "5"}, {"factor", "1000000"}, {"levels", "9"}}, {"levels=9", "too many"});
  wrong({{"width", "5"}, {"edges", "1,2"}}, {"width=5", "edges"});
  wrong({{"edges", "0,18,18"}}, {"edges=0,18,18", "ascend", "18 comes before 18"});
  wrong({{"edges", "0,x"}}, {"'x'", "not a number"});
  wrong({{"edges", ""}}, {"''", "not a number"});
  expect_error(ErrorKind::input, {"2 of 3 values", "not numbers", "'x', 'y'", "missing"}, "intervals", {{"width", "5"}},
               {"1", "x", "y"});
  expect_error(ErrorKind::input, {"1 of 2 values", "too far", "'1e300'"}, "intervals", {{"width", "5"}},
               {"1", "1e300"});
}

// Every value lies in all intervals above it, by the labels as people read them.
TEST(BuildIntervals, ValuesLieInTheirIntervals) {
  testing::RandomTrees random(21);
  for (int round = 0; round < 300; ++round) {
    Texts values;
    for (size_t i = random.draw(1, 20); i > 0; --i) {
      values.push_back(number_label((static_cast<double>(random.draw(0, 4000)) - 2000) / (round % 2 ? 100 : 1)));
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const Settings settings{{"width", number_label(static_cast<double>(random.draw(1, 50)) / 20)},
                            {"start", number_label(static_cast<double>(random.draw(0, 40)) / 8 - 2)},
                            {"factor", std::to_string(random.draw(2, 5))}};
    const Tree tree = build("intervals", settings, values);
    expect_sound(tree, values);  // reading finds no value outside its interval
    for (uint32_t leaf : testing::leaves_of(tree)) {
      const auto path = testing::chain(tree, leaf);
      for (size_t i = 1; i + 1 < path.size(); ++i) {
        const auto interval = label_interval(path[i]);
        ASSERT_TRUE(interval.has_value()) << path[i];
        ASSERT_TRUE(interval->contains(*label_decimal(path[0]))) << path[0] << " " << path[i];
      }
    }
  }
}

TEST(BuildQuantiles, ABinaryTreeOfEqualParts) {
  const Texts values{"8", "1", "2", "3", "4", "5", "6", "7"};
  const Tree tree = build("quantiles", {{"parts", "4"}}, values);
  EXPECT_EQ(nested(tree), "*([1,4]([1,2](1 2) [3,4](3 4)) [5,8]([5,6](5 6) [7,8](7 8)))");
  expect_sound(tree, values);
  // A part of one value is that value.
  EXPECT_EQ(nested(build("quantiles", {{"parts", "8"}}, {"1", "2", "3"})), "*(1 [2,3](2 3))");
}

TEST(BuildQuantiles, CountsDecideAndSpellingsStayTogether) {
  EXPECT_EQ(nested(build("quantiles", {{"parts", "2"}}, {"1", "2", "3", "4"}, {10, 1, 1, 8})), "*(1 [2,4](2 3 4))");
  EXPECT_EQ(nested(build("quantiles", {{"parts", "2"}}, {"1", "2", "3", "4"}, {1, 1, 1, 100})), "*([1,3](1 2 3) 4)");
  EXPECT_EQ(nested(build("quantiles", {{"parts", "2"}}, {"2", "1", "1.0"})), "*([1,1](1 1.0) 2)");
  EXPECT_EQ(nested(build("quantiles", {{"parts", "3"}}, {"1", "2", "3", "4", "5", "6"})),
            "*([1,4]([1,2](1 2) [3,4](3 4)) [5,6](5 6))");
  EXPECT_EQ(nested(build("quantiles", {{"parts", "4"}}, {"5"})), "*(5)");
}

TEST(BuildQuantiles, Errors) {
  expect_error(ErrorKind::job, {"parts", "needed"}, "quantiles", {}, {"1"});
  expect_error(ErrorKind::job, {"parts=1", "from 2"}, "quantiles", {{"parts", "1"}}, {"1"});
  expect_error(ErrorKind::input, {"'x'", "not numbers"}, "quantiles", {{"parts", "2"}}, {"x"});
}

// The split is the best one there is, found by trying all.
TEST(BuildQuantiles, SplitsNearestToTheMiddle) {
  testing::RandomTrees random(22);
  for (int round = 0; round < 500; ++round) {
    const size_t size = random.draw(2, 12);
    Texts values;
    std::vector<uint64_t> counts;
    uint64_t rows = 0;
    for (size_t i = 0; i < size; ++i) {
      values.push_back(std::to_string(i));
      rows += counts.emplace_back(random.draw(1, 9));
    }
    const Tree tree = build("quantiles", {{"parts", "2"}}, values, counts);
    expect_sound(tree, values);
    size_t best = 0;
    double least = 1e9;
    uint64_t left = 0;
    for (size_t at = 1; at < size; ++at) {
      left += counts[at - 1];
      const double distance = std::abs(static_cast<double>(left) - static_cast<double>(rows) / 2);
      if (distance < least) std::tie(best, least) = std::pair(at, distance);
    }
    uint32_t first_child = 1;
    while (tree.nodes[first_child].parent != 0) ++first_child;
    const std::string expected = best == 1 ? "0" : "[0," + std::to_string(best - 1) + "]";
    ASSERT_EQ(tree.nodes[first_child].label, expected) << nested(tree);
  }
}

TEST(BuildMask, FromTheRight) {
  const Texts values{"53712", "53711", "53801"};
  const Tree tree = build("mask", {}, values);
  EXPECT_EQ(nested(tree), "*(5****(53***(537**(5371*(53711 53712)) 538**(5380*(53801)))))");
  expect_sound(tree, values);
}

TEST(BuildMask, FromTheLeftWithAnotherCharacter) {
  EXPECT_EQ(nested(build("mask", {{"from", "left"}, {"character", "#"}}, {"a7", "b7", "b*"})), "*(#7(a7 b7) #*(b*))");
}

TEST(BuildMask, ShorterValuesHangWhereAllOfThemIsKept) {
  const Texts values{"5371", "53711", "53", "9"};
  const Tree tree = build("mask", {}, values);
  EXPECT_EQ(nested(tree), "*(5****(53***(53 537**(5371*(5371 53711)))) 9****(9))");
  expect_sound(tree, values);
  EXPECT_EQ(nested(build("mask", {}, {"a", "b"})), "*(a b)");
}

TEST(BuildMask, CharactersNotBytes) {
  EXPECT_EQ(nested(build("mask", {{"character", "\xE2\x80\xA2"}},
                         {"\xC3\xBC\xC3\xA4",
                          "\xC3\xBC"
                          "b"})),
            "*(\xC3\xBC\xE2\x80\xA2(\xC3\xBC"
            "b \xC3\xBC\xC3\xA4))");
}

TEST(BuildMask, Errors) {
  expect_error(ErrorKind::input, {"1 of 2 values", "mask character '*'", "'537*'", "character="}, "mask", {},
               {"537*", "5"});
  expect_error(ErrorKind::input, {"longer than 255", "shorten"}, "mask", {}, {std::string(256, 'x')});
  expect_error(ErrorKind::job, {"character=ab", "one character"}, "mask", {{"character", "ab"}}, {"5"});
  expect_error(ErrorKind::job, {"character=", "one character"}, "mask", {{"character", ""}}, {"5"});
  expect_error(ErrorKind::job, {"from=top", "right or left"}, "mask", {{"from", "top"}}, {"5"});
}

TEST(BuildMask, RandomCodes) {
  testing::RandomTrees random(23);
  for (int round = 0; round < 300; ++round) {
    Texts values;
    for (size_t i = random.draw(1, 15); i > 0; --i) {
      std::string value;
      for (size_t length = random.draw(1, 4); length > 0; --length) value += static_cast<char>('1' + random.draw(0, 2));
      values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    size_t longest = 0;
    for (const auto& value : values) longest = std::max(longest, value.size());
    const Tree tree = build("mask", {{"from", round % 2 ? "left" : "right"}}, values);
    expect_sound(tree, values);
    for (uint32_t leaf : testing::leaves_of(tree)) {
      const auto path = testing::chain(tree, leaf);
      ASSERT_EQ(path.size() - 1, std::min(path[0].size(), longest - 1) + 1);
      for (size_t i = 1; i + 1 < path.size(); ++i) ASSERT_EQ(path[i].size(), longest);
    }
  }
}

TEST(BuildDates, Levels) {
  const Texts values{"2024-03-17", "2024-03-01", "2024-02-29", "2019-12-31"};
  const Tree tree = build("dates", {}, values);
  EXPECT_EQ(nested(tree),
            "*(2010s(2019(2019-12(2019-12-31))) 2020s(2024(2024-02(2024-02-29) 2024-03(2024-03-01 2024-03-17))))");
  expect_sound(tree, values);
  const Tree all = build("dates", {{"levels", "month,quarter,year,decade"}}, values);
  EXPECT_EQ(testing::chain(all, testing::leaves_of(all).back()),
            (Texts{"2024-03-17", "2024-03", "2024-Q1", "2024", "2020s", "*"}));
  EXPECT_EQ(nested(build("dates", {{"levels", "quarter"}}, {"2024-10-01", "2024-12-31", "2024-09-30"})),
            "*(2024-Q3(2024-09-30) 2024-Q4(2024-10-01 2024-12-31))");
}

TEST(BuildDates, CoarserValues) {
  EXPECT_EQ(nested(build("dates", {}, {"2024-03", "2024-01", "1999"})), "*(1990s(1999) 2020s(2024(2024-01 2024-03)))");
  const Texts mixed{"2024-03", "2024-01-05", "1999", "0099-01"};
  const Tree tree = build("dates", {}, mixed);
  EXPECT_EQ(nested(tree), "*(0090s(0099(0099-01)) 1990s(1999) 2020s(2024(2024-01(2024-01-05) 2024-03)))");
  expect_sound(tree, mixed);
}

TEST(BuildDates, Errors) {
  for (const char* value : {"2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "1900-02-29", "2024-1-1",
                            "24-01-01", "2024/01/01", "2024-04-31", "x", "20240101", "+024"}) {
    expect_error(ErrorKind::input, {"1 of 2 values", "no dates", std::string("'") + value + "'"}, "dates", {},
                 {"2024-01-01", value});
  }
  EXPECT_NO_THROW(build("dates", {}, {"2000-02-29"}));
  // A month as a value, and as what other values are released as, would be ambiguous.
  expect_error(ErrorKind::input, {"'2024-03'", "months or years", "levels="}, "dates", {}, {"2024-03", "2024-03-05"});
  EXPECT_NO_THROW(build("dates", {{"levels", "year"}}, {"2024-03", "2024-03-05"}));
  expect_error(ErrorKind::job, {"'yaer'", "did you mean 'year'"}, "dates", {{"levels", "yaer"}}, {"2024"});
  expect_error(ErrorKind::job, {"fine to coarse"}, "dates", {{"levels", "year,month"}}, {"2024"});
  expect_error(ErrorKind::job, {"fine to coarse"}, "dates", {{"levels", "year,year"}}, {"2024"});
  expect_error(ErrorKind::job, {"''", "There are day"}, "dates", {{"levels", ""}}, {"2024"});
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
