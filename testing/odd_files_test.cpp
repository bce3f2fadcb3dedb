// Files that are not as one expects, and answers that nobody should take for a release: what works, and what is said.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal::testing {
namespace SHOAL_THIS_FILE {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string in_utf16(const std::string& ascii, bool little_end_first, bool mark) {
  std::string bytes = !mark ? "" : little_end_first ? "\xff\xfe" : "\xfe\xff";
  for (const char c : ascii) bytes += little_end_first ? std::string{c, '\0'} : std::string{'\0', c};
  return bytes;
}

TEST(OddFiles, NamesOfAnyKind) {
  Workplace place;
  const std::string table = "age,sex\n30,f\n31,f\n30,m\n31,m\n", flags = "--quasi age,sex --k 2 --quiet";
  for (const char* name : {"i*n?[1].csv", "folder [x]*/in.csv", "f\xff.csv"}) {
    place.write(name, table);
    const auto run = place.shoal(fmt::format("anonymize '{}' -o 'o*[u]t.csv.gz' {}", name, flags));
    EXPECT_EQ(run.exit_code, 0) << name << run.err;
    const auto checked = place.shoal(fmt::format("verify 'o*[u]t.csv.gz' --original '{}' {}", name, flags));
    EXPECT_EQ(checked.exit_code, 0) << name << checked.err;
    EXPECT_EQ(place.shoal(fmt::format("risk '{}' --quasi age", name)).exit_code, 0) << name;
  }
  // The pattern is no pattern: another file that fits it is not read.
  place.write("a1.csv", table);
  EXPECT_EQ(place.shoal("risk 'a*.csv' --quasi age").exit_code, 3);
}

TEST(OddFiles, HeadersWithLineBreaks) {
  Workplace place;
  place.write("in.csv", "\"first\nname\",\"a,\"\"b\"\"\nc\",sex\nx,30,f\nx,30,f\n");
  place.shell("gzip -k in.csv");
  for (const char* input : {"in.csv", "in.csv.gz"}) {
    const auto run =
        place.shoal(fmt::format("anonymize {} -o out.csv --quasi sex --plain '\"a,\"\"b\"\"\nc\"' --identifier "
                                "'first\nname' --k 2 --quiet",
                                input));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(place.read("out.csv"), "\"a,\"\"b\"\"\nc\",sex\n30,f\n30,f\n");
    EXPECT_EQ(place.shoal("risk out.csv --quasi sex").exit_code, 0);
  }
}

TEST(OddFiles, WhatCannotBeReadSaysWhy) {
  Workplace place;
  const std::string table = "age,sex\n30,f\n31,f\n";
  for (const bool little : {true, false}) {
    for (const bool mark : {true, false}) {
      place.write("wide.jsonl", in_utf16(table, little, mark));
      const auto run = place.shoal("risk wide.jsonl --quasi age");
      EXPECT_EQ(run.exit_code, 3);
      EXPECT_TRUE(holds(run.err, "is UTF-16 text; save it as UTF-8")) << run.err;
      place.write("wide.csv", in_utf16(table, little, mark));
      EXPECT_EQ(place.shoal("risk wide.csv --quasi age").exit_code, 0);
    }
  }
  for (const size_t megabytes : {10, 40}) {
    place.write("long.csv", "age,note\n30,x\n31," + std::string(megabytes << 20, 'y') + "\n30,x\n");
    const auto run = place.shoal("risk long.csv --quasi age");
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_TRUE(holds(run.err, "a row of more than 2 MB")) << run.err;
  }
  place.write("header.csv", "age," + std::string(3 << 20, 'y') + "\n30,x\n");
  const auto header = place.shoal("risk header.csv --quasi age");
  EXPECT_EQ(header.exit_code, 3);
  EXPECT_TRUE(holds(header.err, "the first line of 'header.csv' has more than 2 MB")) << header.err;
  // Rows that long can be read from JSON lines, as the message says.
  place.write("long.jsonl",
              "{\"age\":30,\"note\":\"x\"}\n{\"age\":31,\"note\":\"" + std::string(10 << 20, 'y') + "\"}\n");
  EXPECT_EQ(place.shoal("risk long.jsonl --quasi age").exit_code, 0);
}

TEST(OddFiles, JsonRowsThatAreNone) {
  Workplace place;
  const auto said = [&](const std::string& rows) {
    place.write("in.jsonl", rows);
    const auto run = place.shoal("risk in.jsonl --quasi a");
    EXPECT_EQ(run.exit_code, 3) << rows;
    EXPECT_FALSE(holds(run.err, "internal error")) << run.err;
    return run.err;
  };
  EXPECT_TRUE(holds(said("{\"a\":1}\n[1,2]\n"), "row 2: not an object"));
  EXPECT_TRUE(holds(said("{\"a\":1}\n{\"a\":1,\"a\":2}\n"), "row 2: two members named 'a'"));
  EXPECT_TRUE(holds(said("{\"a\":1}\n{\"a\":\n"), "in.jsonl"));
  EXPECT_TRUE(holds(said("{\"\":1}\n"), "has no name"));
}

// ---- answers that are none ----

TEST(NoRelease, OfNoRows) {
  Workplace place;
  place.write("in.csv", "a\n1\n2\n");
  for (const char* method : {"datafly", "incognito", "allmin"}) {
    const auto run = place.shoal(
        fmt::format("anonymize in.csv -o out.csv --quasi a --k 2 --suppress-rows 1 --method {} --json r.json", method));
    ASSERT_EQ(run.exit_code, 0) << method << run.err;
    EXPECT_EQ(nlohmann::json::parse(place.read("r.json"))["rows_out"], 2) << "not all, which they may, are dropped";
  }
}

TEST(NoRelease, OfFewerRowsThanAsked) {
  Workplace place;
  std::string table = "a,b,class\n";
  for (int i = 0; i < 40; ++i) table += fmt::format("x{},y,{}\n", i % 4, i % 4 < 2 ? "p" : "n");
  table += "rare,y,n\n";
  place.write("in.csv", table);
  for (const char* method : {"datafly", "kactus", "incognito", "allmin"}) {
    const std::string flags = fmt::format("--quasi a,b --target class --k 10 --method {}", method);
    const auto run = place.shoal("anonymize in.csv -o out.csv --json r.json " + flags);
    ASSERT_EQ(run.exit_code, 0) << method << run.err;
    EXPECT_EQ(nlohmann::json::parse(place.read("r.json"))["rows_dropped"], 0) << method;
    const auto asked = place.shoal("anonymize in.csv -o out.csv --json r.json --suppress-rows 0.05 " + flags);
    ASSERT_EQ(asked.exit_code, 0) << method << asked.err;
    EXPECT_EQ(nlohmann::json::parse(place.read("r.json"))["rows_dropped"], 1) << method;
  }
}

// ---- verify ----

TEST(VerifyExitCodes, AreThoseOfTheManual) {
  Workplace place;
  std::string table = "name,age,sex\n";
  for (int i = 0; i < 40; ++i) table += fmt::format("n{},{},{}\n", i, 20 + i % 8, i % 2 ? "f" : "m");
  place.write("in.csv", table);
  const std::string flags =
      "--identifier name --quasi age,sex --k 5 --method mondrian --param cuts=strict --seed 3 --union";
  ASSERT_EQ(place.shoal("anonymize in.csv -o out.csv " + flags).exit_code, 0);
  // The flags that made it can be repeated.
  const auto kept = place.shoal("verify out.csv --original in.csv " + flags);
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_TRUE(holds(kept.out, "The release keeps its promise.")) << kept.out;
  const auto alone = place.shoal("verify out.csv " + flags);
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_TRUE(holds(alone.out, "stand for originals was not checked")) << alone.out;
  EXPECT_FALSE(holds(alone.out, "keeps its promise")) << alone.out;
  EXPECT_EQ(place.shoal("verify out.csv --original in.csv --identifier name --quasi age,sex").exit_code, 2);
  EXPECT_EQ(place.shoal("verify out.csv --original in.csv --no-such-flag").exit_code, 2);
  EXPECT_EQ(place.shoal("verify none.csv --original in.csv " + flags).exit_code, 3);
  EXPECT_EQ(place.shoal("verify out.csv --original none.csv " + flags).exit_code, 3);
  EXPECT_EQ(place.shoal("verify in.csv --original in.csv " + flags).exit_code, 5);
  EXPECT_EQ(place.shoal("verify out.csv --original in.csv --identifier name --quasi age,sex --k 30").exit_code, 5);
  const auto typo = place.shoal("verify out.csv --original in.csv --identifier name --quasi age,sx --k 5");
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_TRUE(holds(typo.err, "did you mean 'sex'")) << typo.err;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal::testing
