// A table with decimal commas and points between thousands, and nobody says so: every command reads the same numbers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The same table as a German and as an English program would write it.
struct Tables {
  std::string german = "id;age;weight;pay\n", english = "id;age;weight;pay\n";
  Tables() {
    for (int i = 0; i < 120; ++i) {
      const int age = 20 + i * 7 % 40, tenths = 500 + i * 37 % 400, cents = 100000 + i * 7919 % 300000;
      german += fmt::format("{};{};{},{};{}.{:03},{:02}\n", i, age, tenths / 10, tenths % 10, cents / 100000,
                            cents / 100 % 1000, cents % 100);
      english += fmt::format("{};{};{}.{};{}.{:02}\n", i, age, tenths / 10, tenths % 10, cents / 100, cents % 100);
    }
  }
};

TEST(DecimalComma, EveryCommandFindsIt) {
  const Workplace place;
  const Tables tables;
  place.write("german.csv", tables.german);
  place.write("english.csv", tables.english);
  const std::string roles = "--identifier id --quasi age,weight,pay --k 4";
  const auto risk = place.shoal("risk german.csv --json german.json " + roles);
  ASSERT_EQ(risk.exit_code, 0) << risk.err;
  ASSERT_EQ(place.shoal("risk english.csv --json english.json " + roles).exit_code, 0);
  const auto german = nlohmann::json::parse(place.read("german.json")),
             english = nlohmann::json::parse(place.read("english.json"));
  EXPECT_EQ(german["risk"], english["risk"]);

  const auto released = place.shoal("anonymize german.csv -o german_release.csv --json report.json " + roles);
  ASSERT_EQ(released.exit_code, 0) << released.err;
  ASSERT_EQ(place.shoal("anonymize english.csv -o english_release.csv " + roles).exit_code, 0);
  EXPECT_EQ(place.read("german_release.csv"), place.read("english_release.csv"));
  const auto report = nlohmann::json::parse(place.read("report.json"));
  EXPECT_EQ(report["columns"][1]["type"], "numeric");
  EXPECT_TRUE(holds(report["notices"].dump(),
                    "decimal comma and points between thousands were found and read as such: weight, pay"));
  for (const char* command : {"verify german_release.csv", "measure german_release.csv", "attack german_release.csv"}) {
    const auto run = place.shoal(fmt::format("{} --original german.csv {}", command, roles));
    EXPECT_EQ(run.exit_code, 0) << command << "\n" << run.out << run.err;
  }
  const auto compared = place.shoal(
      "compare german.csv --identifier id --quasi age,weight,pay --k 4 --methods mondrian --json compared.json");
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  const auto tree = place.shoal("hierarchy build german.csv --column weight --kind intervals --set width=10");
  EXPECT_EQ(tree.exit_code, 0) << tree.err;
  EXPECT_TRUE(holds(tree.out, "[50,60)")) << tree.out;

  const auto inspected = place.shoal("inspect german.csv --write-job job.yaml");
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  EXPECT_TRUE(holds(inspected.out, "decimal comma: weight, pay")) << inspected.out;
  const std::string job = place.read("job.yaml");
  EXPECT_TRUE(holds(job, "decimal: \",\"\nthousands: \".\"")) << job;
  EXPECT_TRUE(holds(job, "pay: {role: sensitive, type: numeric}")) << job;
  ASSERT_EQ(place.shoal("anonymize german.csv -o by_job.csv --job job.yaml").exit_code, 0);
  EXPECT_FALSE(holds(place.read("by_job.csv"), "1.000,00"));
  EXPECT_TRUE(holds(place.read("by_job.csv"), "1000.00")) << place.read("by_job.csv");
}

// 01001 among 11001 has no comma and is a code: there is nothing to say about it.
TEST(DecimalComma, CodesAreNotTakenForIt) {
  const Workplace place;
  std::string codes = "id;zip\n", near = "id;pay\n";
  for (int i = 0; i < 60; ++i) {
    codes += fmt::format("{};{:05}\n", i, 1001 + i % 20 * 1000);
    near += fmt::format("{};{},{:03}\n", i, 1 + i % 9, i * 7 % 1000);
  }
  place.write("codes.csv", codes);
  place.write("near.csv", near);
  const auto risk = place.shoal("risk codes.csv --quasi zip --json codes.json");
  ASSERT_EQ(risk.exit_code, 0) << risk.err;
  EXPECT_FALSE(holds(risk.out, "Finding types")) << risk.out;
  const auto told = place.shoal("risk near.csv --quasi pay --json near.json");  // 1,007: thousands or thousandths
  EXPECT_TRUE(holds(told.out, "Finding types (pay)")) << told.out;
}

