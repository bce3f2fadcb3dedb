// Safe by default: columns without a role, the order of rows, findings that stand in the way; by the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "testing/data_folder.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

std::vector<std::string> people(size_t rows, uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::vector<std::string> lines;
  for (size_t i = 0; i < rows; ++i) {
    const size_t school = random() % 6;
    lines.push_back(fmt::format("p{},{},{},{},{},{},{}", i, 20 + random() % 40, random() % 2 ? "f" : "m",
                                std::string(1, char('a' + school)), school * 2 + 1, random() % 12,
                                std::string(1, char('u' + random() % 4))));
  }
  return lines;
}
std::string csv(const std::vector<std::string>& lines) {
  std::string text = "name,age,sex,school,school_years,hours,illness\n";
  for (const std::string& line : lines) text += line + "\n";
  return text;
}
const char* const kRoles = "--identifier name --quasi age,sex,school --sensitive illness --k 3 --method mondrian";

// So many alike that the school must be hidden.
const char* const kRoles25 = "--identifier name --quasi age,sex,school --sensitive illness --k 25 --method mondrian";

TEST(SafeRelease, ColumnsWithoutARoleAreLeftOutAndNamed) {
  Workplace place;
  place.write("people.csv", csv(people(80)));
  const auto run = place.shoal(fmt::format("anonymize people.csv -o out.csv {} --write-job job.yaml", kRoles));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(place.read("out.csv").substr(0, 23), "age,sex,school,illness\n");
  EXPECT_NE(run.out.find("2 columns without a role are not released: school_years, hours"), std::string::npos)
      << run.out;
  EXPECT_EQ(place.shoal("verify out.csv --original people.csv --job job.yaml").exit_code, 0);
  // Named by a type alone: still without a role.
  const auto typed = place.shoal(fmt::format("anonymize people.csv -o typed.csv {} --numeric hours --quiet", kRoles));
  ASSERT_EQ(typed.exit_code, 0) << typed.err;
  EXPECT_EQ(place.read("typed.csv"), place.read("out.csv"));

  const auto all = place.shoal(
      fmt::format("anonymize people.csv -o all.csv {} --others plain --accept reveals --write-job all.yaml", kRoles));
  ASSERT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(place.read("all.csv").substr(0, 42), "age,sex,school,school_years,hours,illness\n");
  EXPECT_EQ(all.out.find("without a role"), std::string::npos) << all.out;
  EXPECT_NE(place.read("all.yaml").find("others: plain\n"), std::string::npos);
  // A release with a column that nobody gave a role does not pass, whether the original is at hand or not.
  for (const char* original : {"", "--original people.csv"}) {
    const auto wrong = place.shoal(fmt::format("verify all.csv {} {}", original, kRoles));
    EXPECT_EQ(wrong.exit_code, 5) << original;
    EXPECT_NE(wrong.out.find("'school_years' of the release has no role"), std::string::npos) << wrong.out;
    EXPECT_EQ(
        place.shoal(fmt::format("verify all.csv {} {} --others plain --accept reveals", original, kRoles)).exit_code,
        0);
  }
  EXPECT_EQ(place.shoal(fmt::format("anonymize people.csv -o x.csv {} --others all", kRoles)).exit_code, 2);
}

TEST(SafeRelease, AFlagThatReleasesMoreThanTheJobSaysSo) {
  Workplace place;
  place.write("people.csv", csv(people(80)));
  place.write("job.yaml",
              "input: people.csv\noutput: out.csv\ncolumns: {age: quasi, sex: quasi, illness: sensitive}\nk: "
              "3\nmethod: mondrian\n");
  const auto run = place.shoal("anonymize --job job.yaml --others plain --accept near-unique,reveals --order input");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("weaker than the job: columns without a role are released"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("weaker than the job: rows are released in the order of the input"), std::string::npos)
      << run.out;
}

