// The engine says what is wrong in words of the job; the command line adds how to say it here.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

namespace fs = std::filesystem;
using testing::Workplace;

// No text of the engine names a flag, so that Python, Spark and a page can show it as it is.
TEST(Advice, TheEngineNamesNoFlags) {
  const std::regex flag(R"(^[^/]*"[^"]*[ `(](--[a-z][a-z-]+|-o) ?[^"]*")");
  size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(testing::kSourceFolder) / "shoal")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".cpp" || name.ends_with("_test.cpp")) continue;
    ++files;
    std::ifstream file(entry.path());
    size_t number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      EXPECT_FALSE(std::regex_search(line, flag)) << name << ":" << number << ": " << line;
    }
  }
  EXPECT_GT(files, 100u);
}

struct Mistake {
  const char* arguments;
  std::vector<const char*> said;
};

// What, then what to do, then how to say it, with the flag and the key.
TEST(Advice, TheCommandLineSaysHow) {
  const Mistake mistakes[] = {
      {"anonymize people.csv -o out.csv --k 2", {"no quasi column", "(--quasi age,zip; in a job file `"}},
      {"anonymize people.csv -o out.csv --quasi age", {"no requirement", "(--k 5; in a job file `k: 5`)"}},
      {"anonymize people.csv -o out.csv --quasi age,sex --k 2 --method tdr",
       {"target", "(--target COLUMN; in a job file"}},
      {"anonymize people.csv -o out.csv --quasi age --k 2 --param objective=classification",
       {"no column is the target", "--target COLUMN"}},
      {"anonymize people.csv -o out.csv --quasi age,sex,zip --require age,sex:2 --require sex,zip:3 --method mingen",
       {"takes one requirement", "(--union; in a job file `union: true`)"}},
      {"anonymize people.csv -o out.csv --quasi age,sex --k 2 --hierarchies two",
       {"two hierarchy files", "--hierarchy sex=FILE"}},
      {"evaluate people.csv --quasi age,zip --k 2 --methods mondrian", {"no target", "--target COLUMN"}},
      {"evaluate people.csv --quasi age,zip --target sex --methods mondrian",
       {"no k to evaluate with", "--k 10,50,100"}},
      {"evaluate people.csv --quasi age,zip --target sex --k 2", {"no method to evaluate", "--methods kactus,tdr"}},
      {"measure people.csv --original people.csv --quasi age,sex --queries 0", {"0 queries", "--queries 1000"}},
      {"measure people.csv --original people.csv --quasi age,sex --queries 5 --query-sum sex",
       {"'sex', is not numeric", "--query-sum", "--numeric"}},
      {"measure people.csv --original people.csv --quasi age,sex --queries 5 --query-columns ag",
       {"'ag' is no quasi column", "did you mean 'age'", "--query-columns"}},
      {"apply none.json people.csv -o out.csv", {"is not a recoding", "`shoal anonymize --recoding FILE` writes one"}},
  };
  Workplace place;
  place.write("people.csv", "age,sex,zip\n34,F,1020\n35,F,1021\n34,M,1020\n36,M,1021\n");
  place.write("two/a_sex.csv", "F;*\nM;*\n");
  place.write("two/b_sex.csv", "F;*\nM;*\n");
  place.write("none.json", "{}");
  for (const Mistake& mistake : mistakes) {
    const auto run = place.shoal(mistake.arguments);
    EXPECT_NE(run.exit_code, 0) << mistake.arguments;
    for (const char* words : mistake.said) {
      EXPECT_NE(run.err.find(words), std::string::npos)
          << mistake.arguments << "\n  should say: " << words << "\n  says: " << run.err;
    }
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
