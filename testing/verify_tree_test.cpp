// `shoal verify` on a released decision tree, as a user meets it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::ProgramRun;
using testing::Workplace;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class VerifyTree : public ::testing::Test {
 protected:
  VerifyTree() {
    std::string people = "name,age,job,class\n";
    for (int i = 0; i < 120; ++i) {
      people += fmt::format("p{},{},{},{}\n", i, 20 + i % 40, i % 4 == 0 ? "judge" : "cook",
                            (i % 40 > 20) != (i % 4 == 0) ? "y" : "n");
    }
    place_.write("people.csv", people);
    for (const char* output : {"tree.json", "tree.txt"}) {
      const auto run =
          place_.shoal(fmt::format("anonymize people.csv -o {} {} --method kadet --quiet", output, kFlags));
      EXPECT_EQ(run.exit_code, 0) << run.err;
    }
  }
  ProgramRun verify(const std::string& file, const std::string& flags = kFlags) const {
    return place_.shoal(fmt::format("verify {} --original people.csv {}", file, flags));
  }
  // Exit code and words of a run that failed.
  static void expect_said(const ProgramRun& run, int exit_code, const std::string& words) {
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    EXPECT_TRUE(holds(run.err, words)) << run.err;
    EXPECT_FALSE(holds(run.err, "internal error")) << run.err;
  }

  static constexpr const char* kFlags = "--identifier name --quasi age,job --target class --k 5";
  Workplace place_;
};

TEST_F(VerifyTree, IsCountedAgain) {
  const auto run = verify("tree.json");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(holds(run.out, "120 rows in the leaves, all there are")) << run.out;
  EXPECT_TRUE(holds(run.out, "The release keeps its promise.")) << run.out;
  const auto json = nlohmann::json::parse(
      place_.shoal(fmt::format("verify tree.json --original people.csv {} --json -", kFlags)).out);
  EXPECT_EQ(json["ok"], true);
  EXPECT_GE(json["smallest_groups"][0].get<int>(), 5);
  // The name does not matter, the content does.
  place_.shell("cp tree.json released");
  EXPECT_EQ(verify("released").exit_code, 0);
}

TEST_F(VerifyTree, ThatWasAlteredFails) {
  auto model = nlohmann::ordered_json::parse(place_.read("tree.json"));
  model["tree"]["class_rows"][0] = model["tree"]["class_rows"][0].get<int>() + 1;
  place_.write("more.json", model.dump());
  expect_said(verify("more.json"), 5, "'more.json' does NOT keep its promise: 1 of 3 checks failed");
  EXPECT_TRUE(holds(verify("more.json").out, "the root: the tree shows")) << verify("more.json").out;
  expect_said(verify("tree.json", "--quasi age,job --target class --k 100"), 5, "does NOT keep its promise");
  expect_said(verify("tree.json", "--quasi age --target class --k 5"), 5, "does NOT keep its promise");
}

TEST_F(VerifyTree, MistakesAreNamed) {
  expect_said(place_.shoal(fmt::format("verify tree.json {}", kFlags)), 2,
              "'tree.json' is a decision tree: it can only be checked against the table that it was made from");
  expect_said(verify("tree.txt"), 3, "'tree.txt' is the text form of a decision tree, for people; give the JSON form");
  expect_said(verify("tree.json", "--quasi age,job --k 5"), 2, "no target column");
  expect_said(verify("tree.json", "--quasi age,jbo --target class --k 5"), 2, "did you mean 'job'?");
  expect_said(verify("nowhere.json"), 3, "no file 'nowhere.json'");

  place_.write("broken.json", place_.read("tree.json").substr(0, 400));
  expect_said(verify("broken.json"), 3, "'broken.json' is not a decision tree as shoal writes it: ");
  place_.write("neither.json", "{\"model\" = 3");
  expect_said(verify("neither.json"), 3, "'neither.json' is neither a table nor a decision tree: ");
}

// Empty cells of a text file are NULL to SQL, and a branch of the tree all the same.
TEST_F(VerifyTree, WithEmptyCellsIsCountedAgain) {
  std::string people = "age,job,class\n";
  for (int i = 0; i < 200; ++i) {
    const char* job = i % 4 == 0 ? "" : i % 4 == 1 ? "cook" : "judge";
    people += fmt::format("{},{},{}\n", 20 + i * 7 % 40, job, i % 4 == 0 || i * 7 % 40 > 25 ? "y" : "n");
  }
  place_.write("gaps.csv", people);
  const char* flags = "--quasi age,job --target class --k 5 --method kadet";
  const auto run = place_.shoal(fmt::format("anonymize gaps.csv -o gaps.json {} --quiet", flags));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place_.shoal(fmt::format("verify gaps.json --original gaps.csv {}", flags)).exit_code, 0);
}

// A job whose method releases a tree: the file must be one.
TEST_F(VerifyTree, IsWhatTheJobsMethodReleases) {
  place_.write(
      "job.yaml",
      "input: people.csv\noutput: tree.json\ncolumns: {name: identifier, age: quasi, job: quasi, class: target}\n"
      "k: 5\nmethod: kadet\n");
  const auto run = place_.shoal("verify --job job.yaml");  // the job knows release and original
  EXPECT_EQ(run.exit_code, 0) << run.err;
  expect_said(place_.shoal("verify people.csv --job job.yaml"), 3,
              "'people.csv' is not a decision tree, which the job's method kadet releases");
  place_.write("empty.json", "");
  expect_said(place_.shoal("verify empty.json --job job.yaml"), 3, "'empty.json' is not a decision tree");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
