// Limits bind: a memory limit the whole process, a time budget and an interrupt every method.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "shoal/files/memory_plan.h"
#include "shoal/method/method.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Every row has numbers of its own, so that groups, indices and tables of tuples are as large as they can be.
std::string people(int rows) {
  std::string text = "age,weight,zip,sex,job,income\n";
  for (int64_t i = 0; i < rows; ++i) {
    text += fmt::format("{},{},{},{},j{},{}\n", 18 + i * 7919 % 70, i * 104729 % 1000003, 1000 + i * 31 % 5003,
                        i % 2 ? "F" : "M", i * 13 % 40, i * 7 % 3 ? "low" : "high");
  }
  return text;
}

constexpr const char* kRoles =
    "--quasi age,weight,zip,sex,job --numeric age,weight,zip --target income --k 5 --threads 2";

TEST(MemoryPlan, GrowsWithTheTable) {
  const MemoryPlan small = memory_plan({1000, 5, 1, Shape::regions, false});
  const MemoryPlan more_rows = memory_plan({1'000'000, 5, 1, Shape::regions, false});
  const MemoryPlan more_columns = memory_plan({1'000'000, 15, 1, Shape::regions, false});
  EXPECT_LT(small.sum(), more_rows.sum());
  EXPECT_LT(more_rows.sum(), more_columns.sum());
  EXPECT_LT(more_columns.sum(), memory_plan({1'000'000, 15, 4, Shape::regions, false}).sum());
  EXPECT_LT(more_columns.sum(), memory_plan({1'000'000, 15, 1, Shape::groups, false}).sum());
  EXPECT_LT(more_columns.sum(), memory_plan({1'000'000, 15, 1, Shape::regions, true}).sum());
  EXPECT_EQ(memory_plan({1'000'000, 15, 1, std::nullopt, false}).search, 0u);
}

TEST(MemoryPlan, DuckDbIsToldWhatIsLeftOfTheLimit) {
  constexpr uint64_t kMega = 1'000'000;
  const WatchedLimit limit{8000 * kMega, 90 * kMega};
  // What was planned, where the process holds no more than was thought.
  EXPECT_EQ(database_share(limit, 200 * kMega, 5000 * kMega), 5000 * kMega);
  // Less where it holds more, so that both stay below the limit with what DuckDB takes beside what it is told.
  const uint64_t share = database_share(limit, 3000 * kMega, 5000 * kMega);
  EXPECT_LT(share, 4000 * kMega);
  EXPECT_GT(share, 3000 * kMega);
  EXPECT_LT(database_share(limit, 4000 * kMega, 5000 * kMega), share);
  // What it cannot work without it gets, also where nothing is left.
  EXPECT_EQ(database_share(limit, 8000 * kMega, 5000 * kMega), 90 * kMega);
  EXPECT_EQ(database_share(limit, 9000 * kMega, 5000 * kMega), 90 * kMega);
  EXPECT_EQ(database_share(limit, 9000 * kMega, 60 * kMega), 60 * kMega);
}

TEST(MemoryLimit, TooLowIsSaidBeforeTheWorkAndEnoughIsKept) {
  Workplace place;
  place.write("in.csv", people(60000));
  const std::string run = fmt::format("anonymize in.csv -o out.csv --json r.json --method mondrian {} ", kRoles);
  const auto low = place.shoal(run + "--memory-limit 60MB");
  EXPECT_EQ(low.exit_code, 2);
  EXPECT_TRUE(holds(low.err, "the memory limit of 60 MB is too low")) << low.err;
  EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv"}));
  // The number that it names is enough, and it is kept to. (Sanitizers need memory of their own.)
  const size_t at = low.err.find(" need ");
  ASSERT_NE(at, std::string::npos) << low.err;
  const int needed = std::stoi(low.err.substr(at + 6));
  const auto enough = place.shoal(fmt::format("{} --memory-limit {}MB", run, needed));
  ASSERT_EQ(enough.exit_code, 0) << enough.err;
  EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv", "out.csv", "r.json"}));
#ifndef __SANITIZE_ADDRESS__
#ifndef __SANITIZE_THREAD__
  const auto report = nlohmann::json::parse(place.read("r.json"));
  EXPECT_LT(report.at("peak_memory_bytes").get<double>(), 1.15e6 * needed);
#endif
#endif
}

TEST(MemoryLimit, RowsAreCountedInCompressedFormats) {
  Workplace place;
  place.write("in.csv", people(20000));
  for (const char* name : {"a.parquet", "a.csv.gz"}) {
    ASSERT_EQ(place.shoal(fmt::format("anonymize in.csv -o {} --method mondrian {}", name, kRoles)).exit_code, 0);
    const auto low = place.shoal(fmt::format("risk {} --quasi sex,job --memory-limit 60MB", name));
    EXPECT_EQ(low.exit_code, 2) << name;
    const size_t at = low.err.find("about ");
    ASSERT_NE(at, std::string::npos) << low.err;
    EXPECT_NEAR(std::stoi(low.err.substr(at + 6)), 20000, 600) << low.err;
  }
}

class EveryMethodStops : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods()) {
    if (method.name != "mingen") names.push_back(method.name);  // it refuses tables of this size
  }
  return names;
}

// Processor time of the programs that were started and have ended: what else runs on the machine does not count.
double used_by_programs() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Under sanitizers everything takes longer: the limits here are far above two seconds, and far below what the search
// would take without them where it is long. bench/limits.sh measures.
TEST_P(EveryMethodStops, WhenTheBudgetIsUsedUpOrAsked) {
  Workplace place;
  place.write("in.csv", people(30000));
  const std::string output = GetParam() == "kadet" ? "out.json" : "out.csv";
  // Where the five columns are more than the method checks together, that is asked for.
  const std::string weaker = GetParam() == "mu-argus" ? " --param combinations=3" : "";
  const std::string run =
      fmt::format("anonymize in.csv -o {} --json r.json --method {} {}{}", output, GetParam(), kRoles, weaker);
  double before = used_by_programs();
  const auto budget = place.shoal(run + " --time-budget 0.05");
  ASSERT_EQ(budget.exit_code, 0) << budget.err;
  EXPECT_LT(used_by_programs() - before, 30);
  place.shell("rm -f out.* r.json");
  before = used_by_programs();
  const auto stopped =
      place.shell(fmt::format("{} {} & shoal=$!; sleep 0.7; kill -INT $shoal; wait $shoal", testing::kProgram, run));
  EXPECT_LT(used_by_programs() - before, 30);
  EXPECT_TRUE(stopped.exit_code == 130 || stopped.exit_code == 0) << stopped.exit_code << stopped.err;
  if (stopped.exit_code == 130) {
    EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv"}));
  }
}
INSTANTIATE_TEST_SUITE_P(Limits, EveryMethodStops, ::testing::ValuesIn(method_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
