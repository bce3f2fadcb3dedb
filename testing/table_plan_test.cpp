// A table that no process holds as a whole, planned from counts and searched fragment by fragment, against the same
// table searched in memory: row by row the same release.
#include "shoal/release/table_plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "shoal/error.h"
#include "shoal/files/anonymize_arrow.h"
#include "shoal/files/duck_table.h"
#include "shoal/read/duck.h"
#include "shoal/read/read_tree.h"
#include "shoal/release/verify_release.h"
#include "testing/table_plan_driver.h"

namespace shoal {
namespace SHOAL_THIS_FILE {
using namespace planned;

TEST(TablePlan, FragmentsInOtherProcessesGiveTheReleaseOfOneProcess) {
  Progress progress;
  size_t searched = 0;
  for (const char* method : {"shoal", "kaca", "bottom-up", "top-down"}) {
    for (const size_t distinct : {1, 4}) {
      const Rows rows = people(distinct + 5, 260);
      Job job = job_with(method, "5");
      if (distinct > 1) {
        job.models.push_back(model_of(ModelKind::distinct_l));
        job.models.back().l = {distinct, 1};
      }
      const auto whole = table_of(kColumns, rows);
      const Release expected = anonymize(job, *whole, progress);
      ASSERT_EQ(expected.report.status, Status::released) << method << ": " << expected.report.reason;
      PlanDriver driver(job, rows);
      driver.plan(distinct);
      Rows released;
      for (size_t number = 0; const Rows& part : driver.parts()) {
        Rows other_way(part.rbegin(), part.rend());
        const FragmentOfTable fragment = driver.table().fragment(number++);
        const Release one = anonymize(job, *table_of(kColumns, other_way), progress, {.fragment = &fragment});
        ASSERT_EQ(one.report.status, Status::released) << method << ": " << one.report.reason;
        const Rows found = rows_of(one.table);
        released.insert(released.end(), found.begin(), found.end());
        ++searched;
      }
      EXPECT_EQ(sorted(released), sorted(rows_of(expected.table))) << method << " " << distinct;
    }
  }
  EXPECT_GT(searched, 16u);  // tables were cut
}

TEST(TablePlan, FragmentsCompareWithTheWholeTable) {
  Progress progress;
  size_t refused = 0, searched = 0;
  const auto expect_the_rows_of_one_process = [&](const Job& job, const Rows& rows, const std::string& what) {
    const Release expected = anonymize(job, *table_of(kColumns, rows), progress);
    ASSERT_EQ(expected.report.status, Status::released) << what << ": " << expected.report.reason;
    PlanDriver driver(job, rows);
    Rows released;
    refused += driver.release(released);
    searched += driver.table().plan().fragments();
    EXPECT_EQ(sorted(released), sorted(rows_of(expected.table))) << what;
  };
  uint64_t seed = 20;
  for (const char* text : {"t-closeness:ill:t=0.35", "t-closeness:ill:t=0.3,distance=ordered",
                           "t-closeness:ill:t=0.3,distance=hierarchical", "beta-likeness:ill:beta=2,form=basic",
                           "beta-likeness:ill:beta=3", "delta-disclosure:ill:delta=2.5",
                           "t-closeness:ill:t=0.75,joint=true", "beta-likeness:ill:beta=4,form=basic,joint=true"}) {
    for (const char* method : {"shoal", "kaca", "bottom-up", "top-down"}) {
      Job job = job_with(method, "6");
      job.models = {parse_model(text)};
      job.column("ill").order = {"r", "s", "t", "u"};
      if (job.models[0].distance == Distance::hierarchical) {
        job.column("ill").order.clear();
        job.column("ill").hierarchy =
            HierarchySpec{"", {}, parse_tree_text("r,mild,*\ns,mild,*\nt,bad,*\nu,bad,*\n", "ill.csv").tree};
      }
      if (job.models[0].joint) job.column("work").role = Role::sensitive;
      // Of a joint model each fragment has its own pairs, and its own numbers for them.
      expect_the_rows_of_one_process(job, ill_by_age(++seed, 300), std::string(method) + " " + text);
    }
  }
  EXPECT_GT(refused, 0u);    // leaves that break a model joined others
  EXPECT_GT(searched, 64u);  // and yet tables were cut
}

TEST(TablePlan, RequirementsThatShareNoColumnAreSearchedOneFamilyAfterTheOther) {
  Progress progress;
  size_t cut = 0;
  uint64_t seed = 60;
  const std::vector<std::vector<RequirementJob>> asked{
      {{{"age"}, 3}, {{"zip", "work"}, 4}},
      {{{"zip"}, 5}, {{"age", "work"}, 3, {parse_model("distinct-l:ill:l=3")}}, {{"work"}, 6}},
      {{{"work"}, 4}, {{"zip"}, 3}, {{"age"}, 5}},
  };
  const std::vector<const char*> others{"kaca", "bottom-up", "top-down"};
  for (const auto& requirements : asked) {
    for (const char* more : {"", "t-closeness:ill:t=0.4", "distinct-l:ill:l=2,joint=true", "person"}) {
      for (const char* method : {"shoal", others[seed % others.size()]}) {
        const std::string what = fmt::format("{} {} {}", method, more, ++seed);
        Rows rows = ill_by_age(seed, 300);
        Job job = job_with(method, "6");
        job.k.reset();
        job.requirements = requirements;
        job.ranges = std::array{Ranges::tight, Ranges::snapped, Ranges::nodes}[seed / 2 % 3];
        const bool could_drop = std::string(method) == "kaca";
        if (could_drop) job.suppress_rows = 0.1;  // nothing comes of it
        if (std::string(more) == "person") {
          job.column("note").role = Role::person;
        } else if (*more != 0) {
          job.models = {parse_model(more)};
        }
        if (std::string(more).ends_with("joint=true")) {
          job.column("note").role = Role::sensitive;
          for (auto& row : rows) row[1] = row[1].size() > 2 ? "long" : "short";
        }
        const Release expected = anonymize(job, *table_of(kColumns, rows), progress);
        ASSERT_EQ(expected.report.status, Status::released) << what << ": " << expected.report.reason;
        PlanDriver driver(job, rows);
        EXPECT_TRUE(driver.table().notices().empty());
        const PlanDriver::ByFamily found = driver.release_by_family();
        EXPECT_EQ(sorted(found.released), sorted(rows_of(expected.table))) << what;
        EXPECT_NEAR(found.ncp, expected.report.measures.ncp, 1e-9) << what;
        EXPECT_EQ(found.fragments.size(), requirements.front().columns.front() == "zip" ? 2u : requirements.size());
        EXPECT_EQ(driver.table().notices().size(), could_drop ? 1u : 0u);
        for (size_t fragments : found.fragments) cut += fragments > 1;
      }
    }
  }
  EXPECT_GT(cut, 30u);
}

TEST(TablePlan, FamiliesThatNobodyCutsStayTogether) {
  Job job = job_with("shoal", "auto");
  job.k.reset();
  job.requirements = {{{"age"}, 3}, {{"zip", "work"}, 4}};
  PlanDriver driver(job, people(3, 200));
  const std::vector<TablePlan> plans = driver.table().by_family();
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_FALSE(plans.front().family.has_value());
  TablePlan strange = plans.front();
  strange.family = 2;
  EXPECT_THROW(PlannedTable(job, strange), Error);
  EXPECT_EQ(TablePlan::from_bytes(strange.bytes()).family, 2u);
}

TEST(TablePlan, PersonsAreCountedInEveryFragment) {
  Progress progress;
  const Rows rows = people(8, 300);
  for (const char* method : {"shoal", "kaca", "bottom-up", "top-down"}) {
    Job job = job_with(method, "5");
    job.column("note").role = Role::person;
    const Release expected = anonymize(job, *table_of(kColumns, rows), progress);
    ASSERT_EQ(expected.report.status, Status::released) << expected.report.reason;
    PlanDriver driver(job, rows);
    Rows released;
    driver.release(released);
    EXPECT_GT(driver.table().plan().fragments(), 1u);
    EXPECT_EQ(sorted(released), sorted(rows_of(expected.table))) << method;
  }
}

TEST(TablePlan, APartThatCouldDropRowsJoinsOthersAsInOneProcess) {
  Progress progress;
  const Rows rows = ill_by_age(5, 300);
  Job job = job_with("kaca", "6");
  job.suppress_rows = 0.2;
  job.models = {parse_model("t-closeness:ill:t=0.3"), parse_model("distinct-l:ill:l=4")};
  const Release expected = anonymize(job, *table_of(kColumns, rows), progress);
  ASSERT_EQ(expected.report.status, Status::released) << expected.report.reason;
  PlanDriver driver(job, rows);
  Rows released;
  driver.release(released);
  EXPECT_EQ(sorted(released), sorted(rows_of(expected.table)));
}

// A release in a DuckDB of its own.
class ReleaseInDuckDb : public SqlEngine {
 public:
  ReleaseInDuckDb(TableSource& release, const std::vector<size_t>& columns) : duck_(1, std::nullopt) {
    std::vector<std::string> names;
    for (size_t j : columns) names.push_back(release.columns()[j]);
    release.read(columns, progress_, [&](TextStream& rows) { create_table("release", names, rows); });
  }
  std::vector<std::vector<std::string>> query(const std::string& sql) override { return duck_.query(sql, progress_); }
  void create_table(const std::string& name, const std::vector<std::string>& columns, TextStream& rows) override {
    create_duck_table(duck_, name, columns, rows, progress_);
  }