TEST(DecimalComma, WhatIsSaidHolds) {
  const Workplace place;
  place.write("german.csv", Tables().german);
  const std::string roles = "--identifier id --quasi age,weight,pay --k 4 --json report.json";
  ASSERT_EQ(place.shoal("anonymize german.csv -o release.csv --decimal point " + roles).exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(place.read("report.json"))["columns"][1]["type"], "categorical");
  ASSERT_EQ(place.shoal("anonymize german.csv -o release.csv --categorical weight " + roles).exit_code, 0);
  const auto report = nlohmann::json::parse(place.read("report.json"));
  EXPECT_EQ(report["columns"][1]["type"], "categorical");
  EXPECT_EQ(report["columns"][2]["type"], "numeric");
}

// Everything about the file that had to be found out by looking, in one file: encoding, a line before the header,
// commas.
const char* const kFound[] = {"is not UTF-8; it was read as windows-1252",
                              "only says what stands between cells (sep=;)",
                              "numbers with a decimal comma and points between thousands were found"};

std::string messy() {
  std::string text = "sep=;\n";
  const std::string german = Tables().german;
  size_t row = 0;
  for (size_t begin = 0; begin < german.size();) {
    const size_t end = german.find('\n', begin);
    text += german.substr(begin, end - begin) +
            (row == 0 ? ";city;class\n" : fmt::format(";K\xf6ln;{}\n", row % 3 == 0 ? "a" : "b"));
    begin = end + 1;
    ++row;
  }
  return text;
}

