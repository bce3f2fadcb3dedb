// The query error as a user asks for it: numbers, and what is said about mistakes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal::testing {
namespace SHOAL_THIS_FILE {

constexpr const char* kPeople =
    "age,job,note\n20,clerk,a\n24,lawyer,b\n40,baker,c\n40,baker,d\n?,smith,e\n60,smith,f\n60,,g\n";
constexpr const char* kFlags = "--quasi age,job --numeric age --missing ? --k 1";

struct QueryCommand : ::testing::Test {
  void SetUp() override { place.write("people.csv", kPeople); }
  ProgramRun measure(const std::string& more, const std::string& release = "people.csv") {
    return place.shoal(fmt::format("measure {} --original people.csv {} {}", release, kFlags, more));
  }
  Workplace place;
};

TEST_F(QueryCommand, TheOriginalAnswersItsOwnQueriesExactly) {
  const ProgramRun run = measure("--queries 200 --query-sum age --json q.json");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("SUM of age"), std::string::npos);
  const auto json = nlohmann::json::parse(place.read("q.json"))["query_error"];
  EXPECT_EQ(json["columns"], (std::vector<std::string>{"age", "job"}));
  for (const char* kind : {"count", "sum"}) {
    EXPECT_EQ(json[kind]["queries"], 200) << kind;
    EXPECT_GE(json[kind]["drawn"], 200) << kind;
    for (const char* number : {"mean", "median", "p90"}) EXPECT_NEAR(json[kind][number], 0, 1e-12) << kind;
  }
}

// Both ages of each pair are released as a range of five, so that asking for one of them is answered with a fifth of 2.
TEST_F(QueryCommand, RangesAnswerByUniformSpread) {
  place.write("two.csv", "age\n20\n24\n");
  place.write("ranges.csv", "age\n\"[20,24]\"\n\"[20,24]\"\n");
  const ProgramRun run = place.shoal(
      "measure ranges.csv --original two.csv --quasi age --numeric age --k 2 --queries 400 --query-seed 3 --json "
      "q.json "
      "--quiet");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto json = nlohmann::json::parse(place.read("q.json"))["query_error"];
  // Half of the queries ask for one value (exact 1, estimate 0.4: error 0.6), half for both (error 0).
  EXPECT_EQ(json["seed"], 3);
  EXPECT_NEAR(json["count"]["mean"].get<double>(), 0.3, 0.05);
  EXPECT_DOUBLE_EQ(json["count"]["p90"].get<double>(), 0.6);
  EXPECT_TRUE(json["sum"].is_null());
}

TEST_F(QueryCommand, TheSameSeedTheSameNumbers) {
  place.write("release.csv",
              "age,job,note\n\"[20,24]\",*,a\n\"[20,24]\",*,b\n40,baker,c\n40,baker,d\n*,smith,e\n60,*,f\n60,*,g\n");
  const std::string flags = "--queries 50 --query-sum age --query-columns job --quiet --json -";
  const ProgramRun one = measure(flags + " --threads 1", "release.csv");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, measure(flags + " --threads 2", "release.csv").out);
  EXPECT_NE(one.out, measure(flags + " --query-seed 2", "release.csv").out);
}

TEST_F(QueryCommand, MistakesAreNamed) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"--queries 0", "0 queries tell nothing"},
      {"--queries many", "--queries: 'many' is not a whole number"},
      {"--queries 10 --query-columns agee", "'agee' is no quasi column; did you mean 'age'?"},
      {"--queries 10 --query-columns note", "'note' is no quasi column; the quasi columns are age, job"},
      {"--queries 10 --query-columns age,age", "'age' is named twice"},
      {"--queries 10 --query-sum job", "'job', is not numeric"},
      {"--queries 10 --query-sum height", "'height' is no quasi column"},
      {"--queries 10 --query-columns age --query-sum age", "no column is left for the conditions"},
      {"--query-sum age", "--query-sum says nothing without --queries"},
      {"--query-columns age", "--query-columns says nothing without --queries"},
      {"--query-seed 4", "--query-seed says nothing without --queries"},
  };
  for (const auto& [flags, words] : mistakes) {
    const ProgramRun run = measure(flags);
    EXPECT_EQ(run.exit_code, 2) << flags;
    EXPECT_NE(run.err.find(words), std::string::npos) << flags << "\n" << run.err;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal::testing
