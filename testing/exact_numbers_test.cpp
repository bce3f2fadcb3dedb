// Numbers that a double cannot hold, and codes that only look like numbers, from the command line.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>

#include "testing/run_program.h"

namespace shoal::testing {
namespace SHOAL_THIS_FILE {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ExactNumbers, NeighboursBeyondDoublesStayApart) {
  Workplace place;
  place.write("cards.csv", "card\n9400123412341237\n9400123412341236\n9400123412341235\n");
  for (const char* method : {"mondrian", "shoal", "incognito", "bottom-up"}) {
    const auto run = place.shoal(
        fmt::format("anonymize cards.csv -o release.csv --quasi card --k 1 --numeric card --method {}", method));
    ASSERT_EQ(run.exit_code, 0) << method << run.err;
    std::istringstream lines(place.read("release.csv"));
    std::multiset<std::string> released;
    for (std::string line; std::getline(lines, line);) released.insert(line);
    EXPECT_EQ(released,
              (std::multiset<std::string>{"card", "9400123412341235", "9400123412341236", "9400123412341237"}))
        << method;
  }
  const std::string flags = "--original cards.csv --quasi card --k 1 --numeric card";
  place.write("release.csv", "card\n9400123412341237\n9400123412341236\n9400123412341236\n");
  EXPECT_EQ(place.shoal("verify release.csv " + flags).exit_code, 5);
  place.write("release.csv", "card\n9400123412341237.0\n9400123412341236\n\"[9400123412341235,9400123412341236]\"\n");
  EXPECT_EQ(place.shoal("verify release.csv " + flags).exit_code, 0);
  place.write("release.csv", "card\n9400123412341237\n9400123412341236\n\"[9400123412341236,9400123412341237]\"\n");
  EXPECT_EQ(place.shoal("verify release.csv " + flags).exit_code, 5);
}

// Ranges end in numbers of the table, whatever their length, and the release is verified.
TEST(ExactNumbers, LongNumbersAreReleasedAsTheyWereWritten) {
  Workplace place;
  std::mt19937_64 random(1);
  std::string table = "amount,sex\n";
  for (int i = 0; i < 60; ++i) {
    const auto sign = random() % 4 == 0 ? "-" : "";
    table += fmt::format("{}12345678901234567890.{:09}{:03},{}\n", sign, random() % 3, random() % 1000,
                         random() % 2 ? "f" : "m");
  }
  place.write("in.csv", table);
  for (const char* method : {"mondrian", "shoal", "bottom-up", "kaca"}) {
    const auto run = place.shoal(fmt::format(
        "anonymize in.csv -o release.csv --quasi amount,sex --k 3 --numeric amount --method {} --json r.json", method));
    ASSERT_EQ(run.exit_code, 0) << method << run.err << place.read("r.json");
    std::string release = place.read("release.csv");
    for (char& c : release) {
      if (std::string("[],\"\n").find(c) != std::string::npos) c = ' ';
    }
    std::istringstream words(release);
    size_t numbers = 0;
    for (std::string word; words >> word;) {
      if (word.size() < 10) continue;
      EXPECT_TRUE(holds(table, "\n" + word + ",")) << method << " made up " << word;
      ++numbers;
    }
    EXPECT_GT(numbers, 10u) << method;
    EXPECT_EQ(place.shoal("verify release.csv --original in.csv --quasi amount,sex --k 3 --numeric amount").exit_code,
              0);
  }
}

TEST(ExactNumbers, ACodeHasOneSpelling) {
  Workplace place;
  place.write("in.csv", "zip\n02139\n10001\n10002\n");
  const std::string flags = "--original in.csv --quasi zip --k 1";
  place.write("same.csv", "zip\n02139\n10001\n10002\n");
  EXPECT_EQ(place.shoal("verify same.csv " + flags).exit_code, 0);
  place.write("number.csv", "zip\n2139\n10001\n10002\n");
  EXPECT_EQ(place.shoal("verify number.csv " + flags).exit_code, 5);
  EXPECT_EQ(place.shoal("verify number.csv --numeric zip " + flags).exit_code, 0);
  // The other cells of such a column are codes, too.
  place.write("range.csv", "zip\n02139\n\"[10001,10002]\"\n\"[10001,10002]\"\n");
  const auto run = place.shoal("verify range.csv " + flags);
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_TRUE(holds(run.out, "holds texts that are no numbers")) << run.out;
  EXPECT_EQ(place.shoal("verify range.csv --numeric zip " + flags).exit_code, 0);
}

TEST(ExactNumbers, HierarchiesAreBuiltAndMatchedExactly) {
  Workplace place;
  place.write("in.csv", "card\n9400123412341237\n9400123412341236\n9400123412341235\n9400123412341234\n");
  for (const char* settings : {"--kind intervals --set width=2", "--kind quantiles --set parts=2",
                               "--kind intervals --set edges=9400123412341236"}) {
    const auto tree = place.shoal(fmt::format("hierarchy build in.csv --column card {} -o tree.csv --force", settings));
    ASSERT_EQ(tree.exit_code, 0) << tree.err;
    const std::string text = place.read("tree.csv");
    EXPECT_TRUE(holds(text, "9400123412341236")) << text;
    const auto run = place.shoal(
        "anonymize in.csv -o out.csv --quasi card --k 2 --numeric card --hierarchy card=tree.csv --method incognito");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const auto check = place.shoal("hierarchy check tree.csv --values in.csv --column card");
    EXPECT_FALSE(holds(check.out + check.err, "does not contain")) << settings << check.out << check.err;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal::testing