TEST(SafeRelease, TheOrderOfTheInputCannotBeSeen) {
  Workplace place;
  std::mt19937_64 random(7);
  for (const char* method : {"incognito", "datafly", "allmin"}) {  // others break ties by the order of values or rows
    for (const char* name : {"out.csv", "out.csv.gz", "out.parquet", "out.jsonl"}) {
      std::vector<std::string> lines = people(150, random());
      std::string before;
      for (int order = 0; order < 3; ++order) {
        place.write("people.csv", csv(lines));
        const auto run = place.shoal(fmt::format(
            "anonymize people.csv -o {} --identifier name --quasi age,sex,school --plain hours --sensitive illness "
            "--k 3 --method {} {} --threads {} --quiet --accept reveals,near-unique",
            name, method, "--suppress-rows 0.1", order + 1));
        ASSERT_EQ(run.exit_code, 0) << method << " " << name << ": " << run.err;
        EXPECT_TRUE(order == 0 || place.read(name) == before) << method << " " << name;
        before = place.read(name);
        std::shuffle(lines.begin(), lines.end(), random);
      }
    }
  }
}

TEST(SafeRelease, RowsAreSortedByTheirCells) {
  Workplace place;
  place.write("people.csv", "age,note\n9,x\n100,x\n9,x\n20,x\n100,x\n20,x\n");
  ASSERT_EQ(place.shoal("anonymize people.csv -o out.csv --quasi age --plain note --k 2 --quiet").exit_code, 0);
  EXPECT_EQ(place.read("out.csv"), "age,note\n9,x\n9,x\n20,x\n20,x\n100,x\n100,x\n");
  ASSERT_EQ(
      place.shoal("anonymize people.csv -o in.csv --quasi age --plain note --k 2 --quiet --order input").exit_code, 0);
  EXPECT_EQ(place.read("in.csv"), place.read("people.csv"));
  const auto gone = place.shoal("anonymize people.csv -o x.csv --quasi age --k 2 --shuffle");
  EXPECT_EQ(gone.exit_code, 2);
  EXPECT_NE(gone.err.find("--shuffle is gone"), std::string::npos) << gone.err;
  EXPECT_EQ(place.shoal("anonymize --help").out.find("--shuffle"), std::string::npos);
}

// Measured on the release alone, in its own order, and on one in the order of the input.
TEST(SafeRelease, MeasuresDoNotDependOnTheOrder) {
  Workplace place;
  place.write("people.csv", csv(people(200)));
  for (const char* order : {"released", "input"}) {
    ASSERT_EQ(place
                  .shoal(fmt::format("anonymize people.csv -o {}.csv {} --plain hours --order {} --quiet", order,
                                     kRoles, order))
                  .exit_code,
              0);
    ASSERT_EQ(place
                  .shoal(fmt::format("measure {}.csv --original people.csv {} --plain hours --json {}.json --quiet",
                                     order, kRoles, order))
                  .exit_code,
              0);
  }
  const auto measures = [&](const char* file) { return nlohmann::json::parse(place.read(file)).at("measures"); };
  const auto in_order = measures("input.json"), sorted = measures("released.json");
  for (const char* name : {"prec", "gcp", "lm", "dm", "modification_rate", "distortion", "rows"}) {
    EXPECT_NEAR(in_order.at(name).get<double>(), sorted.at(name).get<double>(), 1e-9) << name;
  }
  // Not a release of the table: said so.
  place.write("wrong.csv", "age,sex,school,hours,illness\n*,*,*,3,nobody has this\n");
  const auto wrong = place.shoal(fmt::format("measure wrong.csv --original people.csv {} --plain hours", kRoles));
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_NE(wrong.err.find("has no row in the original that it could stand for"), std::string::npos) << wrong.err;
}

