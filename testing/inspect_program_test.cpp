// The steward's path: a messy table, inspected, and released by the job that inspect wrote.
#include <gtest/gtest.h>

#include <sstream>

#include "testing/data_folder.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

namespace fs = std::filesystem;
using testing::Workplace;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void make_visits(const Workplace& place, size_t rows) {
  const auto run = place.shell(fmt::format(
      "LC_ALL=C awk -v rows={} -f '{}/examples/hospital/make_visits.awk' > visits.csv", rows, testing::kSourceFolder));
  ASSERT_EQ(run.exit_code, 0) << run.err;
}

TEST(InspectProgram, FromAMessyFileToARelease) {
  const Workplace place;
  make_visits(place, 1500);
  const auto inspected = place.shoal("inspect visits.csv --write-job job.yaml --json found.json");
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  EXPECT_TRUE(holds(inspected.out, "Note: 'visits.csv' is not UTF-8; it was read as windows-1252")) << inspected.out;
  for (const char* part : {"1,500 distinct of 1,500: identifier", ": person", "free text", "date DD.MM.YYYY",
                           "codes of diagnoses", "decimal comma"}) {
    EXPECT_TRUE(holds(inspected.out, part)) << part << " in\n" << inspected.out;
  }
  // Names and free text are not shown.
  for (const char* cell : {"Fuchs", "Kontrolle", "4000007"}) {
    EXPECT_FALSE(holds(inspected.out, cell)) << cell;
    EXPECT_FALSE(holds(place.read("found.json"), cell)) << cell;
    EXPECT_FALSE(holds(place.read("job.yaml"), cell)) << cell;
  }
  const std::string job = place.read("job.yaml");
  EXPECT_TRUE(holds(job, "decimal: \",\"")) << job;
  const auto released = place.shoal("anonymize visits.csv -o release.csv --job job.yaml --json report.json");
  ASSERT_EQ(released.exit_code, 0) << released.err << job;
  const auto verified = place.shoal("verify release.csv --job job.yaml --original visits.csv");
  // Who a row is about is gone from a release: that part of the promise was checked by the run that made it.
  EXPECT_TRUE(holds(verified.out, "1500 released rows cover their originals")) << verified.out << verified.err;
  EXPECT_FALSE(holds(verified.out, "FAILED")) << verified.out;
  EXPECT_EQ(place.shoal("measure release.csv --job job.yaml --original visits.csv").exit_code, 0);
  EXPECT_EQ(place.shoal("risk visits.csv --job job.yaml").exit_code, 0);
  const std::string release = place.read("release.csv");
  EXPECT_FALSE(holds(release, "Fuchs"));
  EXPECT_TRUE(holds(release, "K\xc3\xb6ln") || holds(release, "Berlin")) << release.substr(0, 500);
}

TEST(InspectProgram, NeverOverAnExistingFile) {
  const Workplace place;
  make_visits(place, 500);
  place.write("job.yaml", "mine");
  const auto job = place.shoal("inspect visits.csv --write-job job.yaml");
  EXPECT_EQ(job.exit_code, 2);
  EXPECT_TRUE(holds(job.err, "'job.yaml' exists")) << job.err;
  ASSERT_EQ(place.shoal("inspect visits.csv --write-job other.yaml").exit_code, 0);
  const auto files = place.files();
  const auto hierarchy = std::find_if(files.begin(), files.end(), [](const std::string& name) {
    return name.starts_with("other_") && name.ends_with(".csv");
  });
  ASSERT_NE(hierarchy, files.end());
  EXPECT_EQ(place.shoal(fmt::format("hierarchy check {}", *hierarchy)).exit_code, 0);
  fs::remove(place.folder() / "other.yaml");
  place.write(*hierarchy, "edited");
  const auto again = place.shoal("inspect visits.csv --write-job other.yaml");
  EXPECT_EQ(again.exit_code, 2) << again.err;
  EXPECT_FALSE(place.exists("other.yaml"));
  EXPECT_EQ(place.read(*hierarchy), "edited");
  EXPECT_EQ(place.read("job.yaml"), "mine");
}

TEST(InspectProgram, ExamplesOnlyWhenAsked) {
  const Workplace place;
  make_visits(place, 500);
  EXPECT_FALSE(holds(place.shoal("inspect visits.csv").out, "4000007"));
  EXPECT_TRUE(holds(place.shoal("inspect visits.csv --show-examples").out, "4000007"));
  const auto printed = place.shoal("inspect visits.csv --write-job - --quiet");
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_TRUE(printed.out.starts_with("# Suggested")) << printed.out;
}

// Every command of the tutorial, one after the other, in a folder that has the program and the examples.
TEST(InspectProgram, TheTutorialRuns) {
  const Workplace place;
  std::ifstream page(fs::path(testing::kSourceFolder) / "docs" / "tutorial.md");
  ASSERT_TRUE(page);
  fs::create_directory_symlink(fs::path(testing::kSourceFolder) / "examples", place.folder() / "examples");
  fs::create_directory(place.folder() / "build");
  fs::create_symlink(testing::kProgram, place.folder() / "build" / "shoal");
  size_t commands = 0;
  for (std::string line, command; std::getline(page, line);) {
    if (!line.starts_with("    $ ") && command.empty()) continue;
    command += command.empty() ? line.substr(6) : line.substr(line.find_first_not_of(' '));
    if (command.ends_with("\\")) {
      command.pop_back();
      continue;
    }
    // Fewer rows tell as much, and tests should be quick.
    if (const size_t at = command.find("rows=100000"); at != std::string::npos) command.replace(at, 11, "rows=1500");
    const auto run = place.shell(command);
    EXPECT_EQ(run.exit_code, 0) << command << "\n" << run.out << run.err;
    ++commands;
    command.clear();
  }
  EXPECT_GE(commands, 5U);
}

