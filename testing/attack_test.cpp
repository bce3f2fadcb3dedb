// shoal attack and --ranges as a user meets them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

std::string people(size_t rows) {
  std::string text = "name,age,sex,zip,ill\n";
  for (size_t i = 0; i < rows; ++i) {
    text += fmt::format("p{},{},{},{},{}\n", i, 18 + i * 37 % 61, i * i % 3 == 0 ? "m" : "f", 1000 + i * 13 % 40,
                        i * 7 % 5 == 0 ? "flu"
                        : i % 2 == 0   ? "cold"
                                       : "none");
  }
  return text;
}
const char* const kRoles =
    "--identifier name --quasi age,sex,zip --sensitive ill --numeric age --hierarchy zip=build:mask";

nlohmann::json attack(const Workplace& place, const std::string& more) {
  const auto run =
      place.shoal(fmt::format("attack out.csv --original people.csv {} --k 4 --json - --quiet {}", kRoles, more));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out);
}

TEST(Ranges, ThreeSettingsAreVerifiedAndTold) {
  Workplace place;
  place.write("people.csv", people(300));
  const auto anonymize = [&](const std::string& more) {
    return place.shoal(fmt::format("anonymize people.csv -o out.csv {} --k 4 --json report.json {}", kRoles, more));
  };
  const std::string tree = "--hierarchy age=build:intervals,width=10,levels=3";
  for (const char* method : {"shoal", "mondrian", "bottom-up", "top-down"}) {
    auto run = anonymize(fmt::format("--method {}", method));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto column = [&] { return nlohmann::json::parse(place.read("report.json"))["columns"][0]; };
    EXPECT_EQ(column()["ranges"], "tight");
    const double tight = column()["gcp"];
    run = anonymize(fmt::format("--method {} --ranges snapped", method));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(column()["ranges"], "snapped");
    EXPECT_GE(column()["gcp"], tight);
    // A hierarchy that is not used is told about; with nodes it is.
    run = anonymize(fmt::format("--method {} {}", method, tree));
    EXPECT_NE(place.read("report.json").find("the hierarchy of age is not used"), std::string::npos) << method;
    run = anonymize(fmt::format("--method {} --ranges nodes {}", method, tree));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(column()["ranges"], "nodes");
    EXPECT_EQ(place.read("report.json").find("is not used"), std::string::npos);
    const auto verified = place.shoal(fmt::format("verify out.csv --original people.csv {} {} --k 4", kRoles, tree));
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    run = anonymize(fmt::format("--method {} --ranges nodes", method));
    EXPECT_NE(place.read("report.json").find("have no nodes: age is released as ranges with round ends"),
              std::string::npos);
  }
  const auto wrong = anonymize("--ranges snaped");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("'snaped' is none of tight, snapped, nodes; did you mean 'snapped'?"), std::string::npos)
      << wrong.err;
}

TEST(Ranges, SnappedReleasesAreMeasuredAndVerifiedLikeOthers) {
  Workplace place;
  place.write("people.csv", people(300));
  const auto run = place.shoal(
      fmt::format("anonymize people.csv -o out.csv {} --k 4 --ranges snapped --write-job job.yaml --quiet", kRoles));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(place.read("job.yaml").find("ranges: snapped"), std::string::npos);
  const auto verified = place.shoal("verify out.csv --original people.csv --job job.yaml");
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  const auto measured = place.shoal("measure out.csv --original people.csv --job job.yaml");
  EXPECT_EQ(measured.exit_code, 0) << measured.err;
  // A flag that asks less than the job says so.
  const auto weaker = place.shoal("anonymize people.csv -o again.csv --job job.yaml --ranges tight --quiet");
  EXPECT_NE(weaker.err.find("ranges are tight, and it asks for snapped"), std::string::npos) << weaker.err;
}