TEST(SafeRelease, AFindingThatStandsInTheWayReleasesNothing) {
  Workplace place;
  place.write("people.csv", csv(people(300)));
  const std::string command = fmt::format(
      "anonymize people.csv -o out.csv {} --plain school_years --json report.json --report report.html --recoding "
      "r.json",
      kRoles25);
  const auto refused = place.shoal(command);
  EXPECT_EQ(refused.exit_code, 6) << refused.err;
  EXPECT_NE(refused.err.find("NOT RELEASED: a finding stands in the way. reveals (school_years)"), std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("accept: [reveals:school_years]"), std::string::npos) << refused.err;
  EXPECT_EQ(place.files(), (std::set<std::string>{"people.csv", "report.html", "report.json"}));
  EXPECT_NE(place.read("report.json").find("\"status\": \"finding\""), std::string::npos);

  const auto accepted = place.shoal(command + " --accept reveals:school_years --write-job job.yaml");
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  EXPECT_NE(accepted.out.find("Finding reveals (school_years), accepted"), std::string::npos) << accepted.out;
  EXPECT_NE(place.read("report.json").find("\"accepted\": true"), std::string::npos);
  EXPECT_NE(place.read("report.html").find("accepted by the user"), std::string::npos);
  EXPECT_NE(place.read("job.yaml").find("accept: [\"reveals:school_years\"]"), std::string::npos)
      << place.read("job.yaml");

  EXPECT_EQ(place.shoal("verify out.csv --job job.yaml").exit_code, 0);
  const auto verified =
      place.shoal(fmt::format("verify out.csv --original people.csv {} --plain school_years", kRoles25));
  EXPECT_EQ(verified.exit_code, 6) << verified.err;
  EXPECT_NE(verified.err.find("keeps its promise, but a finding stands in the way: reveals (school_years)"),
            std::string::npos)
      << verified.err;
  const auto risk = place.shoal(
      fmt::format("risk people.csv {} --plain school_years", "--identifier name --quasi age,sex,school --k 3"));
  EXPECT_EQ(risk.exit_code, 0);
  EXPECT_NE(risk.out.find("Finding reveals (school_years), to know"), std::string::npos) << risk.out;
  const auto wrong = place.shoal(command + " --accept reveal:school_years");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("did you mean 'reveals'?"), std::string::npos) << wrong.err;
  const auto slip = place.shoal(command + " --accept reveals:schoolyears");
  EXPECT_EQ(slip.exit_code, 2);
  EXPECT_NE(slip.err.find("accept: reveals:schoolyears: no column 'schoolyears' in 'people.csv'"), std::string::npos)
      << slip.err;
  EXPECT_NE(slip.err.find("did you mean 'school_years'?"), std::string::npos) << slip.err;
}