TEST(ReadingProgram, RiskAndAnonymizeAgree) {
  const Workplace place;
  std::string table = "sep=;\r\nname;town;weight\r\n";
  for (int i = 0; i < 40; ++i) table += fmt::format("J\xfcrgen {};K\xf6ln;{},5\r\n", i, 60 + i % 7);
  place.write("in.csv", table);
  const std::string flags = "--quasi town,weight --identifier name --k 5 --decimal comma --numeric weight";
  EXPECT_EQ(place.shoal("risk in.csv " + flags).exit_code, 0);
  const auto run = place.shoal("anonymize in.csv -o out.csv " + flags);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(holds(run.out + run.err, "is not UTF-8; it was read as windows-1252")) << run.out << run.err;
  const std::string release = place.read("out.csv");
  EXPECT_TRUE(release.starts_with("town;weight\n")) << release;
  EXPECT_TRUE(holds(release, "K\xc3\xb6ln;60.5")) << release;
  const auto verified = place.shoal("verify out.csv --original in.csv " + flags);
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_EQ(place.shoal("measure out.csv --original in.csv " + flags).exit_code, 0);
  // Said wrongly, the numbers are none, and the message has the line of the file as it is.
  const auto wrong = place.shoal("anonymize in.csv -o other.csv --quasi weight --numeric weight --decimal point --k 2");
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_TRUE(holds(wrong.err, "line 3")) << wrong.err;
}

TEST(ReadingProgram, OrdinalAndDateFlags) {
  const Workplace place;
  std::string table = "age,seen,answer\n";
  for (int i = 0; i < 60; ++i) {
    table += fmt::format("[{}-{}),{:02}/{:02}/2024,{}\n", 10 * (i % 6), 10 * (i % 6) + 10, 1 + i % 28, 1 + i % 12,
                         i % 3 == 0   ? "maybe"
                         : i % 3 == 1 ? "no"
                                      : "yes");
  }
  place.write("in.csv", table);
  const std::string flags =
      "--quasi age,seen,answer --ordinal age,answer --value-order answer=no,maybe,yes --date seen --k 5";
  const auto run = place.shoal("anonymize in.csv -o out.csv --method mondrian " + flags);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place.shoal("verify out.csv --original in.csv " + flags).exit_code, 0);
  const auto both = place.shoal("anonymize in.csv -o x.csv --numeric age " + flags);
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_TRUE(holds(both.err, "two types")) << both.err;
  place.write("unclear.csv", "seen\n01/02/2024\n03/04/2024\n");
  const auto unclear = place.shoal("anonymize unclear.csv -o x.csv --quasi seen --date seen --k 1");
  EXPECT_EQ(unclear.exit_code, 3);
  EXPECT_TRUE(holds(unclear.err, "DD/MM/YYYY and as MM/DD/YYYY")) << unclear.err;
}

// 11001 is a code as 01001 is, however few there are: inspect says so, and a release that nobody told warns.
TEST(InspectProgram, CodesOfAreasAreNoNumbers) {
  const Workplace place;
  std::string table = "id,zip\n";
  for (int i = 0; i < 80; ++i) table += fmt::format("{},{}\n", i, 11001 + i % 4 * 1000);
  place.write("zip.csv", table);
  const auto inspected = place.shoal("inspect zip.csv --write-job zip.yaml");
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  EXPECT_TRUE(holds(inspected.out, "code (by its name)")) << inspected.out;
  EXPECT_TRUE(holds(place.read("zip.yaml"), "type: categorical")) << place.read("zip.yaml");
  const auto released = place.shoal("anonymize zip.csv -o out.csv --quasi zip --k 2 --json report.json");
  EXPECT_TRUE(holds(released.out, "Finding types (zip)")) << released.out;
}

// A release stands in an order of its own: looked at once more, nothing is wrong with that.
TEST(InspectProgram, ARisksLookAtAReleaseDoesNotDoubtItsOrder) {
  const Workplace place;
  std::string table = "id,age,sex\n";
  for (int i = 0; i < 80; ++i) table += fmt::format("{},{},{}\n", i, 20 + i * 7 % 11, i % 3 ? "F" : "M");
  place.write("people.csv", table);
  ASSERT_EQ(place.shoal("anonymize people.csv -o out.csv --quasi age,sex --k 5").exit_code, 0);
  const auto risk = place.shoal("risk out.csv --quasi age,sex --k 5");
  EXPECT_EQ(risk.exit_code, 0) << risk.err;
  EXPECT_FALSE(holds(risk.out, "Finding order")) << risk.out;
}

TEST(InspectProgram, CompletionIsForBash) {
  const Workplace place;
  EXPECT_EQ(place.shoal("completion bash").out, place.shoal("completion").out);
  const auto other = place.shoal("completion fish");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(holds(other.err, "completion is for bash")) << other.err;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
