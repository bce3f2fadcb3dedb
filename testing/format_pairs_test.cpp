// From any format to any other: cells arrive as they were, whatever they hold, and the release is verified.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "shoal/read/duck.h"
#include "testing/run_program.h"

namespace shoal::testing {
namespace SHOAL_THIS_FILE {

using Json = nlohmann::ordered_json;

constexpr const char* kOutputs[] = {"out.csv",   "out.csv.gz",   "out.csv.zst", "out.tsv",
                                    "out.jsonl", "out.jsonl.gz", "out.json",    "out.parquet"};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// As they stand in the file, all that a JSON value can be.
constexpr const char* kValues[] = {R"("plain text")",
                                   R"("a \"q\" b")",
                                   R"("02139")",
                                   R"("line\nbreak, and more")",
                                   R"("\u00e4 \\ /")",
                                   R"("")",
                                   "null",
                                   "true",
                                   "false",
                                   "12",
                                   "1.50",
                                   "1e3",
                                   "-0.0",
                                   "9400123412341237",
                                   "0.1234567890123456789",
                                   "12345678901234567890123",
                                   "[1,2]",
                                   R"({"x":1.10,"y":["z"]})",
                                   "[]",
                                   R"("null")",
                                   R"(" blanks ")",
                                   R"("'")"};

struct JsonTable {
  std::string text;
  std::multiset<std::string> plain;  // of each row, how a released line goes on behind the quasi columns
};

JsonTable random_table(std::mt19937& random) {
  JsonTable table;
  for (int row = 0; row < 96; ++row) {
    const std::string a = kValues[random() % std::size(kValues)], b = kValues[random() % std::size(kValues)];
    const bool left_out = row > 0 && random() % 9 == 0;  // columns stand in the order in which they are met
    table.text += fmt::format(R"({{"age":{}, "sex": "{}",{} "V":{},"n":{},"t":{}}})", 20 + row % 3, row % 2 ? "f" : "m",
                              left_out ? "" : fmt::format(R"( "v" : {},)", a), b, row % 7, row % 2 ? "true" : "false") +
                  "\n";
    table.plain.insert(
        fmt::format(R"("v":{},"V":{},"n":{},"t":{}}})", left_out ? "null" : a, b, row % 7, row % 2 ? "true" : "false"));
  }
  return table;
}

TEST(FormatPairs, JsonToEveryFormat) {
  std::mt19937 random(12);
  for (int trial = 0; trial < 2; ++trial) {
    Workplace place;
    const JsonTable table = random_table(random);
    place.write("in.jsonl", table.text);
    for (const char* output : kOutputs) {
      const bool parquet = output == std::string("out.parquet");  // which must not have both "v" and "V"
      const std::string flags =
          fmt::format("--quasi age,sex --plain v,n,t --{} V --k 4 --method mondrian", parquet ? "identifier" : "plain");
      const auto run = place.shoal(fmt::format("anonymize in.jsonl -o {} {} --json r.json", output, flags));
      ASSERT_EQ(run.exit_code, 0) << output << run.err << place.read("r.json") << table.text;
      const auto checked = place.shoal(fmt::format("verify {} --original in.jsonl {}", output, flags));
      EXPECT_EQ(checked.exit_code, 0) << output << checked.out << checked.err;
    }
    std::multiset<std::string> released;
    for (const std::string& line : lines_of(place.read("out.jsonl"))) released.insert(line.substr(line.find("\"v\":")));
    EXPECT_EQ(released, table.plain);
  }
}

TEST(FormatPairs, JsonToParquetKeepsNumbersAndTruth) {
  Workplace place;
  const std::string two_rows =
      "{\"age\":30,\"n\":1,\"x\":1.5,\"t\":true,\"mixed\":1,\"text\":\"7\"}\n"
      "{\"age\":30,\"n\":-9400123412341237,\"x\":null,\"t\":false,\"mixed\":1.5,\"text\":\"8\"}\n";
  place.write("in.jsonl", two_rows + two_rows + two_rows + two_rows);  // no column tells rows apart
  ASSERT_EQ(place.shoal("anonymize in.jsonl -o out.parquet --quasi age --plain n,x,t,mixed,text --k 2").exit_code, 0);
  DuckDb duck(1, std::nullopt);
  const auto rows =
      duck.query(fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '{}/out.parquet')",
                             place.folder().string()),
                 Progress());
  const std::vector<std::vector<std::string>> expected = {{"age", "VARCHAR"},   {"n", "BIGINT"},
                                                          {"x", "DOUBLE"},      {"t", "BOOLEAN"},
                                                          {"mixed", "VARCHAR"}, {"text", "VARCHAR"}};
  EXPECT_EQ(rows, expected);
}