// relationship does not tell marital status, but a husband is married and a man.
TEST(SafeRelease, AdultsRelationshipNarrowsWhatIsRecoded) {
  const auto data = testing::data_folder();
  if (!data) GTEST_SKIP() << "no data";
  Workplace place;
  const std::string adult = (*data / "adult").string();
  const auto run =
      place.shoal("anonymize " + adult +
                  "/adult.csv -o out.csv --quasi age,workclass,education,marital-status,occupation,race,sex,"
                  "native-country --numeric age --k 5 --method shoal --param effort=fast --plain "
                  "relationship,capital-gain,capital-loss,hours-per-week --hierarchies " +
                  adult + "/hierarchies");
  EXPECT_EQ(run.exit_code, 6) << run.err;
  EXPECT_NE(run.err.find("accept: [reveals:relationship])"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("what does not go with"), std::string::npos) << run.err;
  EXPECT_FALSE(place.exists("out.csv"));
}

TEST(SafeRelease, EarlierReleases) {
  Workplace place;
  place.write("people.csv", csv(people(300)));
  ASSERT_EQ(place.shoal(fmt::format("anonymize people.csv -o first.csv {} --plain hours --quiet", kRoles)).exit_code,
            0);
  const std::string again = fmt::format(
      "anonymize people.csv -o second.csv --identifier name --quasi age,sex,school --sensitive illness --plain hours "
      "--k 3 --earlier first.csv");
  EXPECT_EQ(place.shoal(again + " --method mondrian").exit_code, 0) << "the same groups once more tell nothing new";
  const auto other = place.shoal(again + " --method shoal");
  EXPECT_EQ(other.exit_code, 6) << other.out;
  EXPECT_NE(other.err.find("Finding earlier"), std::string::npos) << other.err;
  EXPECT_EQ(place.shoal(again + " --method shoal --accept earlier").exit_code, 0);
  const auto missing = place.shoal(fmt::format("anonymize people.csv -o x.csv {} --earlier nothing.csv", kRoles));
  EXPECT_EQ(missing.exit_code, 3) << missing.err;
  EXPECT_EQ(place.shoal(again + " --json first.csv").exit_code, 2) << "an input may not be overwritten";
}

// A birth quarter beside a recoded age, and an age a year off: too few rows for any pair of values to be missed, but
// nobody old was born late.
TEST(SafeRelease, NumbersAndDatesThatGoAlongWithAQuasiNumber) {
  Workplace place;
  std::mt19937_64 random(4);
  std::string table = "age,sex,born,then,shoe\n";
  for (int i = 0; i < 1000; ++i) {
    const auto age = static_cast<int>(18 + random() % 60), shoe = static_cast<int>(36 + random() % 12);
    table += fmt::format("{},{},{}-{:02}-15,{},{}\n", age, random() % 2 ? "f" : "m", 2024 - age, 3 * (1 + random() % 4),
                         age + static_cast<int>(random() % 3) - 1, shoe);
  }
  place.write("people.csv", table);
  const auto run = [&](const std::string& plain) {
    return place.shoal(fmt::format("anonymize people.csv -o {}.csv --quasi age,sex --plain {} --k 25 --method mondrian",
                                   plain, plain));
  };
  for (const char* plain : {"born", "then"}) {
    const auto found = run(plain);
    EXPECT_EQ(found.exit_code, 6) << plain;
    EXPECT_NE(found.err.find(fmt::format("reveals ({}), STANDS IN THE WAY", plain)), std::string::npos) << found.err;
    EXPECT_FALSE(place.exists(std::string(plain) + ".csv"));
  }
  const auto nothing = run("shoe");
  EXPECT_EQ(nothing.exit_code, 0) << nothing.err;
  EXPECT_EQ(nothing.out.find("reveals"), std::string::npos) << nothing.out;
}

TEST(SafeRelease, FindingsDoNotDependOnTheOrderOfRequirements) {
  Workplace place;
  std::mt19937_64 random(5);
  std::string table = "a,b,c,pair\n";
  for (int i = 0; i < 400; ++i)
    table += fmt::format("{},{},{},{}\n", random() % 40, random() % 3, random() % 40, i / 2);
  place.write("people.csv", table);
  for (const char* asked :
       {"--require a,b:2 --require b,c:20", "--require b,c:20 --require a,b:2", "--require a,b:2 --require c:20"}) {
    const auto run = place.shoal(
        fmt::format("anonymize people.csv -o out.csv --quasi a,b,c --plain pair {} --method mondrian --quiet", asked));
    EXPECT_EQ(run.exit_code, 6) << asked;
    EXPECT_NE(run.err.find("near-unique (pair)"), std::string::npos) << asked << run.err;
  }
}

// Whatever the job says of the order: rows that stand as in a sorted input are found to.
TEST(SafeRelease, VerifyLooksAtTheOrderOfTheRows) {
  Workplace place;
  std::mt19937_64 random(6);
  std::vector<size_t> ages(1000);
  for (size_t& age : ages) age = 18 + random() % 60;
  std::sort(ages.begin(), ages.end());
  std::string table = "age,sex\n";
  for (size_t age : ages) table += fmt::format("{},{}\n", age, random() % 2 ? "f" : "m");
  place.write("people.csv", table);
  const std::string roles = "--quasi age,sex --k 20 --method mondrian";
  ASSERT_EQ(place.shoal("anonymize people.csv -o input.csv --order input --accept order --quiet " + roles).exit_code,
            0);
  ASSERT_EQ(place.shoal("anonymize people.csv -o released.csv --quiet " + roles).exit_code, 0);
  const auto found = place.shoal("verify input.csv --original people.csv " + roles);
  EXPECT_EQ(found.exit_code, 6) << found.out;
  EXPECT_NE(found.err.find("order (age)"), std::string::npos) << found.err;
  EXPECT_EQ(place.shoal("verify input.csv --original people.csv --accept order:age " + roles).exit_code, 0);
  EXPECT_EQ(place.shoal("verify released.csv --original people.csv " + roles).exit_code, 0);
}

TEST(SafeRelease, EarlierReleasesOfTheJobStayBesideThoseOfFlags) {
  Workplace place;
  place.write("people.csv", csv(people(400)));
  ASSERT_EQ(place.shoal(fmt::format("anonymize people.csv -o first.csv {} --quiet", kRoles)).exit_code, 0);
  ASSERT_EQ(
      place
          .shoal("anonymize people.csv -o coarse.csv --identifier name --quasi age,sex,school --sensitive illness "
                 "--k 200 --method mondrian --quiet")
          .exit_code,
      0);
  place.write(
      "job.yaml",
      "input: people.csv\noutput: out.csv\nearlier: [first.csv]\ncolumns: {name: identifier, age: quasi, sex: quasi, "
      "school: quasi, illness: sensitive}\nk: 3\nmethod: top-down\n");
  const auto alone = place.shoal("anonymize --job job.yaml --quiet");
  ASSERT_EQ(alone.exit_code, 6) << alone.err;
  const auto both = place.shoal("anonymize --job job.yaml --quiet --earlier coarse.csv");
  EXPECT_EQ(both.exit_code, 6) << both.err;
  EXPECT_NE(both.err.find("earlier"), std::string::npos) << both.err;
}

TEST(SafeRelease, NoRowMayBeMissingUnlessTheJobSaysSo) {
  Workplace place;
  place.write("people.csv", csv(people(90)));
  const std::string roles = "--identifier name --quasi age,sex,school --sensitive illness --k 3";
  ASSERT_EQ(place.shoal("anonymize people.csv -o out.csv --quiet --method mondrian " + roles).exit_code, 0);
  const std::string all = place.read("out.csv");
  // The last row of a group of more than 3, so that k still holds.
  std::map<std::string, int> rows;
  std::vector<std::string> lines;
  for (size_t at = 0, end = 0; (end = all.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(all.substr(at, end - at));
  const auto group = [](const std::string& line) { return line.substr(0, line.rfind(',')); };
  for (const std::string& line : lines) ++rows[group(line)];
  const auto gone =
      std::find_if(lines.begin() + 1, lines.end(), [&](const std::string& line) { return rows[group(line)] > 3; });
  ASSERT_NE(gone, lines.end());
  lines.erase(gone);
  std::string fewer;
  for (const std::string& line : lines) fewer += line + "\n";
  place.write("fewer.csv", fewer);
  for (const char* method : {"", "--method datafly", "--method kaca", "--method mondrian"}) {
    const auto found = place.shoal(fmt::format("verify fewer.csv --original people.csv {} {}", roles, method));
    EXPECT_EQ(found.exit_code, 5) << method << found.out;
    EXPECT_NE(found.out.find("1 are missing, and the job lets 0 be dropped"), std::string::npos) << found.out;
  }
  EXPECT_EQ(
      place.shoal(fmt::format("verify fewer.csv --original people.csv {} --method datafly --suppress-rows 0.02", roles))
          .exit_code,
      0);
}

// As many rows as the job lets be dropped, by the search as by the verification.
TEST(SafeRelease, TheShareOfDroppedRowsIsRoundedOnce) {
  Workplace place;
  std::string table = "q\n";
  for (int i = 0; i < 30; ++i) table += i < 20 ? "a\n" : fmt::format("b{}\n", i);
  place.write("people.csv", table);
  for (const char* method : {"incognito", "allmin", "datafly", "k-optimize", "genetic"}) {
    for (const char* share : {"0.3333333", "0.33333333333333"}) {
      const auto run = place.shoal(fmt::format(
          "anonymize people.csv -o out.csv --quasi q --categorical q --k 2 --suppress-rows {} --method {} --quiet",
          share, method));
      EXPECT_EQ(run.exit_code, 0) << method << share << run.err;
    }
  }
}

TEST(SafeRelease, AValueThatReadsLikeAHiddenOneIsRefusedOrMissing) {
  Workplace place;
  place.write("people.csv", "q\n*\n*\na\na\nb\nc\n");
  const auto refused = place.shoal("anonymize people.csv -o out.csv --quasi q --k 2");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("the quasi column 'q' has the value '*'"), std::string::npos) << refused.err;
  ASSERT_EQ(place.shoal("anonymize people.csv -o out.csv --quasi q --k 2 --missing '*' --quiet").exit_code, 0);
  EXPECT_EQ(place.shoal("verify out.csv --original people.csv --quasi q --k 2 --missing '*'").exit_code, 0);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
