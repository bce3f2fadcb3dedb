// Tables in every form go in and come out as they should; through the program, as a user would.
#include <gtest/gtest.h>

#include "shoal/read/duck.h"
#include "shoal/run/progress.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

// Plain columns with everything that could be mangled: leading zeros, quotes, delimiters, line breaks, blanks,
// non-ASCII.
const char* const kTable =
    "id,age,sex,note,code\n"
    "p1,34,F,\"said \"\"hi\"\", left\",00123\n"
    "p2,35,F,\"two\nlines\",1.50\n"
    "p3,34,M,\" blanks \",1e3\n"
    "p4,36,M,,TRUE\n"
    "p5,36,M,\xc3\xa4\xc3\xb6;\xe2\x82\xac,NULL\n"
    "p6,35,F,NA,2024-01-02\n";
const char* const kFlags =
    "--identifier id --quasi age,sex --plain note,code --accept near-unique --order input --numeric age --k 3 "
    "--method mondrian --quiet";

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// note and code of every row, read by DuckDB from a release in any format.
std::vector<std::vector<std::string>> plain_cells(const Workplace& place, const std::string& file) {
  DuckDb duck(1, std::nullopt);
  Progress progress;
  const std::string path = (place.folder() / file).string();
  const std::string reader = file.find(".parquet") != std::string::npos ? "read_parquet({})"
                             : file.find(".json") != std::string::npos  ? "read_json({})"
                                                                        : "read_csv({}, all_varchar=true, header=true)";
  return duck.query(fmt::format("SELECT note, code FROM {}", fmt::format(fmt::runtime(reader), sql_literal(path))),
                    progress);
}

TEST(Formats, PlainCellsAreTheSameAndIdentifiersAreGone) {
  Workplace place;
  place.write("people.csv", kTable);
  for (const char* output : {"out.csv", "out.tsv", "out.csv.gz", "out.csv.zst", "out.jsonl", "out.parquet"}) {
    const auto run = place.shoal(fmt::format("anonymize people.csv -o {} {}", output, kFlags));
    ASSERT_EQ(run.exit_code, 0) << output << ": " << run.err;
    const auto cells = plain_cells(place, output);
    ASSERT_EQ(cells.size(), 6u) << output;
    EXPECT_EQ(cells[0], (std::vector<std::string>{"said \"hi\", left", "00123"})) << output;
    EXPECT_EQ(cells[1], (std::vector<std::string>{"two\nlines", "1.50"})) << output;
    EXPECT_EQ(cells[2], (std::vector<std::string>{" blanks ", "1e3"})) << output;
    EXPECT_EQ(cells[3], (std::vector<std::string>{"", "TRUE"})) << output;
    EXPECT_EQ(cells[4], (std::vector<std::string>{"\xc3\xa4\xc3\xb6;\xe2\x82\xac", "NULL"})) << output;
    EXPECT_EQ(cells[5], (std::vector<std::string>{"NA", "2024-01-02"})) << output;
  }
  EXPECT_EQ(place.read("out.csv").find("p1"), std::string::npos);
  EXPECT_EQ(place.read("out.csv").substr(0, place.read("out.csv").find('\n')), "age,sex,note,code");
}

TEST(Formats, InputsInEveryFormGiveTheSameRelease) {
  Workplace place;
  place.write("people.csv", kTable);
  ASSERT_EQ(place.shoal(fmt::format("anonymize people.csv -o out.csv {}", kFlags)).exit_code, 0);
  const std::string expected = place.read("out.csv");
  ASSERT_NE(expected.find("[34,"), std::string::npos) << expected;

  place.write("bom.csv", std::string("\xef\xbb\xbf") + kTable);
  place.write("semicolon.csv", with(with(kTable, "\xc3\xb6;", "\xc3\xb6 "), ",", ";"));
  const std::string no_break = with(kTable, "two\nlines", "two lines");
  place.write("crlf.csv", with(no_break, "\n", "\r\n"));
  place.write("plain.csv", no_break);
  place.shell("gzip -k people.csv");

  for (const char* input : {"bom.csv", "people.csv.gz"}) {
    const auto run = place.shoal(fmt::format("anonymize {} -o again.csv {}", input, kFlags));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(place.read("again.csv"), expected) << input;
  }
  EXPECT_EQ(place.shoal(fmt::format("anonymize crlf.csv -o crlf_out.csv {}", kFlags)).exit_code, 0);
  EXPECT_EQ(place.shoal(fmt::format("anonymize plain.csv -o plain_out.csv {}", kFlags)).exit_code, 0);
  EXPECT_EQ(place.read("crlf_out.csv"), place.read("plain_out.csv"));
  const auto semicolon = place.shoal(fmt::format("anonymize semicolon.csv -o semicolon_out.csv {}", kFlags));
  EXPECT_EQ(semicolon.exit_code, 0) << semicolon.err;
  EXPECT_EQ(place.read("semicolon_out.csv").substr(0, 18), "age;sex;note;code\n");

  const auto piped = place.shoal(fmt::format("anonymize - -o - {}", kFlags), "cat people.csv |");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(piped.out, expected);

  for (const char* middle : {"middle.parquet", "middle.jsonl", "middle.tsv", "middle.csv.zst"}) {
    // k=1 leaves the cells as they are; then the middle form is the input.
    ASSERT_EQ(place
                  .shoal(fmt::format(
                      "anonymize people.csv -o {} --quasi age,sex --others plain --accept near-unique --order input "
                      "--categorical age --k 1 --quiet",
                      middle))
                  .exit_code,
              0);
    const auto run = place.shoal(fmt::format("anonymize {} -o again.csv {}", middle, kFlags));
    EXPECT_EQ(run.exit_code, 0) << middle << ": " << run.err;
    EXPECT_EQ(place.read("again.csv"), expected) << middle;
  }
}

