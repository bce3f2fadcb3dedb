// mu-argus promises less than a requirement on many columns says: only to those who ask for that, and never called
// more.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "shoal/job/requirements.h"
#include "shoal/job/strength.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

// Every three columns of four are shared by two rows, all four by none.
std::string all_sixteen() {
  std::string text = "a,b,c,d\n";
  for (int i = 0; i < 16; ++i) text += fmt::format("{},{},{},{}\n", i >> 3 & 1, i >> 2 & 1, i >> 1 & 1, i & 1);
  return text;
}

TEST(Combinations, AreRefusedUnlessAskedFor) {
  const Workplace place;
  place.write("table.csv", all_sixteen());
  const auto run = place.shoal("anonymize table.csv -o release.csv --quasi a,b,c,d --k 2 --method mu-argus");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("checks at most 3 columns together, and a requirement is about 4"), std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("--param combinations="), std::string::npos) << run.err;
  EXPECT_FALSE(place.exists("release.csv"));
  // Three columns are checked together: nothing weaker is promised.
  EXPECT_EQ(place.shoal("anonymize table.csv -o release.csv --quasi a,b,c --k 2 --method mu-argus").exit_code, 0);
}

TEST(Combinations, AreNamedInTheVerdictAndCheckedAsSuch) {
  const Workplace place;
  place.write("table.csv", all_sixteen());
  const auto run = place.shoal(
      "anonymize table.csv -o release.csv --quasi a,b,c,d --k 2 --method mu-argus --param combinations=3 --json r.json "
      "--write-job job.yaml");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(
      run.out.find("each on combinations of at most 3 columns: nothing was asked of all 4 quasi columns together"),
      std::string::npos)
      << run.out;
  EXPECT_NE((run.out + run.err).find("16 of 16 rows stand among fewer than 2, 16 of them alone"), std::string::npos)
      << run.out << run.err;
  const auto report = nlohmann::json::parse(place.read("r.json"));
  ASSERT_EQ(report["requirements"].size(), 4u);
  for (const auto& requirement : report["requirements"]) EXPECT_EQ(requirement["columns"].size(), 3u);
  // The job that was run says what was promised; k on all columns is another promise, and is not kept.
  EXPECT_EQ(place.shoal("verify release.csv --original table.csv --job job.yaml").exit_code, 0);
  EXPECT_EQ(place.shoal("verify release.csv --original table.csv --quasi a,b,c,d --k 2").exit_code, 5);
}

TEST(Combinations, AreSaidToBeWeakerThanTheJob) {
  Job asked, run;
  asked.k = run.k = 5;
  run.method = "mu-argus";
  run.params["combinations"] = "2";
  ASSERT_EQ(weakenings(asked, run).size(), 1u);
  EXPECT_EQ(
      weakenings(asked, run)[0],
      "weaker than the job: requirements are kept for combinations of 2 columns at a time, and it asks for all their "
      "columns together");
  EXPECT_TRUE(weakenings(run, asked).empty());
  EXPECT_TRUE(weakenings(run, run).empty());
  asked = run;
  asked.params["combinations"] = "3";
  // Pairs promise less than triples.
  EXPECT_EQ(weakenings(asked, run).size(), 1u);
  EXPECT_TRUE(weakenings(run, asked).empty());
}

TEST(Combinations, ReplaceWiderRequirementsOnly) {
  Job job;
  const std::vector<std::string> quasi{"a", "b", "c", "d", "e"};
  for (const std::string& name : quasi) {
    job.columns.emplace_back();
    job.columns.back().name = name;
    job.columns.back().role = Role::quasi;
  }
  job.k = 7;
  job.requirements.push_back({{"b", "d"}, 9});
  job.method = "mu-argus";
  EXPECT_EQ(requirements_of(job, quasi).size(), 2u);  // not stated: nothing is replaced
  job.params["combinations"] = "3";
  const auto combinations = requirements_of(job, quasi);
  ASSERT_EQ(combinations.size(), 11u);  // ten triples and the pair
  std::set<std::vector<size_t>> triples;
  for (const Requirement& requirement : combinations) {
    if (requirement.columns.size() != 3) continue;
    EXPECT_EQ(requirement.k, 7u);
    triples.insert(requirement.columns);
  }
  EXPECT_EQ(triples.size(), 10u);
  EXPECT_EQ(combinations.back().columns, (std::vector<size_t>{1, 3}));
  EXPECT_EQ(combinations.back().k, 9u);
  job.method = "datafly";
  EXPECT_EQ(requirements_of(job, quasi).size(), 2u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
