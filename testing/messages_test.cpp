// Messages as people read them: no brackets behind brackets, no word twice, one row and not "1 rows".
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

namespace fs = std::filesystem;
using testing::Workplace;

TEST(Messages, AdviceStandsInOneBracket) {
  const Workplace place;
  place.write("a.csv", "id,age\n1,20\n2,21\n");
  const auto run = place.shoal("anonymize a.csv -o o.csv --k 2");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err,
            "shoal: no quasi column; say which columns an attacker may know (--quasi age,zip; in a job file `columns: "
            "{age: quasi}`)\n");
  const auto twice = place.shoal("anonymize a.csv -o o.csv --quasi age --k 2 --others drop");
  EXPECT_TRUE(twice.err.starts_with("shoal: --others: 'drop' is neither plain nor leave-out")) << twice.err;
}

// Of the engine's messages that a door ends with its advice, none ends with a bracket of its own.
TEST(Messages, NoneWithAdviceEndsWithABracket) {
  const std::regex bracket_then_advice("\\)\"[^;\"]*Advice\\{");
  size_t advice = 0;
  for (const char* folder : {"shoal", "cli", "web"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(testing::kSourceFolder) / folder)) {
      if (entry.path().extension() != ".cpp") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      for (size_t at = text.find("Advice{"); at != std::string::npos; at = text.find("Advice{", at + 1), ++advice) {
        const size_t start = text.rfind('"', at);
        const std::string between = start == std::string::npos ? "" : text.substr(start, at - start);
        if (between.find(';') != std::string::npos) continue;
        EXPECT_NE(text[start - 1], ')') << entry.path() << ": " << text.substr(start > 60 ? start - 60 : 0, 80);
      }
    }
  }
  EXPECT_GT(advice, 15u);
}

// A table of one row, and settings of 1.
TEST(Messages, OneRowIsNotOneRows) {
  const Workplace place;
  place.write("one.csv", "id,age,sex,ill\n1,20,F,yes\n");
  place.write("few.csv", "id,age,sex,ill\n1,20,F,yes\n2,21,M,no\n3,22,F,no\n4,23,M,yes\n5,20,F,yes\n6,21,M,no\n");
  place.write("few_release.csv", "age,sex\n*,*\n");
  place.write("tree.csv", "20\n21,young,*\n22,young,*\n23,young,*\n");
  const std::string quasi = "--quasi age,sex --k 2";
  const char* const commands[] = {
      "inspect one.csv",
      "risk one.csv --quasi age,sex",
      "anonymize one.csv -o o1.csv --quasi age,sex --k 2",
      "anonymize one.csv -o o2.csv --quasi age,sex --k 2 --method incognito",
      "anonymize one.csv -o o3.csv --quasi age,sex --k 1",
      "compare one.csv --quasi age,sex --k 2 --methods mondrian",
      "anonymize few.csv -o o4.csv --quasi age,sex --k 2 --method mu-argus --param combinations=1",
      "anonymize few.csv -o o5.csv --quasi age,sex --k 2 --method mu-argus",
      "verify few_release.csv --original few.csv --quasi age,sex --k 2",
      "measure few_release.csv --original few.csv --quasi age,sex --k 2",
      "attack o3.csv --original one.csv --quasi age,sex",
      "risk one.csv --quasi age --population-size 0",
      "hierarchy check tree.csv --values few.csv --column age",
      "anonymize few.csv -o o6.csv --quasi age,sex --sensitive ill --k 2 --model lkc:ill:l=1,k=2,c=1",
      "anonymize few.csv -o o7.csv --quasi age,sex --k 7",
      "anonymize few.csv -o o8.csv --quasi age,sex --k 2 --method kaca",
      "anonymize few.csv -o o9.csv --quasi age,sex --k 2 --method incognito --suppress-rows 1",
      "evaluate few.csv --quasi age,sex --target ill --k 50 --methods tdr --learners nb"};
  // "combinations of 1 columns", "1 rows", but not "0.1 rows" or "21 rows".
  const std::regex plural(
      "(^|[^0-9.,])1 "
      "(rows|columns|groups|values|cells|persons|people|methods|levels|merges|pairs|sets|leaves|members|requirements|"
      "findings|lines|files)\\b");
  for (const std::string command : commands) {
    const auto run = place.shoal(command + (command.starts_with("hierarchy") ? "" : " --json report.json"));
    for (const std::string& text : {run.out, run.err, place.read("report.json")}) {
      std::smatch found;
      EXPECT_FALSE(std::regex_search(text, found, plural)) << command << ": '" << found.str() << "' in\n" << text;
    }
    EXPECT_NE(run.exit_code, 1) << command << run.err;
    EXPECT_EQ(run.err.find(") ("), std::string::npos) << command << ": " << run.err;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