// Plain CSV is parsed by us, compressed CSV by DuckDB: the release must be the same, dropped rows included.
TEST(Formats, OurOwnReaderAndDuckDbGiveTheSameRelease) {
  Workplace place;
  std::string people = "id,age,zip,note\n";
  for (int i = 0; i < 30000; ++i) {
    people += fmt::format("{},{},{},{}\n", i, 20 + i * 7919 % 61, 1000 + i % 17 * (i % 5),
                          i % 9 == 0   ? "\"a \"\"b\"\",\nc\""
                          : i % 7 == 0 ? ""
                                       : "\xc3\xa4 ");
  }
  // Rows of more than a megabyte are left to DuckDB, here after many that were not.
  const std::string long_row = "x,30,1000," + std::string(1200000, 'y') + "\n";
  const std::string flags = "--identifier id --quasi age,zip --plain note --k 3 --method datafly --quiet";
  for (const std::string& text : {people, people + long_row + people.substr(people.find('\n') + 1)}) {
    place.write("people.csv", text);
    place.shell("gzip -kf people.csv");
    ASSERT_EQ(place.shoal("anonymize people.csv -o ours.csv --json ours.json " + flags).exit_code, 0);
    ASSERT_EQ(place.shoal("anonymize people.csv.gz -o duckdbs.csv --json duckdbs.json " + flags).exit_code, 0);
    EXPECT_TRUE(place.read("ours.csv") == place.read("duckdbs.csv"));
    EXPECT_GT(place.read("ours.csv").size(), text.size() / 2);
  }
}

TEST(Formats, JsonAndParquetKeepTheirTypes) {
  Workplace place;
  place.write(
      "people.jsonl",
      "{\"age\":34,\"sex\":\"F\",\"score\":1.5,\"tags\":[1,2]}\n{\"age\":34,\"sex\":\"F\",\"score\":2,\"tags\":[]}\n");
  const auto run = place.shoal(
      "anonymize people.jsonl -o out.jsonl --quasi age,sex --others plain --accept near-unique --k 2 --quiet");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string released = place.read("out.jsonl");
  EXPECT_NE(released.find("\"score\":1.5"), std::string::npos) << released;
  EXPECT_NE(released.find("\"tags\":[1,2]"), std::string::npos) << released;
}

TEST(Formats, MissingCellsAreOneValueOfTheirOwn) {
  Workplace place;
  place.write("people.csv", "age,sex\n30,F\n?,F\n,F\n31,F\n30,F\n?,F\n");
  const auto run = place.shoal(
      "anonymize people.csv -o out.csv --quasi age,sex --missing '?' --k 3 --numeric age --order input --quiet");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place.read("out.csv"), "age,sex\n\"[30,31]\",F\n,F\n,F\n\"[30,31]\",F\n\"[30,31]\",F\n,F\n");
}

TEST(Formats, ColumnsThatDifferOnlyInCase) {
  Workplace place;
  place.write("people.csv", "a,A\n1,x\n1,y\n");
  const auto run = place.shoal("anonymize people.csv -o out.csv --quasi a --sensitive A --k 2 --order input --quiet");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place.read("out.csv"), "a,A\n1,x\n1,y\n");
}

// ---- verify: a release that was tampered with ----

