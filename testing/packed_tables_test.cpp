// A messy table is read in the same way whether it is compressed or not.
#include <gtest/gtest.h>
#include <zstd.h>

#include <nlohmann/json.hpp>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

const char* const kTables[] = {"visits.csv", "visits.csv.gz", "visits.csv.zst", "parts.csv.gz"};

std::string zstd_of(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

// The hospital's table (Latin-1, decimal commas, German dates) with a line `sep=;` before its header, plain and packed,
// in one part and in two.
void make_tables(const Workplace& place) {
  const auto made = place.shell(
      fmt::format("(echo 'sep=;'; LC_ALL=C awk -v rows=600 -f '{}/examples/hospital/make_visits.awk') > visits.csv && "
                  "gzip -k visits.csv && "
                  "head -n 300 visits.csv | gzip > parts.csv.gz && tail -n +301 visits.csv | gzip >> parts.csv.gz",
                  testing::kSourceFolder));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  place.write("visits.csv.zst", zstd_of(place.read("visits.csv")));
}

// What a command says, without the name of the table.
std::string nameless(std::string text, const std::string& name) {
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
    text.replace(at, name.size(), "TABLE");
  return text;
}

TEST(PackedTables, EveryCommandReadsThemAsPlainOnes) {
  const Workplace place;
  make_tables(place);
  std::map<std::string, std::string> expected;  // of the plain table, by what was asked
  const auto expect_same = [&](const std::string& asked, const std::string& table, const std::string& answer) {
    const auto [first, is_new] = expected.try_emplace(asked, nameless(answer, table));
    EXPECT_TRUE(nameless(answer, table) == first->second) << asked << " of " << table << ":\n"
                                                          << answer << "\ninstead of\n"
                                                          << first->second;
    EXPECT_FALSE(answer.empty()) << asked << " of " << table;
  };
  const std::string roles =
      "--identifier Fallnummer,Name,Notiz --quasi Geburtsdatum,PLZ,Gewicht_kg --date Geburtsdatum --k 4";
  for (const std::string table : kTables) {
    place.shell("rm -f job*");
    const auto inspected = place.shoal(fmt::format("inspect {} --write-job job.yaml --json found.json", table));
    ASSERT_EQ(inspected.exit_code, 0) << table << inspected.err;
    expect_same("inspect", table, inspected.out);
    expect_same("found", table, place.read("found.json"));
    expect_same("job", table, place.read("job.yaml"));
    EXPECT_NE(inspected.out.find("read as windows-1252"), std::string::npos) << inspected.out;
    EXPECT_NE(inspected.out.find("(sep=;)"), std::string::npos) << inspected.out;

    const auto released =
        place.shoal(fmt::format("anonymize {} -o release.csv --job job.yaml --json report.json", table));
    ASSERT_EQ(released.exit_code, 0) << table << released.err;
    expect_same("release", table, place.read("release.csv"));
    const auto verified = place.shoal(fmt::format("verify release.csv --original {} --job job.yaml", table));
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;

    // Nobody says that there are commas.
    ASSERT_EQ(place.shoal(fmt::format("risk {} --json risk.json {}", table, roles)).exit_code, 0);
    expect_same("risk", table, nlohmann::json::parse(place.read("risk.json"))["risk"].dump());
    ASSERT_EQ(place.shoal(fmt::format("anonymize {} -o found.csv {} --json report.json", table, roles)).exit_code, 0);
    expect_same("found release", table, place.read("found.csv"));
    const auto report = nlohmann::json::parse(place.read("report.json"));
    expect_same("notices", table, report["notices"].dump());
    EXPECT_NE(report["notices"].dump().find("Gewicht_kg"), std::string::npos) << report["notices"];
  }
}

TEST(PackedTables, WhatIsSaidAboutThemHolds) {
  const Workplace place;
  place.write("a.csv", "id;weight\n1;1.234,5\n2;1.240,5\n3;1.250,5\n4;1.260,5\n");
  place.write("a.csv.zst", zstd_of(place.read("a.csv")));
  for (const char* table : {"a.csv", "a.csv.zst"}) {
    const auto run =
        place.shoal(fmt::format("anonymize {} -o {}.out.csv --identifier id --quasi weight --numeric weight --decimal "
                                "comma --thousands . --encoding latin-1 --k 4 --quiet",
                                table, table));
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }
  EXPECT_EQ(place.read("a.csv.out.csv"),
            "weight\n\"[1234.5,1260.5]\"\n\"[1234.5,1260.5]\"\n\"[1234.5,1260.5]\"\n\"[1234.5,1260.5]\"\n");
  EXPECT_EQ(place.read("a.csv.zst.out.csv"), place.read("a.csv.out.csv"));
}

TEST(PackedTables, MessagesNameTheLine) {
  const Workplace place;
  place.write("a.csv", "id,age\n1,20\n2,21\n,22\n");
  place.shell("gzip -k a.csv; printf '{\"id\":1,\"age\":1}\\n{\"age\":2}\\n' | gzip > b.jsonl.gz");
  place.write("c.csv.gz", "id,age\n1,20\n");
  for (const char* table : {"a.csv", "a.csv.gz"}) {
    const auto run = place.shoal(fmt::format("anonymize {} -o o.csv --quasi age --person id --k 2", table));
    EXPECT_EQ(run.exit_code, 3) << run.err;
    EXPECT_NE(run.err.find("line 4"), std::string::npos) << run.err;
  }
  const auto json = place.shoal("anonymize b.jsonl.gz -o o.csv --quasi age --person id --k 2");
  EXPECT_NE(json.err.find("line 2"), std::string::npos) << json.err;
  const auto unpacked = place.shoal("risk c.csv.gz --quasi age");
  EXPECT_EQ(unpacked.exit_code, 3);
  EXPECT_NE(unpacked.err.find("cannot unpack 'c.csv.gz'"), std::string::npos) << unpacked.err;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
