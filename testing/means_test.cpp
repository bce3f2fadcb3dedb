// Releases with means, from the command line: what is written, and what verification and measures make of it.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "testing/run_program.h"

namespace shoal::testing {
namespace SHOAL_THIS_FILE {

constexpr const char* kColumns = "--quasi age,job,pay --numeric age,pay --missing ? --target class --k 6";

using Rows = std::vector<std::vector<std::string>>;

// No cell has a comma in it: means and `*` only.
Rows rows_of(const std::string& csv) {
  Rows rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

// age, job and pay decide the class with some noise; some ages are missing.
std::string people(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::string text = "age,job,pay,class\n";
  for (size_t i = 0; i < count; ++i) {
    const uint64_t age = 20 + random() % 40, job = random() % 3, pay = random() % 1000;
    const bool rich = (job == 0 ? age > 41 : pay > 600) != (random() % 10 == 0);
    text += fmt::format("{},j{},{}.{},{}\n", random() % 30 == 0 ? "?" : std::to_string(age), job, pay, random() % 10,
                        rich ? "Y" : "N");
  }
  return text;
}

struct MeansCommand : ::testing::Test {
  Workplace place;
  ProgramRun anonymize(const std::string& more = "", const std::string& order = "input") {
    return place.shoal(fmt::format(
        "anonymize people.csv -o release.csv --json report.json {} --method kactus --param numeric=mean --order {} {}",
        kColumns, order, more));
  }
  ProgramRun verify(const std::string& more = "--method kactus") {
    return place.shoal(fmt::format("verify release.csv --original people.csv {} {}", kColumns, more));
  }
  nlohmann::json report() { return nlohmann::json::parse(place.read("report.json")); }
};

TEST_F(MeansCommand, ReleasedNumbersAreTheMeansOfTheirGroups) {
  size_t means = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    place.write("people.csv", people(seed, 90 + seed));
    const ProgramRun run = anonymize(fmt::format("--seed {} --suppress-rows 0", seed));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Rows originals = rows_of(place.read("people.csv")), released = rows_of(place.read("release.csv"));
    ASSERT_EQ(originals.size(), released.size());
    std::map<std::vector<std::string>, std::vector<size_t>> groups;
    for (size_t row = 0; row < released.size(); ++row) {
      groups[{released[row].begin(), released[row].begin() + 3}].push_back(row);
      EXPECT_TRUE(released[row][1] == "*" || released[row][1] == originals[row][1]);
    }
    for (const auto& [cells, rows] : groups) {
      EXPECT_GE(rows.size(), 6u);
      for (size_t j : {size_t{0}, size_t{2}}) {
        if (cells[j] == "*") continue;
        double total = 0;
        for (size_t row : rows) total += std::stod(originals[row][j]);
        EXPECT_NEAR(std::stod(cells[j]), total / double(rows.size()), j == 0 ? 0.00501 : 0.000501);
        ++means;
      }
    }
    // What the release lost is the same, measured from the file.
    const ProgramRun measured = place.shoal(
        fmt::format("measure release.csv --original people.csv --json m.json {} --method kactus", kColumns));
    ASSERT_EQ(measured.exit_code, 0) << measured.err;
    const auto now = nlohmann::json::parse(place.read("m.json"))["measures"], then = report()["measures"];
    EXPECT_NEAR(now["gcp"].get<double>(), then["gcp"].get<double>(), 1e-9);
    EXPECT_EQ(now["dm"], then["dm"]);
  }
  EXPECT_GT(means, 60u);
}

TEST_F(MeansCommand, AChangedMeanIsFound) {
  place.write("people.csv", people(3, 120));
  ASSERT_EQ(anonymize("--suppress-rows 0").exit_code, 0);
  EXPECT_EQ(verify().exit_code, 0);
  std::string release = place.read("release.csv");
  const size_t point = release.find('.', release.find('\n'));
  ASSERT_NE(point, std::string::npos);
  // One cell, and then all cells of that group: the first breaks the group, the second only the mean.
  const size_t begin = release.find_last_of(",\n", point) + 1, end = release.find(',', point);
  const std::string mean = release.substr(begin, end - begin);
  std::string other = mean;
  other[other.find('.') - 1] = other[other.find('.') - 1] == '5' ? '6' : '5';
  std::string one = release;
  one.replace(begin, mean.size(), other);
  place.write("release.csv", one);
  EXPECT_EQ(verify().exit_code, 5);
  for (size_t at = 0; (at = release.find(mean, at)) != std::string::npos;) release.replace(at, mean.size(), other);
  place.write("release.csv", release);
  const ProgramRun run = verify();
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_NE(run.out.find(fmt::format("'{}', and the mean is ", other)), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("is not the mean of the"), std::string::npos) << run.out;
}

TEST_F(MeansCommand, WithoutTheMethodMeansAreNoValues) {
  place.write("people.csv", people(3, 120));
  ASSERT_EQ(anonymize().exit_code, 0);
  const ProgramRun run = verify("");
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_NE(run.out.find("means are checked when the job names the method"), std::string::npos) << run.out;
  const ProgramRun measured = place.shoal(fmt::format("measure release.csv --original people.csv {}", kColumns));
  EXPECT_EQ(measured.exit_code, 3);
  EXPECT_NE(measured.err.find("if it is a mean, name the method"), std::string::npos) << measured.err;
  const ProgramRun slip = verify("--method kaktus");
  EXPECT_EQ(slip.exit_code, 2);
  EXPECT_NE(slip.err.find("unknown method 'kaktus'; did you mean 'kactus'?"), std::string::npos) << slip.err;
}

TEST_F(MeansCommand, DroppedAndSortedRowsAreCheckedByTheirNumbers) {
  bool dropped = false;
  for (uint64_t seed = 1; seed <= 30 && !dropped; ++seed) {
    place.write("people.csv", people(seed, 100));
    ASSERT_EQ(anonymize("--suppress-rows 0.2", "released").exit_code, 0);
    ASSERT_TRUE(report()["verification"].dump().find("released means are those of their originals") !=
                std::string::npos)
        << report()["verification"].dump();
    ASSERT_EQ(anonymize("--suppress-rows 0.2").exit_code, 0);
    ASSERT_TRUE(report()["verification"].dump().find("released means are those of their originals") !=
                std::string::npos);
    dropped = report()["rows_dropped"].get<int>() > 0;
  }
  ASSERT_TRUE(dropped) << "no seed drops rows; the test shows nothing";
  // Whoever was dropped is not in the file.
  const ProgramRun run = verify();
  EXPECT_EQ(run.exit_code, 5) << run.out;
  EXPECT_NE(run.out.find("rows were dropped, and which ones"), std::string::npos) << run.out;
}

TEST_F(MeansCommand, RangesAreThereForTheAsking) {
  place.write("people.csv", people(3, 120));
  for (const char* numeric : {"range", "path"}) {
    ASSERT_EQ(anonymize(fmt::format("--param numeric={}", numeric)).exit_code, 0);
    EXPECT_NE(place.read("release.csv").find("\"["), std::string::npos);
    EXPECT_EQ(verify("").exit_code, 0) << numeric;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal::testing