 private:
  DuckDb duck_;
  Progress progress_;
};
std::unique_ptr<SqlEngine> counted_by_duckdb(TableSource& release, const std::vector<size_t>& columns) {
  return std::make_unique<ReleaseInDuckDb>(release, columns);
}

// What a fragment's report and verification say is about the whole table, too.
TEST(TablePlan, AFragmentIsVerifiedAgainstTheWholeTable) {
  Progress progress;
  const Rows rows = ill_by_age(7, 300);
  Job job = job_with("shoal", "4");
  PlanDriver driver(job, rows);
  driver.plan(1);
  const Rows part = driver.parts().front();
  const FragmentOfTable fragment = driver.table().fragment(0);
  const Release one = anonymize(job, *table_of(kColumns, part), progress, {.fragment = &fragment});
  ASSERT_EQ(one.report.status, Status::released) << one.report.reason;
  double farthest = 0;
  for (const ModelValues& model : one.report.privacy.sensitive.at(0).models) {
    if (model.spec.kind == ModelKind::t_closeness) farthest = std::max(farthest, model.worst);
  }
  // The same groups, by loops over the rows.
  std::map<std::string, double> whole;
  for (const auto& row : rows) whole[row[3]] += 1.0 / double(rows.size());
  std::map<std::vector<std::string>, std::map<std::string, double>> groups;
  for (const auto& row : rows_of(one.table)) ++groups[{row[0], row[2], row[4]}][row[3]];
  double expected = 0;
  for (const auto& [cells, counts] : groups) {
    double size = 0, distance = 0;
    for (const auto& [value, count] : counts) size += count;
    for (const auto& [value, share] : whole) {
      const auto count = counts.find(value);
      distance += std::abs((count == counts.end() ? 0 : count->second / size) - share) / 2;
    }
    expected = std::max(expected, distance);
  }
  EXPECT_NEAR(farthest, expected, 1e-9);

  // Counts that are not at hand as rows: what is promised is found kept, found broken, or not checked.
  const auto result_of = [&](const std::string& text, std::span<const Domain> domains) {
    Job asked = job;
    asked.models = {parse_model(text)};
    ArrowArrayStream stream{};
    one.table.stream(stream);
    ArrowTable release(stream, "release");
    const Verification found = verify_release(asked, release, {nullptr, nullptr, domains}, counted_by_duckdb, progress);
    return to_string(found.checks.back().result);
  };
  const std::string just = fmt::format("t-closeness:ill:t={:.6f}", expected + 1e-5);
  const std::string less = fmt::format("t-closeness:ill:t={:.6f}", expected - 1e-5);
  EXPECT_EQ(result_of(just, driver.table().plan().domains), "passed");
  EXPECT_EQ(result_of(less, driver.table().plan().domains), "failed");
  EXPECT_EQ(result_of(just, {}), "not checked");
  std::vector<Domain> strange = driver.table().plan().domains;
  strange[2].texts.back() = "v";  // a value of the release is not there
  EXPECT_EQ(result_of("t-closeness:ill:t=1", strange), "failed");
  for (uint64_t& count : strange[2].counts) count += uint64_t{1} << 32;
  EXPECT_THROW(result_of(just, strange), Error);
}

TEST(TablePlan, BitsLostFollowFromCountsOfReleasedTexts) {
  Progress progress;
  size_t dropped = 0;
  for (uint64_t seed = 30; seed < 40; ++seed) {
    const Rows rows = people(seed, 120);
    Job job = job_with(seed % 2 == 0 ? "shoal" : "kaca", "off");
    if (seed % 2 != 0) {
      job.suppress_rows = 0.3;
      job.params["outlier"] = "0.1";
    }
    const Release release = anonymize(job, *table_of(kColumns, rows), progress);
    ASSERT_EQ(release.report.status, Status::released) << release.report.reason;
    dropped += release.report.rows_dropped;
    const PlanDriver driver(job, rows);
    double lost = 0, at_root = 0;
    for (size_t j : {0, 2, 4}) {
      std::map<std::string, uint64_t> counts;
      for (const auto& row : rows_of(release.table)) ++counts[row[j]];
      std::vector<std::string> texts;
      std::vector<uint64_t> cells;
      for (const auto& [text, count] : counts) {
        texts.push_back(text);
        cells.push_back(count);
      }
      const BitsLost bits = driver.table().bits_lost(kColumns[j], texts, cells);
      lost += bits.lost;
      at_root += bits.at_root;
      cells.front() += 1000;
      EXPECT_THROW(driver.table().bits_lost(kColumns[j], texts, cells), Error);
      EXPECT_THROW(driver.table().bits_lost(kColumns[j], {"nothing"}, {1}), Error);
    }
    EXPECT_NEAR(lost, release.report.measures.entropy, 1e-6);
    EXPECT_NEAR(lost / at_root, release.report.measures.entropy_ratio, 1e-9);
  }
  EXPECT_GT(dropped, 0u);
}

TEST(TablePlan, FewTuplesMakeFewFragmentsUnlessTheJobSaysHowMany) {
  const auto fragments = [](const std::string& asked, uint64_t rows, uint64_t tuples) {
    TablePlan plan;
    plan.rows = rows;
    plan.columns = kColumns;
    for (size_t j : {0, 2, 3, 4}) plan.domains.push_back({kColumns[j], {"1", "2"}, {rows / 2, rows - rows / 2}});
    FragmentPlanner planner(std::make_shared<const PlannedTable>(job_with("shoal", asked), std::move(plan)));
    planner.count_tuples(tuples);
    EXPECT_EQ(planner.sizes().fragments < 2, !planner.reason().empty()) << planner.reason();
    return planner.sizes().fragments;
  };
  EXPECT_EQ(fragments("auto", 1'000'000, 300'000), 15u);
  EXPECT_EQ(fragments("auto", 1'000'000, 8'100), 4u);
  EXPECT_EQ(fragments("auto", 1'000'000, 8), 2u) << "no more than 500,000 rows";
  EXPECT_EQ(fragments("auto", 200'000, 3'999), 1u);
  EXPECT_EQ(fragments("7", 200'000, 3'999), 7u);
}

TEST(TablePlan, RoutesBySqlAsByItsTree) {
  DuckDb duck(1, std::nullopt);
  Progress progress;
  const Rows rows = people(3, 400);
  PlanDriver driver(job_with("shoal", "8"), rows);
  driver.plan(1);
  const std::vector<PlannedTable::Stored> texts(3, PlannedTable::Stored::text);
  const auto sql = driver.table().fragments_sql(texts, 1'000'000);
  ASSERT_TRUE(sql);
  std::string values;
  for (const auto& row : rows) {
    values += values.empty() ? "(" : ", (";
    for (size_t j = 0; j < row.size(); ++j) {
      values += (j ? ", " : "") + (row[j].empty() ? std::string("NULL") : sql_literal(row[j]));
    }
    values += ")";
  }
  const auto answer =
      duck.query("SELECT " + *sql + " FROM (VALUES " + values + ") AS t(age, note, zip, ill, work)", progress);
  const auto expected = driver.table().fragments(*table_of(kColumns, rows), progress);
  ASSERT_EQ(answer.size(), rows.size());
  std::set<uint32_t> seen;
  for (size_t row = 0; row < rows.size(); ++row) {
    EXPECT_EQ(answer[row][0], std::to_string(expected[row]));
    seen.insert(expected[row]);
  }
  EXPECT_GT(seen.size(), 2u);
  EXPECT_FALSE(driver.table().fragments_sql(texts, 10));
  EXPECT_FALSE(driver.table().fragments_sql(std::vector(3, PlannedTable::Stored::other), 1'000'000));
}

TEST(TablePlan, RoutesNumbersByTheirSize) {
  DuckDb duck(1, std::nullopt);
  Progress progress;
  Rows rows = people(11, 400);
  for (auto& row : rows) {
    if (row[0] == "?") row[0] = "";
    row[4] = "a";  // nothing to cut there
  }
  Job job = job_with("shoal", "8");
  job.missing.clear();
  job.column("zip").hierarchy.reset();
  PlanDriver driver(job, rows);
  driver.plan(1);
  const std::vector<PlannedTable::Stored> stored{PlannedTable::Stored::whole_number, PlannedTable::Stored::whole_number,
                                                 PlannedTable::Stored::text};
  const auto sql = driver.table().fragments_sql(stored, 1'000'000);
  ASSERT_TRUE(sql);
  EXPECT_TRUE(sql->find("\"age\" <") != std::string::npos || sql->find("\"zip\" <") != std::string::npos) << *sql;
  EXPECT_EQ(sql->find(" IN "), std::string::npos) << *sql;
  std::string values;
  for (const auto& row : rows) {
    values += std::string(values.empty() ? "" : ", ") + "(CAST(" + (row[0].empty() ? "NULL" : row[0]) +
              " AS BIGINT), CAST(" + row[2] + " AS BIGINT), 'a')";
  }
  const auto answer = duck.query("SELECT " + *sql + " FROM (VALUES " + values + ") AS t(age, zip, work)", progress);
  const auto expected = driver.table().fragments(*table_of(kColumns, rows), progress);
  ASSERT_EQ(answer.size(), rows.size());
  for (size_t row = 0; row < rows.size(); ++row) EXPECT_EQ(answer[row][0], std::to_string(expected[row]));
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(TablePlan, RefusesWhatItCannotDo) {
  const Rows rows = people(1, 60);
  const auto with = [&](const std::function<void(Job&)>& change) {
    Job job = job_with("shoal", "3");
    change(job);
    return refusal([&] { PlanDriver(job, rows); });
  };
  EXPECT_NE(with([](Job& job) { job.time_budget = 3; }).find("time budget"), std::string::npos);
  EXPECT_NE(with([](Job& job) { job.order = Order::input; }).find("order"), std::string::npos);
  EXPECT_NE(with([](Job& job) {
              job.params.clear();
              job.method = "mondrian";
            }).find("fragments"),
            std::string::npos);
  EXPECT_NE(
      with([](Job& job) { job.models.push_back(parse_model("k-map:k=2")); }).find("compares groups with a population"),
      std::string::npos);
  EXPECT_NE(with([](Job& job) { job.column("salary").role = Role::quasi; }).find("salary"), std::string::npos);
}

TEST(TablePlan, RefusesRowsAndBytesOfOtherTables) {
  Progress progress;
  const Rows rows = people(1, 200);
  PlanDriver driver(job_with("shoal", "3"), rows);
  driver.plan(1);
  Rows strange = rows;
  strange[17][0] = "177";
  EXPECT_NE(refusal([&] { driver.table().fragments(*table_of(kColumns, strange), progress); }).find("'177'"),
            std::string::npos);
  EXPECT_NE(refusal([&] { driver.table().leaves(*table_of({"key"}, {{"0,0,0,0"}}), progress); }).find("key"),
            std::string::npos);
  const std::string bytes = driver.table().plan().bytes();
  EXPECT_EQ(TablePlan::from_bytes(bytes).bytes(), bytes);
  for (const std::string& wrong :
       {std::string(), bytes.substr(0, bytes.size() - 1), "x" + bytes, std::string("\xA0")}) {
    EXPECT_NE(refusal([&] { TablePlan::from_bytes(wrong); }).find("not a plan"), std::string::npos);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
