// tdr and tds on the worked examples of tdr.txt and heuristicmin.txt, and on tables small enough to do by hand.
#include <gtest/gtest.h>

#include "shoal/method/refine/class_counts.h"
#include "shoal/method/refine/top_down_refinement.h"
#include "shoal/recode/apply.h"
#include "testing/counted_table.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::counted_table;
using testing::CountedTable;

const char* const kEducation =
    "Any\n  Secondary\n    Junior\n      9th\n      10th\n    Senior\n      11th\n      12th\n"
    "  University\n    Bachelors\n    Grad\n      Masters\n      Doctorate\n";
const char* const kHours =
    "[1,99)\n  [1,37)\n    [1,35)\n      30\n      32\n    [35,37)\n      35\n  [37,99)\n    37\n    42\n    44\n";

CountedTable running_example(bool hours_tree) {
  std::map<std::string, std::string> trees{{"edu", kEducation}, {"sex", "Any\n  M\n  F\n"}};
  if (hours_tree) trees["hrs"] = kHours;
  return counted_table(
      "edu sex hrs class\n"
      "9th M 30 N 3\n10th M 32 N 4\n11th M 35 Y 2\n11th M 35 N 3\n12th F 37 Y 3\n12th F 37 N 1\n"
      "Bachelors F 42 Y 4\nBachelors F 42 N 2\nBachelors F 44 Y 4\nMasters M 44 Y 4\nMasters F 44 Y 3\n"
      "Doctorate F 44 Y 1\n",
      trees);
}

SearchResult run(const std::string& method, const CountedTable& example, std::vector<Requirement> requirements,
                 Params params = {{"check", "yes"}}) {
  Problem problem = example.problem(std::move(requirements));
  problem.params = std::move(params);
  return testing::run_method(method, std::move(problem));
}

std::vector<std::string> what(const SearchResult& result) {
  std::vector<std::string> words;
  for (const SearchStep& step : result.stats.steps) words.push_back(step.what);
  return words;
}

double number(const SearchStep& step, const std::string& name) {
  for (const auto& [own, value] : step.numbers) {
    if (own == name) return value;
  }
  return -1;
}

// The live candidate whose description starts like this, in the most masked table.
TopDownRefinement::Scored first_scored(const TopDownRefinement& refinement, const std::string& start) {
  for (uint32_t id = 0; id < refinement.cut().candidates().size(); ++id) {
    if (refinement.cut().live(id) && refinement.cut().describe(id).rfind(start, 0) == 0) return refinement.scored(id);
  }
  ADD_FAILURE() << "no candidate " << start;
  return {};
}

double tdr_score(double gain, double loss) { return gain / (loss + 1); }

TEST(RefinementExamples, EntropiesOfTheRunningExample) {
  EXPECT_NEAR(entropy(std::vector<uint64_t>{21, 13}), 0.9597, 5e-5);
  EXPECT_NEAR(entropy(std::vector<uint64_t>{5, 11}), 0.8960, 5e-5);
  EXPECT_NEAR(entropy(std::vector<uint64_t>{16, 2}), 0.5033, 5e-5);
  EXPECT_EQ(entropy(std::vector<uint64_t>{7, 0}), 0);
  EXPECT_EQ(entropy(std::vector<uint64_t>{0, 0}), 0);
  EXPECT_NEAR(information_gain(std::vector<uint64_t>{5, 11, 16, 2}, 2), 0.2716, 5e-5);
  EXPECT_EQ(information_gain(std::vector<uint64_t>{1, 2, 2, 4, 3, 6}, 2), 0);
}

// tdr.txt example 4.
TEST(RefinementExamples, ScoreOfEducation) {
  const CountedTable example = running_example(true);
  const Problem problem = example.problem({{{0, 1}, 4}, {{1, 2}, 11}});
  const Progress progress;
  const TopDownRefinement refinement(problem, {FlatColumns::refine_all, tdr_score}, progress);
  const auto edu = first_scored(refinement, "edu: * ->");
  EXPECT_NEAR(edu.info_gain, 0.2716, 5e-5);
  EXPECT_EQ(edu.anonymity_loss, 18);
  EXPECT_NEAR(edu.score, 0.0143, 5e-5);
}

