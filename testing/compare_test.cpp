// `shoal compare` as a user meets it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using nlohmann::json;

const std::string kCensus = testing::kSourceFolder + std::string("/examples/census");

std::string census(const std::string& flags) {
  return fmt::format(
      "compare {0}/people.csv --identifier name --quasi age,sex,zip,education --numeric age "
      "--hierarchy education={0}/hierarchies/education.csv {1}",
      kCensus, flags);
}

TEST(Compare, ShowsRecommendsAndWritesTheJob) {
  const testing::Workplace place;
  const auto run =
      place.shoal(census("--k 2,5 --methods shoal,mondrian,tdr --param shoal.effort=fast --json all.json "
                         "--report page.html --write-job jobs/best.yaml"));
  EXPECT_NE(run.exit_code, 0);  // no such folder: told before the work
  place.write("jobs/x", "");
  const auto again =
      place.shoal(census("--k 2,5 --methods shoal,mondrian,tdr --param shoal.effort=fast --json all.json "
                         "--report page.html --write-job jobs/best.yaml"));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out.find("Recommended: shoal with k=5."), 0u) << again.out;
  EXPECT_NE(again.out.find("needs a target column"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("Nothing was released or verified."), std::string::npos);

  const json told = json::parse(place.read("all.json"));
  ASSERT_EQ(told["runs"].size(), 6u);
  EXPECT_EQ(told["recommendation"]["method"], "shoal");
  EXPECT_EQ(told["recommendation"]["k"], 5);
  EXPECT_TRUE(told["runs"][2]["gcp"].is_null());
  EXPECT_TRUE(told["runs"][2]["refused"].is_string());
  EXPECT_EQ(told["runs"][3]["column_gcp"].size(), 4u);
  EXPECT_EQ(told["runs"][4]["bound"], told["runs"][3]["bound"]);
  const std::string page = place.read("page.html");
  for (const char* part : {"Risk against loss", "What each column loses, k=5", "How the recommendation is made"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }

  // The job is the one that was compared: its release loses what was told.
  const auto release = place.shoal("anonymize --job jobs/best.yaml -o release.csv --json release.json");
  ASSERT_EQ(release.exit_code, 0) << release.err;
  const json report = json::parse(place.read("release.json"));
  EXPECT_EQ(report["method"], "shoal");
  EXPECT_EQ(report["params"]["effort"], "fast");
  EXPECT_EQ(report["measures"]["gcp"], told["runs"][3]["gcp"]);
}

TEST(Compare, MeasuresLearnersWhereThereIsATarget) {
  const testing::Workplace place;
  const auto run =
      place.shoal(census("--target income --k 5 --methods mondrian,tdr --learners c45,nb --json all.json"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json told = json::parse(place.read("all.json"));
  ASSERT_EQ(told["learners"]["results"].size(), 4u);
  const auto& results = told["learners"]["results"];
  const double mean = (results[0]["error"].get<double>() + results[2]["error"].get<double>()) / 2;
  EXPECT_EQ(results[0]["method"], "mondrian");
  EXPECT_EQ(results[2]["method"], "mondrian");
  EXPECT_NEAR(told["runs"][0]["error"].get<double>(), mean, 1e-12);
  EXPECT_NE(run.out.find("learners' error"), std::string::npos) << run.out;
  EXPECT_EQ(place.shoal(census("--target income --k 5 --learners c46")).exit_code, 2);
  const auto without = place.shoal(census("--target income --k 5 --methods mondrian --learners none --json none.json"));
  ASSERT_EQ(without.exit_code, 0) << without.err;
  EXPECT_FALSE(json::parse(place.read("none.json")).contains("learners"));
}

TEST(Compare, RunsOnASample) {
  const testing::Workplace place;
  const auto run = place.shoal(census("--k 3 --methods mondrian --sample 300 --json all.json"));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json told = json::parse(place.read("all.json"));
  EXPECT_EQ(told["compared_rows"], 300);
  EXPECT_GT(told["rows"], 300);
  EXPECT_TRUE(told["runs"][0]["whole"]["margin"].is_number());
  EXPECT_NE(run.out.find("a sample of 300 of"), std::string::npos) << run.out;
}

TEST(Compare, TheSameForAnyNumberOfThreads) {
  const testing::Workplace place;
  std::string first;
  for (const int threads : {1, 2, 8}) {
    const auto run = place.shoal(
        census(fmt::format("--k 4 --methods shoal,kaca --param shoal.effort=fast --threads {} --json -", threads)));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    json told = json::parse(run.out);
    for (auto& entry : told["runs"]) entry.erase("seconds");
    if (first.empty()) first = told.dump();
    EXPECT_EQ(told.dump(), first) << threads;
  }
}

TEST(Compare, NoReleaseAtAllIsToldAsSuch) {
  const testing::Workplace place;
  const auto run = place.shoal(census("--k 100000 --methods mondrian --write-job job.yaml"));
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("no method gave a release"), std::string::npos) << run.err;
  EXPECT_FALSE(place.exists("job.yaml"));
  const auto shown = place.shoal(census("--k 100000 --methods mondrian"));
  EXPECT_EQ(shown.exit_code, 4);
  EXPECT_NE(shown.out.find("cannot be met"), std::string::npos) << shown.out;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
