// A table that no process holds as a whole, planned from counts and searched fragment by fragment, against the same
// table searched in memory: row by row the same release.
#include "shoal/release/table_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "shoal/error.h"
#include "shoal/files/anonymize_arrow.h"
#include "shoal/read/duck.h"
#include "shoal/release/arrow_columns.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using Rows = std::vector<std::vector<std::string>>;

const std::vector<std::string> kColumns{"age", "note", "zip", "ill", "work"};

std::unique_ptr<ArrowTable> table_of(const std::vector<std::string>& names, const Rows& rows) {
  std::vector<ArrowColumn> columns;
  for (size_t j = 0; j < names.size(); ++j) {
    columns.push_back(ArrowColumn::of_texts(names[j]));
    for (const auto& row : rows) {
      if (row[j].empty()) {
        columns[j].add_null();
      } else {
        columns[j].add_text(row[j]);
      }
    }
  }
  ArrowArrayStream stream{};
  ArrowColumns(std::move(columns)).stream(stream);
  return std::make_unique<ArrowTable>(stream, "people");
}

Rows rows_of(const ArrowColumns& release) {
  ArrowArrayStream stream{};
  release.stream(stream);
  ArrowTable table(stream, "release");
  std::vector<size_t> all(table.columns().size());
  std::iota(all.begin(), all.end(), size_t{0});
  Rows rows;
  Progress progress;
  table.read(all, progress, [&](TextStream& cells) {
    while (cells.next()) {
      for (size_t row = 0; row < cells.size(); ++row) {
        auto& copy = rows.emplace_back();
        for (size_t j : all) copy.emplace_back(cells.cell(j, row));
      }
    }
  });
  return rows;
}

Rows people(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  const auto one_of = [&](size_t values) { return random() % values; };
  Rows rows;
  for (size_t i = 0; i < count; ++i) {
    const size_t age = 20 + one_of(60);
    rows.push_back({one_of(15) == 0 ? (one_of(2) ? "" : "?") : std::to_string(age), "n" + std::to_string(one_of(40)),
                    std::to_string(1000 + one_of(5) * 100 + one_of(4)), std::string(1, char('r' + one_of(4))),
                    one_of(9) == 0 ? "it's" : std::string(1, char('a' + (age / 20 + one_of(2))))});
  }
  return rows;
}

Job job_with(const std::string& method, const std::string& fragments) {
  Job job;
  for (const char* name : {"age", "zip", "work"}) job.column(name).role = Role::quasi;
  job.column("zip").hierarchy = HierarchySpec{"", BuilderSpec{"mask", {}}, {}};
  job.column("note").role = Role::plain;
  job.column("ill").role = Role::sensitive;
  job.missing = {"?"};
  job.k = 3;
  job.method = method;
  job.params = {{"fragments", fragments}};
  if (method == "shoal") job.params["effort"] = "fast";
  job.accept = {"near-unique", "reveals", "one-value", "tight"};
  job.threads = 1;
  return job;
}

ModelSpec model_of(ModelKind kind) {
  ModelSpec model;
  model.kind = kind;
  model.column = "ill";
  return model;
}

// What a driver does, with counts that come from loops over the rows.
class Driver {
 public:
  Driver(const Job& job, const Rows& rows) : job_(job), rows_(rows) {
    TablePlan plan;
    plan.rows = rows.size();
    plan.columns = kColumns;
    for (size_t j : {0, 2, 3, 4}) {
      std::map<std::string, size_t> counts;
      for (const auto& row : rows) ++counts[row[j]];
      Rows listed;
      for (const auto& [text, count] : counts) listed.push_back({text, std::to_string(count)});
      std::reverse(listed.begin(), listed.end());  // any order
      plan.domains.push_back(read_domain(kColumns[j], *table_of({"value", "count"}, listed), progress_));
    }
    table_ = std::make_shared<const PlannedTable>(job, std::move(plan));
  }