// spec TDR-1. Sex would leave groups of 17 in both requirements, but is never the best until it is invalid.
TEST(RefinementExamples, RunningExample) {
  for (const std::string method : {"tdr", "tds"}) {
    const SearchResult result = run(method, running_example(true), {{{0, 1}, 4}, {{1, 2}, 11}});
    EXPECT_EQ(what(result),
              (std::vector<std::string>{"hrs: * -> [1,37), [37,99)", "edu: * -> Secondary, University",
                                        "edu: Secondary -> Junior, Senior", "edu: University -> Bachelors, Grad",
                                        "edu: Senior -> 11th, 12th"}))
        << method;
  }
  const SearchResult result = run("tdr", running_example(true), {{{0, 1}, 4}, {{1, 2}, 11}});
  const SearchStep& university = result.stats.steps.at(3);
  EXPECT_EQ(number(university, "anony_loss"), 0);
  EXPECT_NEAR(number(university, "score"), 0.1022, 5e-5);
  EXPECT_TRUE(result.grown_trees.empty());
}

// tdr.txt example 7: without the tree the hours are first split at 37, which the paper's tree has.
TEST(RefinementExamples, GrowsTheHoursTree) {
  const SearchResult result = run("tdr", running_example(false), {{{0, 1}, 4}, {{1, 2}, 11}});
  EXPECT_EQ(what(result).at(0), "hrs: * -> [30,35], [37,44]");
  ASSERT_EQ(result.grown_trees.size(), 1u);
  EXPECT_EQ(result.grown_trees[0].first, 2u);
  std::vector<std::string> labels;
  for (const auto& node : result.grown_trees[0].second.nodes) labels.push_back(node.label + (node.leaf ? "." : ""));
  EXPECT_EQ(labels, (std::vector<std::string>{"*", "[30,35].", "[37,44]."}));
}

// tdr.txt example 5, spec TDR-2.
TEST(RefinementExamples, ScoreAgainstInformationGain) {
  const CountedTable example = counted_table(
      "edu sex hrs class\n10th M [40,99) Y 20\n10th M [1,40) N 4\n9th M [1,40) N 2\n9th F [1,40) N 4\n"
      "9th F [40,99) N 6\n8th F [1,40) N 2\n8th F [40,99) N 2\n");
  const Problem problem = example.problem({{{0, 1, 2}, 4}});
  const Progress progress;
  const TopDownRefinement refinement(problem, {FlatColumns::refine_all, tdr_score}, progress);
  EXPECT_NEAR(first_scored(refinement, "edu").score, 0.0165, 5e-5);
  EXPECT_NEAR(first_scored(refinement, "sex").score, 0.0183, 5e-5);
  EXPECT_NEAR(first_scored(refinement, "hrs").score, 0.0136, 5e-5);

  const SearchResult by_score = run("tdr", example, {{{0, 1, 2}, 4}}, {{"flat", "refine"}, {"check", "yes"}});
  EXPECT_EQ(what(by_score), (std::vector<std::string>{"sex: * -> M, F", "hrs: * -> [40,99), [1,40)"}));
  EXPECT_EQ(number(by_score.stats.steps[0], "anony_loss"), 40 - 14);
  EXPECT_EQ(number(by_score.stats.steps[1], "anony_loss"), 14 - 6);

  TopDownRefinement by_gain(problem, {FlatColumns::refine_all, [](double gain, double) { return gain; }}, progress);
  TopDownRefinement::Scored best;
  ASSERT_TRUE(by_gain.best(best));
  EXPECT_EQ(by_gain.cut().describe(best.candidate), "edu: * -> 10th, 9th, 8th");
  ASSERT_TRUE(by_gain.refine(best));
  EXPECT_EQ(by_gain.indexes()[0].anonymity(), 4u);
  EXPECT_FALSE(by_gain.best(best));
}