// How often a sentence is said.
size_t times(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// `prefix`: how a line of the terminal says that it is a note.
void expect_notes(const std::string& terminal, const std::string& prefix, const std::string& what) {
  for (const char* found : kFound) {
    EXPECT_EQ(times(terminal, found), 1u) << what << ": " << found << " in\n" << terminal;
    const size_t at = terminal.find(found);
    if (at == std::string::npos) continue;
    const size_t line = terminal.rfind('\n', at) == std::string::npos ? 0 : terminal.rfind('\n', at) + 1;
    EXPECT_EQ(terminal.substr(line, prefix.size()), prefix) << what;
  }
}

void expect_all(const std::string& text, const std::string& what) {
  for (const char* found : kFound) EXPECT_EQ(times(text, found), 1u) << what << ": " << found << " in\n" << text;
}

TEST(FoundByLooking, EveryCommandSaysItOnceForEveryReader) {
  const Workplace place;
  place.write("messy.csv", messy());
  const std::string roles = " --identifier id --quasi age,weight,pay,city --target class";
  ASSERT_EQ(place.shoal("anonymize messy.csv -o release.csv --method mondrian --k 4 --recoding recoding.json" + roles)
                .exit_code,
            0);
  struct Case {
    std::string arguments;
    bool page;
  };
  for (const Case& one :
       std::vector<Case>{{"anonymize messy.csv -o again.csv --method mondrian --k 4" + roles, true},
                         {"risk messy.csv --k 4" + roles, false},
                         {"verify release.csv --original messy.csv --k 4" + roles, false},
                         {"measure release.csv --original messy.csv --k 4" + roles, false},
                         {"attack release.csv --original messy.csv --k 4" + roles, true},
                         {"compare messy.csv --methods mondrian --learners none --k 4" + roles, true},
                         {"evaluate messy.csv --methods mondrian --learners nb --k 4" + roles, false}}) {
    const auto run = place.shoal(one.arguments + " --json told.json" + (one.page ? " --report told.html" : ""));
    ASSERT_EQ(run.exit_code, 0) << one.arguments << run.err;
    expect_notes(run.out, "Note: ", one.arguments);
    const auto json = nlohmann::json::parse(place.read("told.json"));
    expect_all((json.contains("evaluations") ? json["evaluations"][0]["notices"] : json["notices"]).dump(),
               one.arguments);
    if (one.page) expect_all(place.read("told.html"), one.arguments);
    // What nobody had to find out is not told; quiet runs say nothing about it.
    const auto said =
        place.shoal(one.arguments + " --encoding windows-1252 --decimal comma --thousands . --delimiter \";\"");
    ASSERT_EQ(said.exit_code, 0) << said.err;
    EXPECT_FALSE(holds(said.out + said.err, "not UTF-8")) << one.arguments;
    EXPECT_FALSE(holds(said.out + said.err, "decimal comma")) << one.arguments;
    const auto quiet = place.shoal(one.arguments + " --quiet");
    EXPECT_EQ(quiet.out + quiet.err, "") << one.arguments;
  }
  const auto applied = place.shoal("apply recoding.json messy.csv -o applied.csv");
  ASSERT_EQ(applied.exit_code, 0) << applied.err;
  expect_notes(applied.out, "Note: ", "apply");
  // Hierarchies go to standard output, so that words go to the other one.
  place.write("tree.csv", "50;*\n60;*\n");
  for (const std::string arguments : {"hierarchy build messy.csv --column weight --kind intervals --set width=10",
                                      "hierarchy check tree.csv --values messy.csv --column weight"}) {
    // one column has no points between thousands
    const std::string err = place.shoal(arguments).err;
    EXPECT_TRUE(holds(err, "shoal: note: 'messy.csv': numbers with a decimal comma were found")) << arguments << err;
    EXPECT_TRUE(holds(err, "shoal: note: 'messy.csv' is not UTF-8") &&
                holds(err, "shoal: note: the first line of 'messy.csv'"))
        << err;
  }
  // inspect looks at numbers itself.
  const auto inspected = place.shoal("inspect messy.csv --json found.json --report found.html");
  ASSERT_EQ(inspected.exit_code, 0) << inspected.err;
  const std::string json = nlohmann::json::parse(place.read("found.json"))["notices"].dump();
  for (const std::string found : {kFound[0], kFound[1], "numbers with a decimal comma: weight, pay"}) {
    for (const std::string& told : {inspected.out, json, place.read("found.html")})
      EXPECT_EQ(times(told, found), 1u) << found << told;
  }
}

// A recoding is applied to new rows however these write their numbers.
TEST(DecimalComma, ApplyReadsTheSameNumbers) {
  const Workplace place;
  const Tables tables;
  place.write("german.csv", tables.german);
  place.write("english.csv", tables.english);
  ASSERT_EQ(
      place
          .shoal("anonymize english.csv -o release.csv --identifier id --quasi age,weight,pay --k 4 --method mondrian "
                 "--recoding recoding.json")
          .exit_code,
      0);
  ASSERT_EQ(place.shoal("apply recoding.json english.csv -o from_english.csv").exit_code, 0);
  const auto found = place.shoal("apply recoding.json german.csv -o from_german.csv");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  EXPECT_FALSE(holds(found.out, "values not known")) << found.out;
  EXPECT_EQ(place.read("from_german.csv"), place.read("from_english.csv"));
  ASSERT_EQ(place.shoal("apply recoding.json german.csv -o said.csv --decimal comma --thousands .").exit_code, 0);
  EXPECT_EQ(place.read("said.csv"), place.read("from_english.csv"));
}

// What could be thousands or thousandths is told, never guessed; so are numbers with a few texts among them.
TEST(DecimalComma, DoubtfulNumbersAreTold) {
  const Workplace place;
  std::string text = "a;b\n";
  for (int i = 0; i < 40; ++i)
    text += fmt::format("{},{:03};{}\n", 1 + i % 5, i * 100 % 1000, i == 7 ? "unknown" : std::to_string(i % 20));
  place.write("in.csv", text);
  const auto run = place.shoal("risk in.csv --quasi a,b");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(holds(run.out, "Finding types (a)") && holds(run.out, "say decimal: comma or thousands: ','")) << run.out;
  EXPECT_TRUE(holds(run.out, "Finding types (b)") && holds(run.out, "20 of 21 values are numbers")) << run.out;
}

// Numbers that number something are told as well, unless the job says what they are; dates of two readings name their
// column and both ways to say which.
TEST(TypesInDoubt, AreToldOrRefused) {
  const Workplace place;
  std::string text = "admission_type_id,seen\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{},0{}/0{}/2024\n", 1 + i % 8, 1 + i % 9, 1 + i % 7);
  place.write("in.csv", text);
  const auto told = place.shoal("risk in.csv --quasi admission_type_id");
  EXPECT_TRUE(holds(told.out, "Finding types (admission_type_id)") && holds(told.out, "taken for numbers")) << told.out;
  EXPECT_FALSE(
      holds(place.shoal("risk in.csv --quasi admission_type_id --numeric admission_type_id").out, "Finding types"));
  EXPECT_FALSE(
      holds(place.shoal("risk in.csv --quasi admission_type_id --categorical admission_type_id").out, "Finding types"));
  EXPECT_TRUE(holds(place.shoal("risk in.csv --quasi seen").out, "Finding types (seen)"));
  EXPECT_FALSE(holds(place.shoal("risk in.csv --quasi seen --date seen").out, "Finding types"));
  const auto refused = place.shoal("anonymize in.csv -o out.csv --quasi seen --date seen --k 2");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_TRUE(holds(refused.err, "column 'seen'") && holds(refused.err, "format: DD/MM/YYYY") &&
              holds(refused.err, "format: MM/DD/YYYY"))
      << refused.err;
  const auto said =
      place.shoal("anonymize in.csv -o out.csv --quasi seen --k 2 --hierarchy seen=build:dates,format=DD/MM/YYYY");
  EXPECT_EQ(said.exit_code, 0) << said.err;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
