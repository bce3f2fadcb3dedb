// --escape-formulas as a user meets it: written, verified, measured, read back by every command.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

constexpr const char* kRoles = "--quasi age,job --sensitive note --plain mark --numeric age --k 2 --method mondrian";

// Jobs, notes and marks that a spreadsheet would run, and some that only look so.
void write_people(const Workplace& place) {
  std::string text = "age,job,note,mark\n";
  const char* const jobs[] = {"-clerk", "smith", "'@home", "=boss"};
  const char* const notes[] = {"=1+1", "-5", "+cmd|' /C calc'!A0", "'=x", "plain", "\"@SUM(1,2)\""};
  for (int i = 0; i < 60; ++i) {
    text += std::to_string(20 + i % 3) + "," + jobs[i % 4] + "," + notes[i % 6] + "," + (i % 5 ? "x" : "-y") + "\n";
  }
  place.write("in.csv", text);
}

bool runs_in_a_spreadsheet(const std::string& text) {
  for (const char* cell : {"\n-", ",-c", ",=", "\n=", "\n@", ",@", ",\"@", ",\"=", ",+", ",-y"}) {
    if (text.find(cell) != std::string::npos) return true;
  }
  return false;
}

class EscapeFormulas : public ::testing::TestWithParam<const char*> {};

TEST_P(EscapeFormulas, WrittenVerifiedAndReadBack) {
  const Workplace place;
  write_people(place);
  const std::string out = GetParam();
  const std::string roles = std::string(kRoles) + " --escape-formulas ";
  auto run = place.shoal("anonymize in.csv -o " + out + " --write-job job.yaml --json r.json " + roles);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE((run.out + run.err).find("each has an apostrophe in front in the release"), std::string::npos) << run.out;
  const std::string text = place.shell(out.ends_with(".gz") ? "gzip -dc " + out : "cat " + out).out;
  EXPECT_FALSE(runs_in_a_spreadsheet(text)) << text;
  EXPECT_NE(text.find("'=1+1"), std::string::npos) << text;
  EXPECT_NE(text.find("''=x"), std::string::npos) << text;
  EXPECT_NE(text.find("-5"), std::string::npos);
  EXPECT_EQ(text.find("'-5"), std::string::npos);

  run = place.shoal("verify --job job.yaml");
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  run = place.shoal("verify " + out + " --original in.csv " + roles);
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  run = place.shoal("measure " + out + " --original in.csv --json m.json " + roles);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto report = nlohmann::json::parse(place.read("r.json")),
             measured = nlohmann::json::parse(place.read("m.json"));
  EXPECT_EQ(report.at("measures").at("gcp"), measured.at("measures").at("gcp"));
  run = place.shoal(
      "attack " + out +
      " --original in.csv --escape-formulas --k 2 --quasi age,job --sensitive note --plain mark --numeric age");
  EXPECT_EQ(run.exit_code, 0) << run.err;
}
INSTANTIATE_TEST_SUITE_P(Formats, EscapeFormulas, ::testing::Values("out.csv", "out.tsv", "out.csv.gz"),
                         [](const auto& tested) {
                           return tested.param[4] == 't' ? "tsv" : tested.param[7] ? "gz" : "csv";
                         });

TEST(EscapeFormulas, WhoDoesNotKnowIsToldThatCellsDiffer) {
  const Workplace place;
  write_people(place);
  ASSERT_EQ(place.shoal("anonymize in.csv -o out.csv --quiet --escape-formulas " + std::string(kRoles)).exit_code, 0);
  const auto run = place.shoal("verify out.csv --original in.csv " + std::string(kRoles));
  EXPECT_EQ(run.exit_code, 5) << run.out;
}

TEST(EscapeFormulas, OtherFormatsAreNotChangedAndNamesAreRefused) {
  const Workplace place;
  write_people(place);
  auto run = place.shoal("anonymize in.csv -o out.jsonl --escape-formulas " + std::string(kRoles));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(place.read("out.jsonl").find("\"=1+1\""), std::string::npos);
  EXPECT_EQ((run.out + run.err).find("has an apostrophe in front"), std::string::npos);
  place.write("names.csv", "age,=job\n1,a\n1,b\n");
  run = place.shoal("anonymize names.csv -o names.out.csv --quasi age --plain =job --k 2 --escape-formulas");
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_NE(run.err.find("a spreadsheet would run the name of the column '=job'"), std::string::npos) << run.err;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