// spec HM-3 for tds.
TEST(RefinementExamples, CashierApplications) {
  const CountedTable example = counted_table(
      "application sex age class\nAcc F [0,40) A 21\nAcc F [40,99) A 3\nAcc M [0,40) B 9\nRej M [0,40) B 10\n"
      "Rej F [0,40) A 20\nRej F [40,99) A 5\nRej M [40,99) B 15\n");
  const SearchResult result = run("tds", example, {{{0, 1}, 25}, {{2}, 1}});
  EXPECT_EQ(what(result), (std::vector<std::string>{"sex: * -> F, M", "age: * -> [0,40), [40,99)"}));
  EXPECT_NEAR(number(result.stats.steps[0], "score"), 0.0199, 5e-5);
  EXPECT_EQ(result.stats.pruned, 1u);
}

// One value at a time, by gain: a, then c, then b; d is last and free. With k=4 neither b nor d can be told from the
// other, since d has 3 rows.
TEST(RefinementExamples, DisclosesOneValueAtATime) {
  const CountedTable example = counted_table("x class\na Y 9\na N 1\nb Y 4\nb N 6\nc Y 5\nc N 6\nd Y 1\nd N 2\n");
  const SearchResult result = run("tdr", example, {{{0}, 3}});
  EXPECT_EQ(what(result), (std::vector<std::string>{"x: * -> a, *", "x: * -> c, *", "x: * -> b, *", "x: * -> d"}));
  const SearchResult rare = run("tdr", example, {{{0}, 4}});
  EXPECT_EQ(what(rare), (std::vector<std::string>{"x: * -> a, *", "x: * -> c, *"}));
  const Column& column = example.table.quasi[0];
  std::vector<std::string> released;
  for (const Released& value : rare.recoding()->by_value().value_map[0]) {
    released.push_back(released_text(value, column, example.hierarchies[0]));
  }
  EXPECT_EQ(released, (std::vector<std::string>{"a", "*", "c", "*"}));
}

// Missing has no place among the numbers: it is a part of its own when the root is split.
TEST(RefinementExamples, MissingIsItsOwnPartOfTheFirstSplit) {
  const CountedTable example = counted_table("x class\n1 Y 4\n2 Y 4\n5 N 4\n9 N 3\n9 Y 1\n? Y 2\n? N 2\n");
  const SearchResult result = run("tdr", example, {{{0}, 4}});
  EXPECT_EQ(what(result).at(0), "x: * -> [1,2], [5,9], ?");
  EXPECT_EQ(what(result).at(1), "x: [5,9] -> 5, 9");
  EXPECT_EQ(result.stats.steps.size(), 2u);  // [1,2] is all Y
  const SearchResult too_few = run("tdr", example, {{{0}, 5}});
  EXPECT_TRUE(too_few.stats.steps.empty());  // 4 missing rows
}

TEST(RefinementExamples, ColumnsOutsideEveryRequirementStay) {
  const CountedTable example = running_example(true);
  const SearchResult result = run("tdr", example, {{{0, 1}, 4}});
  for (uint32_t leaf = 0; leaf < example.hierarchies[2].leaves(); ++leaf) {
    EXPECT_EQ(result.recoding()->by_value().value_map[2][leaf], released_leaf(example.hierarchies[2], leaf));
  }
}

TEST(RefinementExamples, OutOfTimeIsTheMostMaskedTableAndSaysSo) {
  const CountedTable example = running_example(true);
  const Problem problem = example.problem({{{0, 1}, 4}});
  Progress progress;
  progress.set_deadline(Clock::now());
  const SearchResult result = testing::run_method("tdr", problem, progress);
  EXPECT_TRUE(result.stats.steps.empty());
  ASSERT_EQ(result.notices.size(), 1u);
  EXPECT_NE(result.notices[0].find("time budget"), std::string::npos);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