  // `distinct_ill`: so many different illnesses make a fragment one that may stand alone.
  void plan(size_t distinct_ill) {
    FragmentPlanner planner(table_);
    ASSERT_GT(planner.sizes().fragments, 1u) << planner.reason();
    const auto keys = table_->keys(*table_of(kColumns, rows_), progress_);
    std::map<std::string, size_t> counts;
    for (const std::string& key : keys) ++counts[key];
    Rows tuples;
    for (const auto& [key, count] : counts) tuples.push_back({key, std::to_string(count)});
    std::shuffle(tuples.begin(), tuples.end(), std::mt19937_64(7));
    const auto counted = table_of({"key", "count"}, tuples);
    const auto drawn = table_->drawn(*counted, planner.sizes().pilot_rows, progress_);
    Rows pilot;
    for (size_t i = 0; i < tuples.size(); ++i) pilot.push_back({tuples[i][0], std::to_string(drawn[i])});
    planner.grow(*table_of({"key", "count"}, pilot), progress_);
    std::vector<uint64_t> rows;
    std::map<uint32_t, std::set<std::string>> ill;
    do {
      const PlannedTable now(job_, TablePlan::from_bytes(planner.plan().bytes()));
      rows.assign(planner.plan().tree.nodes().size(), 0);
      ill.clear();
      const auto leaves = now.leaves(*counted, progress_);
      std::map<std::string, uint32_t> leaf_of;
      for (size_t i = 0; i < tuples.size(); ++i) leaf_of[tuples[i][0]] = leaves[i];
      for (size_t row = 0; row < rows_.size(); ++row) {
        ++rows[leaf_of.at(keys[row])];
        ill[leaf_of.at(keys[row])].insert(rows_[row][3]);
      }
    } while (planner.cut_again(rows));
    planner.join(rows, [&](std::span<const uint32_t> leaves) {
      std::set<std::string> together;
      for (uint32_t leaf : leaves) together.insert(ill[leaf].begin(), ill[leaf].end());
      return together.size() >= distinct_ill;
    });
    table_ = std::make_shared<const PlannedTable>(job_, TablePlan::from_bytes(planner.plan().bytes()));
  }

  std::vector<Rows> parts() {
    std::vector<Rows> parts(table_->plan().fragments());
    const auto fragment_of_row = table_->fragments(*table_of(kColumns, rows_), progress_);
    for (size_t row = 0; row < rows_.size(); ++row) parts.at(fragment_of_row[row]).push_back(rows_[row]);
    return parts;
  }

  const PlannedTable& table() const { return *table_; }

 private:
  Job job_;
  Rows rows_;
  Progress progress_;
  std::shared_ptr<const PlannedTable> table_;
};

Rows sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

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
      Driver driver(job, rows);
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

TEST(TablePlan, RoutesBySqlAsByItsTree) {
  DuckDb duck(1, std::nullopt);
  Progress progress;
  const Rows rows = people(3, 400);
  Driver driver(job_with("shoal", "8"), rows);
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
  Driver driver(job, rows);
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
    return refusal([&] { Driver(job, rows); });
  };
  EXPECT_NE(with([](Job& job) { job.time_budget = 3; }).find("time budget"), std::string::npos);
  EXPECT_NE(with([](Job& job) { job.order = Order::input; }).find("order"), std::string::npos);
  EXPECT_NE(with([](Job& job) {
              job.params.clear();
              job.method = "mondrian";
            }).find("fragments"),
            std::string::npos);
  EXPECT_NE(with([](Job& job) {
              job.models.push_back(model_of(ModelKind::t_closeness));
              job.models.back().t = {1, 2};
            }).find("whole table"),
            std::string::npos);
  EXPECT_NE(with([](Job& job) { job.column("salary").role = Role::quasi; }).find("salary"), std::string::npos);
}

TEST(TablePlan, RefusesRowsAndBytesOfOtherTables) {
  Progress progress;
  const Rows rows = people(1, 200);
  Driver driver(job_with("shoal", "3"), rows);
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