struct Tampering {
  const char* name;
  const char* from;
  const char* to;
  const char* said;
};
void PrintTo(const Tampering& way, std::ostream* out) { *out << way.name; }
class Tampered : public ::testing::TestWithParam<Tampering> {};

TEST_P(Tampered, IsFound) {
  Workplace place;
  place.write("people.csv", "id,age,sex,note\n1,30,F,a\n2,31,F,b\n3,40,M,c\n4,41,M,d\n");
  place.write("release.csv", "age,sex,note\n\"[30,31]\",F,a\n\"[30,31]\",F,b\n\"[40,41]\",M,c\n\"[40,41]\",M,d\n");
  const std::string flags =
      "--original people.csv --identifier id --quasi age,sex --sensitive note --numeric age --k 2";
  ASSERT_EQ(place.shoal("verify release.csv " + flags).exit_code, 0) << place.shoal("verify release.csv " + flags).out;
  const std::string tampered = with(place.read("release.csv"), GetParam().from, GetParam().to);
  ASSERT_NE(tampered, place.read("release.csv"));
  place.write("release.csv", tampered);
  const auto run = place.shoal("verify release.csv " + flags);
  EXPECT_EQ(run.exit_code, 5) << run.out << run.err;
  EXPECT_NE((run.out + run.err).find(GetParam().said), std::string::npos) << run.out << run.err;
}

INSTANTIATE_TEST_SUITE_P(Ways, Tampered,
                         ::testing::Values(Tampering{"GroupTooSmall", "\"[30,31]\",F,a", "30,F,a", "k=2"},
                                           Tampering{"RangeMissesItsValue", "[40,41]", "[41,42]", "coverage"},
                                           Tampering{"PlainCellChanged", "M,d", "M,e", "coverage"},
                                           Tampering{"ValueSwapped", ",F,", ",M,", "coverage"},
                                           Tampering{"RowAdded", "\"[40,41]\",M,d\n",
                                                     "\"[40,41]\",M,d\n\"[40,41]\",M,d\n", "coverage"},
                                           Tampering{"ColumnGone", "note", "remark", "columns"}),
                         [](const auto& way) { return std::string(way.param.name); });

TEST(Verify, DroppedRowsAreMatchedInOrder) {
  Workplace place;
  place.write("people.csv", "age,note\n30,a\n99,x\n31,b\n98,y\n");
  place.write("release.csv", "age,note\n\"[30,31]\",a\n\"[30,31]\",b\n");
  const auto run = place.shoal(
      "verify release.csv --original people.csv --quasi age --sensitive note --numeric age --k 2 --suppress-rows 0.5");
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_NE(run.out.find("2 rows dropped"), std::string::npos) << run.out;
  // In another order they are matched as sets; a row that covers no original of its own fails.
  place.write("release.csv", "age,note\n\"[30,31]\",b\n\"[30,31]\",a\n");
  EXPECT_EQ(place
                .shoal("verify release.csv --original people.csv --quasi age --sensitive note --numeric age --k 2 "
                       "--suppress-rows 0.5")
                .exit_code,
            0);
  place.write("release.csv", "age,note\n\"[30,31]\",b\n\"[30,31]\",x\n");
  EXPECT_EQ(place
                .shoal("verify release.csv --original people.csv --quasi age --sensitive note --numeric age --k 2 "
                       "--suppress-rows 0.5")
                .exit_code,
            5);
}

// ---- interruption ----

TEST(Interruption, LeavesNothingBehind) {
  Workplace place;
  std::string people = "age,zip,sex,note\n";
  for (int i = 0; i < 200000; ++i)
    people += fmt::format("{},{},{},note {}\n", i % 97, i * 7919 % 9973, i % 2 ? "F" : "M", i);
  place.write("people.csv", people);
  // At several moments of the journey; a run that is done before the signal comes has released, and that is right too.
  for (const char* wait : {"0.02", "0.1", "0.2", "0.3", "0.5"}) {
    const auto run = place.shoal("anonymize people.csv -o out.csv --quasi age,zip,sex --k 5 --quiet --threads 1",
                                 fmt::format("timeout --preserve-status -s INT {}", wait));
    if (run.exit_code == 0) {
      EXPECT_EQ(place.files(), (std::set<std::string>{"people.csv", "out.csv"}));
      place.shell("rm out.csv");
      continue;
    }
    EXPECT_EQ(run.exit_code, 130) << run.err;
    EXPECT_EQ(place.files(), std::set<std::string>{"people.csv"}) << wait;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