TEST(Attack, PrintsNumbersForEveryAttack) {
  Workplace place;
  place.write("people.csv", people(300));
  const auto anonymize = [&](const std::string& out, const std::string& more) {
    const auto run = place.shoal(fmt::format("anonymize people.csv -o {} {} --k 4 --quiet {}", out, kRoles, more));
    ASSERT_EQ(run.exit_code, 0) << run.err;
  };
  anonymize("out.csv", "");
  anonymize("other.csv", "--seed 2");
  const nlohmann::json tight = attack(place, "--earlier other.csv");
  EXPECT_EQ(tight["rows_out"], 300);
  EXPECT_GT(tight["linkage"]["prosecutor"], 0);
  EXPECT_LE(tight["linkage"]["prosecutor"], 0.25);
  EXPECT_EQ(tight["homogeneity"][0]["column"], "ill");
  EXPECT_GT(tight["membership"]["advantage"], 0);
  EXPECT_GT(tight["downcoding"]["told"], 0);
  EXPECT_EQ(tight["downcoding"]["right_share"], 1);
  EXPECT_GT(tight["singling_out"]["isolating_share"], tight["singling_out"]["by_chance"]);
  EXPECT_EQ(tight["intersection"][0]["sensitive"][0]["column"], "ill");
  EXPECT_GE(tight["intersection"][0]["sensitive"][0]["certain"],
            tight["intersection"][0]["sensitive"][0]["certain_alone"]);
  EXPECT_TRUE(tight["minimality"].empty());
  EXPECT_GE(tight["reconstruction"]["right_share"], tight["reconstruction"]["right_by_chance"]);
  EXPECT_EQ(tight, attack(place, "--earlier other.csv --threads 1"));

  anonymize("out.csv", "--ranges snapped");
  const nlohmann::json snapped = attack(place, "");
  EXPECT_LT(snapped["downcoding"]["told"], tight["downcoding"]["told"]);
  EXPECT_LT(snapped["downcoding"]["right_share"], 1);
  anonymize("out.csv", "--method datafly --hierarchy age=build:intervals,width=10,levels=3 --suppress-rows 0.3");
  EXPECT_EQ(attack(place, "--hierarchy age=build:intervals,width=10,levels=3")["membership"]["advantage"], 0);

  const auto words =
      place.shoal(fmt::format("attack out.csv --original people.csv {} --report page.html "
                              "--hierarchy age=build:intervals,width=10,levels=3 --outsiders people.csv",
                              kRoles));
  EXPECT_EQ(words.exit_code, 0) << words.err;
  EXPECT_NE(words.out.find("Membership: is that person in the table?"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("persons known to be outside"), std::string::npos) << words.out;
  EXPECT_NE(place.read("page.html").find("Singling out"), std::string::npos);
}

TEST(Attack, SaysWhatIsWrong) {
  Workplace place;
  place.write("people.csv", people(20));
  const auto told = [&](const std::string& release, const std::string& more) {
    place.write("out.csv", release);
    const auto run = place.shoal(fmt::format("attack out.csv --original people.csv {} {}", kRoles, more));
    EXPECT_NE(run.exit_code, 0);
    return run.err;
  };
  EXPECT_NE(told("age,sex,ill\n20,m,flu\n", "").find("has no column 'zip'"), std::string::npos);
  EXPECT_NE(told("age,sex,zip,ill\n20,m,nowhere,flu\n", "").find("'nowhere' in the column 'zip' is no value"),
            std::string::npos);
  EXPECT_NE(told("age,sex,zip,ill\n\"[1,2]\",m,*,flu\n", "").find("is it a release of this table?"), std::string::npos);
  std::string long_release = "age,sex,zip,ill\n";
  for (int row = 0; row < 40; ++row) long_release += "*,*,*,flu\n";
  EXPECT_NE(told(long_release, "").find("has more rows (40) than the original (20)"), std::string::npos);
  EXPECT_NE(told("age,sex,zip,ill\n20,m,*,flu\n", "--sample 0").find("--sample"), std::string::npos);
  const auto none = place.shoal("attack --quasi age");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no release"), std::string::npos);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