TEST(FormatPairs, NamesThatDifferOnlyByCase) {
  Workplace place;
  std::string csv = "a,A,b\n", json, expected = "a,A,b\n";
  for (int i = 0; i < 20; ++i) {
    const char* letter = i < 10 ? "x" : "y";
    csv += fmt::format("1,{},2\n", letter);
    json += fmt::format("{{\"a\":1,\"A\":\"{}\",\"b\":2}}\n", letter);
    expected += "1,*,2\n";
  }
  place.write("in.csv", csv);
  place.write("in.jsonl", json);
  for (const char* input : {"in.csv", "in.jsonl"}) {
    for (const char* output : kOutputs) {
      const auto run = place.shoal(fmt::format("anonymize {} -o {} --quasi a --plain A,b --k 2", input, output));
      if (output == std::string("out.parquet")) {
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_NE(run.err.find("'a' and 'A' differ only by case"), std::string::npos) << run.err;
        EXPECT_EQ(place.shoal(fmt::format("anonymize {} -o {} --quasi A --identifier a --plain b --k 2", input, output))
                      .exit_code,
                  0);
        continue;
      }
      ASSERT_EQ(run.exit_code, 0) << input << " " << output << run.err;
      // What came out is read as a table with the same two columns.
      const auto again =
          place.shoal(fmt::format("anonymize {} -o again.csv --quasi A --plain a,b --k 11 --method mondrian", output));
      EXPECT_EQ(again.exit_code, 0) << output << again.err;
      EXPECT_EQ(place.read("again.csv"), expected) << input << " " << output;
    }
  }
}

TEST(FormatPairs, NestedParquetColumnsAreRefusedByNameUnlessLeftOut) {
  Workplace place;
  DuckDb duck(1, std::nullopt);
  duck.query(
      fmt::format("COPY (SELECT 30 AS age, {{'x': 1}} AS pair, [1, 2] AS list, MAP {{'k': 1}} AS words, 1.5 AS n FROM "
                  "range(4)) TO '{}/in.parquet'",
                  place.folder().string()),
      Progress());
  const std::vector<std::string> nested = {"pair", "list", "words"};
  for (size_t i = 0; i < nested.size(); ++i) {
    const std::string &column = nested[i], &second = nested[(i + 1) % 3], &third = nested[(i + 2) % 3];
    const auto run = place.shoal(fmt::format(
        "anonymize in.parquet -o out.csv --quasi age --plain n,{} --identifier {},{} --k 2", column, second, third));
    EXPECT_EQ(run.exit_code, 3) << run.err;
    EXPECT_NE(run.err.find(fmt::format("the column '{}' of 'in.parquet' is nested", column)), std::string::npos)
        << run.err;
    EXPECT_FALSE(place.exists("out.csv"));
  }
  const auto run =
      place.shoal("anonymize in.parquet -o out.csv --quasi age --plain n --identifier pair,list,words --k 2");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place.read("out.csv"), "age,n\n30,1.5\n30,1.5\n30,1.5\n30,1.5\n");
  EXPECT_EQ(place.shoal("risk in.parquet --quasi age,n --k 2").exit_code, 0);
}

TEST(FormatPairs, MissingCellsOfQuasiColumnsStayMissing) {
  Workplace place;
  DuckDb duck(1, std::nullopt);
  duck.query(
      fmt::format("COPY (SELECT CASE WHEN range % 2 = 0 THEN range % 4 END AS age, CASE WHEN range % 2 = 0 THEN 'f' "
                  "END AS sex, range % 3 AS n FROM range(36)) TO '{}/in.parquet'",
                  place.folder().string()),
      Progress());
  const std::string flags = "--quasi age,sex --plain n --k 3";
  ASSERT_EQ(place.shoal("anonymize in.parquet -o out.parquet " + flags).exit_code, 0);
  const auto rows = duck.query(
      fmt::format("SELECT count(*) FILTER (age IS NULL), count(*) FILTER (sex IS NULL), count(*) FILTER (age = '' OR "
                  "sex = '') FROM '{}/out.parquet'",
                  place.folder().string()),
      Progress());
  EXPECT_EQ(rows, (std::vector<std::vector<std::string>>{{"18", "18", "0"}}));
  ASSERT_EQ(place.shoal("anonymize in.parquet -o out.jsonl " + flags).exit_code, 0);
  for (const std::string& line : lines_of(place.read("out.jsonl"))) {
    const Json row = Json::parse(line);
    EXPECT_EQ(row["sex"].is_null(), row["age"].is_null()) << line;
  }
}

TEST(FormatPairs, JsonNestedAHundredThousandDeep) {
  Workplace place;
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  std::string table = fmt::format("{{\"a\":1,\"x\":{}}}\n", deep);
  for (int i = 0; i < 20; ++i) table += "{\"a\":1,\"x\":2}\n";
  place.write("in.jsonl", table);
  for (const char* output : {"out.jsonl", "out.csv", "out.csv.gz", "out.parquet"}) {
    const auto run = place.shoal(fmt::format("anonymize in.jsonl -o {} --quasi a --plain x --k 2", output));
    EXPECT_EQ(run.exit_code, 0) << output << run.err;
  }
  EXPECT_NE(place.read("out.jsonl").find(deep), std::string::npos);
  EXPECT_EQ(place.shoal("risk in.jsonl --quasi a,x --k 2").exit_code, 0);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal::testing
