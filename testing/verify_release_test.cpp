// `shoal verify` as somebody meets it who was handed a release: what it finds, what it says about what it cannot know.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "testing/run_program.h"

namespace shoal::testing {
namespace SHOAL_THIS_FILE {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct VerifyCommand : ::testing::Test {
  Workplace place;
  static constexpr const char* kFlags = "--identifier name --quasi age,sex --sensitive sick --k 5";

  VerifyCommand() {
    std::string people = "name,age,sex,sick\n";
    for (int i = 0; i < 200; ++i) {
      people += fmt::format("n{},{},{},d{}\n", i, 20 + i * 7 % 50, i % 3 ? "f" : "m", i * 11 % 17);
    }
    place.write("people.csv", people);
    const auto run = place.shoal(fmt::format("anonymize people.csv -o release.csv {} --method mondrian", kFlags));
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
  ProgramRun verify(const std::string& release, const std::string& more = "") const {
    return place.shoal(fmt::format("verify {} --original people.csv {} {}", release, kFlags, more));
  }
  std::vector<std::string> lines(const std::string& file) const {
    std::vector<std::string> found;
    std::istringstream text(place.read(file));
    for (std::string line; std::getline(text, line);) found.push_back(line);
    return found;
  }
  void write_lines(const std::string& file, const std::vector<std::string>& text) const {
    std::string all;
    for (const std::string& line : text) all += line + "\n";
    place.write(file, all);
  }
};

TEST_F(VerifyCommand, OrderDoesNotMatter) {
  EXPECT_EQ(verify("release.csv").exit_code, 0);
  auto rows = lines("release.csv");
  std::reverse(rows.begin() + 1, rows.end());
  write_lines("turned.csv", rows);
  const auto run = verify("turned.csv");
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_TRUE(holds(run.out, "200 released rows cover their originals")) << run.out;
  // One sensitive cell changed for another that occurs: no longer the same people.
  rows[1].back() = rows[1].back() == '1' ? '2' : '1';
  write_lines("changed.csv", rows);
  EXPECT_EQ(verify("changed.csv").exit_code, 5);
}

TEST_F(VerifyCommand, InventedRowsAreFound) {
  std::string invented = "age,sex,sick\n";
  for (int i = 0; i < 500; ++i) invented += "33,f,d1\n";
  place.write("invented.csv", invented);
  EXPECT_EQ(verify("invented.csv", "--method shoal").exit_code, 5);
  EXPECT_EQ(verify("invented.csv").exit_code, 5);
  std::string fewer = "age,sex,sick\n";
  for (int i = 0; i < 100; ++i) fewer += "33,f,d1\n";
  place.write("invented.csv", fewer);
  EXPECT_EQ(verify("invented.csv", "--suppress-rows 1").exit_code, 5);
}

TEST_F(VerifyCommand, MissingRowsAreNoSmallThing) {
  place.write("empty.csv", "age,sex,sick\n");
  const auto empty = verify("empty.csv", "--suppress-rows 1");
  EXPECT_NE(empty.exit_code, 0) << empty.out;
  auto rows = lines("release.csv");
  rows.resize(101);  // groups below k fail, too; here only rows matter
  write_lines("half.csv", rows);
  const auto half =
      place.shoal("verify half.csv --original people.csv --identifier name --quasi age,sex --sensitive sick --k 1");
  EXPECT_EQ(half.exit_code, 5);
  EXPECT_TRUE(holds(half.out, "FAILED  rows")) << half.out;
  const auto allowed = place.shoal(
      "verify half.csv --original people.csv --identifier name --quasi age,sex --sensitive sick --k 1 --suppress-rows "
      "0.5");
  EXPECT_EQ(allowed.exit_code, 0) << allowed.out;
}

TEST_F(VerifyCommand, AHeaderIsNoRelease) {
  place.write("header.csv", lines("release.csv")[0] + "\n");
  EXPECT_EQ(verify("header.csv").exit_code, 5);
  EXPECT_EQ(verify("header.csv", "--suppress-rows 1").exit_code, 5);
  const auto alone = place.shoal(fmt::format("verify header.csv {}", kFlags));
  EXPECT_EQ(alone.exit_code, 5) << alone.out;
  EXPECT_TRUE(holds(alone.out, "there are no rows")) << alone.out;
}

TEST_F(VerifyCommand, CellsOfAFailureStandApart) {
  auto rows = lines("release.csv");
  rows[5] = "\"[7777,7778]\",f,d1";
  write_lines("wrong.csv", rows);
  const auto run = verify("wrong.csv", "--json wrong.json");
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_TRUE(holds(run.out, "[7777,7778]")) << run.out;
  const std::string report = place.read("wrong.json");
  bool failed = false;
  const auto json = nlohmann::json::parse(report);
  for (const auto& check : json["checks"]) {
    failed = failed || check["result"] == "failed";
    EXPECT_FALSE(holds(check["detail"].dump(), "7777")) << report;
  }
  EXPECT_TRUE(failed) << report;
}

TEST_F(VerifyCommand, OtherFormats) {
  for (const char* file : {"release.jsonl", "release.parquet", "release.csv.gz"}) {
    const auto run = place.shoal(fmt::format("anonymize people.csv -o {} {} --method mondrian", file, kFlags));
    ASSERT_EQ(run.exit_code, 0) << file << run.err;
    EXPECT_EQ(verify(file).exit_code, 0) << file << verify(file).out;
  }
}

TEST_F(VerifyCommand, ReleasesAreReadByTheOtherCommands) {
  place.write(
      "job.yaml",
      "input: people.csv\noutput: release.csv\ncolumns: {name: identifier, age: quasi, sex: quasi, sick: sensitive}\n"
      "k: 5\n");
  const auto risk = place.shoal("risk release.csv --job job.yaml");
  EXPECT_EQ(risk.exit_code, 0) << risk.err;
  std::string hats = place.read("people.csv");
  for (char& c : hats) c = c == ',' ? '^' : c;
  place.write("hats.csv", hats);
  ASSERT_EQ(place.shoal(fmt::format("anonymize hats.csv -o out.csv --delimiter '^' {}", kFlags)).exit_code, 0);
  const auto measure = place.shoal(fmt::format("measure out.csv --original hats.csv --delimiter '^' {}", kFlags));
  EXPECT_EQ(measure.exit_code, 0) << measure.err;
}

// The printed SQL, run by an engine of somebody else's.
TEST_F(VerifyCommand, PrintedSqlTellsGoodReleasesFromBadOnes) {
  const std::string flags = "--quasi age,sex --k 5 --require sex:20";
  const auto printed = place.shoal(fmt::format("verify {} --print-sql", flags));
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_TRUE(holds(printed.out, "HAVING count(*) < 5")) << printed.out;
  place.write("promise.sql", printed.out);
  place.write("run.py", R"py(
import csv, sqlite3, sys
rows = list(csv.reader(open(sys.argv[1])))
base = sqlite3.connect(":memory:")
base.execute("CREATE TABLE release (%s)" % ", ".join('"%s" TEXT' % name for name in rows[0]))
base.executemany("INSERT INTO release VALUES (%s)" % ", ".join("?" * len(rows[0])), rows[1:])
kept, statements = True, 0
for statement in open("promise.sql").read().split(";"):
    lines = [line for line in statement.splitlines() if line and not line.startswith("--")]
    if not lines: continue
    statements += 1
    answer = base.execute("\n".join(lines)).fetchall()
    kept = kept and (answer == [] if "HAVING" in statement else len(answer) == 1 and answer[0][2] == 0)
print("kept" if kept else "broken", statements)
)py");
  if (place.shell("python3 -c 'import sqlite3'").exit_code != 0) GTEST_SKIP() << "no python3 with sqlite3";
  EXPECT_EQ(place.shell("python3 run.py release.csv").out, "kept 4\n") << place.shell("python3 run.py release.csv").err;
  auto rows = lines("release.csv");
  rows[1] = "99,f,d1";
  write_lines("bad.csv", rows);
  EXPECT_EQ(place.shell("python3 run.py bad.csv").out, "broken 4\n");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal::testing
