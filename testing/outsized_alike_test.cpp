// A table that stays in private files, searched by its different rows alone: the release of the same job in memory,
// byte for byte, whatever the method, with models, several requirements and dropped rows.
#include <gtest/gtest.h>

#include <random>

#include "shoal/files/anonymize_files.h"
#include "shoal/files/anonymize_outsized.h"
#include "shoal/files/memory_plan.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"
#include "shoal/write/outputs.h"
#include "testing/alike_methods.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

// Few different values, some of them rare, so that rows are dropped; a note with commas; an ailment that depends on the
// town.
std::string patients(int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "name,age,town,job,ailment,note,class\n";
  for (int i = 0; i < rows; ++i) {
    const auto town = std::min(random() % 8, random() % 8);
    const std::string age = random() % 25 == 0 ? "" : std::to_string(30 + std::min(random() % 12, random() % 12));
    text += fmt::format("n{},{},t{}{},j{},a{},{},{}\n", i, age, town / 2, town % 2,
                        std::min(random() % 5, random() % 5), (random() % 4 + town / 3) % 5,
                        random() % 3 == 0 ? "\"a, \"\"b\"\"\"" : fmt::format("x{}", random() % 4),
                        (random() % 4 == 0) != (town > 4) ? "yes" : "no");
  }
  return text;
}

constexpr const char* kTowns =
    "t00;t0*;*\nt01;t0*;*\nt10;t1*;*\nt11;t1*;*\nt20;t2*;*\nt21;t2*;*\nt30;t3*;*\nt31;t3*;*\n";

FileJob job_for(const Workplace& place, const MethodEntry& method, const std::string& output) {
  FileJob job;
  job.files.input = (place.folder() / "in.csv").string();
  job.files.output = (place.folder() / output).string();
  job.column("name").role = Role::identifier;
  for (const char* column : {"age", "town", "job"}) job.column(column).role = Role::quasi;
  job.column("age").type = ColumnType::numeric;
  job.column("town").hierarchy.emplace().file = (place.folder() / "towns.csv").string();
  job.column("ailment").role = Role::sensitive;
  job.column("note").role = Role::plain;
  job.column("class").role = method.needs_target ? Role::target : Role::plain;
  job.k = 4;
  job.method = method.name;
  if (method.name == "genetic") job.params["generations"] = "3";
  if (method.name == "mu-argus") job.params["combinations"] = "2";
  job.accept = {"near-unique", "reveals", "order", "tight", "one-value", "persons", "types"};
  job.threads = 2;
  return job;
}

// As anonymize_files does it for a table that does not fit.
Report outsized(const FileJob& job, Progress& progress, size_t most_bytes = 20'000) {
  Outputs outputs;
  register_files(job, outputs);
  outputs.prepare();
  std::vector<std::string> notices;
  const FileJob run = with_hierarchies_read(job, notices);
  InputFile input(run.files.input, run, progress, outputs.at(kReleaseOutput).path());
  EXPECT_EQ(why_not_outsized(run, input.table, 1000), "");
  Report report = anonymize_outsized({run, most_bytes}, input, outputs, progress);
  outputs.publish(progress);
  return report;
}

void expect_alike(const std::vector<ModelValues>& a, const std::vector<ModelValues>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].worst, b[i].worst);
    EXPECT_EQ(a[i].groups_broken, b[i].groups_broken);
    EXPECT_EQ(a[i].rows_broken, b[i].rows_broken);
  }
}

void expect_alike(const Report& a, const Report& b) {
  EXPECT_NEAR(a.measures.gcp, b.measures.gcp, 1e-12);
  EXPECT_NEAR(a.measures.prec, b.measures.prec, 1e-12);
  EXPECT_NEAR(a.measures.lm, b.measures.lm, 1e-12);
  EXPECT_NEAR(a.measures.entropy, b.measures.entropy, 1e-6);
  EXPECT_EQ(a.measures.rows, b.measures.rows);
  EXPECT_EQ(a.measures.dm, b.measures.dm);
  EXPECT_EQ(a.measures.c_avg, b.measures.c_avg);
  EXPECT_EQ(a.measures.rows_ratio, b.measures.rows_ratio);
  EXPECT_EQ(a.measures.cm, b.measures.cm);
  EXPECT_EQ(a.rows_out, b.rows_out);
  EXPECT_EQ(a.rows_dropped, b.rows_dropped);
  EXPECT_EQ(a.group_sizes, b.group_sizes);
  EXPECT_EQ(a.group_sizes_before, b.group_sizes_before);
  EXPECT_EQ(a.cells_suppressed, b.cells_suppressed);
  EXPECT_EQ(a.search.details, b.search.details);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t j = 0; j < a.columns.size(); ++j) {
    EXPECT_EQ(a.columns[j].values_out, b.columns[j].values_out);
    EXPECT_EQ(a.columns[j].level, b.columns[j].level);
    EXPECT_NEAR(a.columns[j].shares_moved, b.columns[j].shares_moved, 1e-9);
  }
  ASSERT_EQ(a.verification.checks.size(), b.verification.checks.size());
  for (size_t i = 0; i < a.verification.checks.size(); ++i) {
    EXPECT_EQ(a.verification.checks[i].name, b.verification.checks[i].name);
    EXPECT_EQ(a.verification.checks[i].detail, b.verification.checks[i].detail);
  }
  ASSERT_EQ(a.requirements.size(), b.requirements.size());
  for (size_t i = 0; i < a.requirements.size(); ++i) {
    EXPECT_EQ(a.requirements[i].min_group, b.requirements[i].min_group);
    expect_alike(a.requirements[i].models, b.requirements[i].models);
    expect_alike(a.requirements[i].models_before, b.requirements[i].models_before);
  }
}

struct Wish {
  const char* name;
  std::vector<const char*> models = {};
  std::vector<RequirementJob> requirements = {};
  double suppress_rows = 0;
  Order order = Order::released;
  const char* output = "out.csv";
  bool note_is_sensitive = false;
};

const std::vector<Wish>& wishes() {
  static const std::vector<Wish> all{
      {"k"},
      {"k in the input's order", {}, {}, 0, Order::input},
      {"dropping", {}, {}, 0.1},
      {"dropping, in the input's order, Parquet", {}, {}, 0.1, Order::input, "out.parquet"},
      {"dropping, Parquet", {}, {}, 0.15, Order::released, "out.parquet"},
      {"models", {"distinct-l:ailment:l=2", "t-closeness:ailment:t=0.5"}},
      {"models and dropping", {"distinct-l:ailment:l=3"}, {}, 0.2},
      {"several", {}, {{{"age", "town"}, 5}, {{"town", "job"}, 9}}},
      {"several apart, with models", {"distinct-l:ailment:l=2"}, {{{"age"}, 6}, {{"job", "town"}, 4}}},
      {"several with models and dropping",
       {"distinct-l:ailment:l=2"},
       {{{"age", "town"}, 5}, {{"job", "town"}, 4}},
       0.2},
      {"joint", {"distinct-l:ailment:l=2,joint=true"}, {}, 0, Order::released, "out.csv", true},
      {"joint and dropping", {"confidence:ailment:alpha=0.7,joint=true"}, {}, 0.2, Order::released, "out.csv", true},
  };
  return all;
}

class OutsizedAlike : public ::testing::TestWithParam<const MethodEntry*> {};

TEST_P(OutsizedAlike, SameBytesAsInMemory) {
  const MethodEntry& method = *GetParam();
  Workplace place;
  place.write("in.csv", patients(900, 17));
  place.write("towns.csv", kTowns);
  int released = 0, dropping = 0;
  for (const Wish& wish : wishes()) {
    SCOPED_TRACE(wish.name);
    if (wish.suppress_rows > 0 && !method.drops_rows) continue;
    if (wish.requirements.size() > 1 && !method.several_requirements) continue;
    if (!wish.models.empty() && !method.obeys_models) continue;
    FileJob job = job_for(place, method, wish.output);
    if (!wish.requirements.empty()) job.k.reset();
    job.requirements = wish.requirements;
    for (const char* model : wish.models) job.models.push_back(parse_model(model));
    if (method.drops_rows) job.suppress_rows = wish.suppress_rows;
    job.order = wish.order;
    if (wish.note_is_sensitive) job.column("note").role = Role::sensitive;
    Progress progress;
    const Report in_memory = anonymize_files(job, progress);
    const std::string expected = in_memory.status == Status::released ? place.read(wish.output) : "";
    std::filesystem::remove(place.folder() / wish.output);
    const Report found = outsized(job, progress);
    ASSERT_EQ(found.status, in_memory.status) << found.reason << in_memory.reason;
    EXPECT_EQ(found.reason, in_memory.reason);
    for (const std::string& notice : in_memory.notices) {
      EXPECT_NE(std::find(found.notices.begin(), found.notices.end(), notice), found.notices.end()) << notice;
    }
    if (in_memory.status != Status::released) continue;
    EXPECT_TRUE(place.read(wish.output) == expected) << "other bytes";
    EXPECT_TRUE(found.verification.ok());
    expect_alike(found, in_memory);
    ++released;
    dropping += found.rows_dropped > 0;
    std::filesystem::remove(place.folder() / wish.output);
    EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv", "towns.csv"}));
    if (HasFailure()) return;
  }
  EXPECT_GE(released, 4);
  if (method.drops_rows) {
    EXPECT_GT(dropping, 0);
  }
}

// Findings are looked for in some groups, which are drawn. With so few that chance draws none, one is looked at all the
// same: before, the run ended with a table without rows.
TEST(OutsizedAlikeRows, OneLargeGroup) {
  Workplace place;
  std::string text = "sex\n";
  for (int i = 0; i < 600'000; ++i) text += "F\n";
  place.write("in.csv", text);
  FileJob job;
  job.files.input = (place.folder() / "in.csv").string();
  job.files.output = (place.folder() / "out.csv").string();
  job.column("sex").role = Role::quasi;
  job.k = 4;
  job.method = "datafly";
  Progress progress;
  const Report report = outsized(job, progress, 4'000'000);
  EXPECT_EQ(report.status, Status::released) << report.reason;
  EXPECT_EQ(report.rows_out, 600'000U);
}

INSTANTIATE_TEST_SUITE_P(Methods, OutsizedAlike, ::testing::ValuesIn(testing::alike_methods()), testing::test_name);

// 700,000 rows of few different ones, under a limit that does not hold them in memory.
TEST(OutsizedAlikeRows, FitWhereAllRowsDoNot) {
  Workplace place;
  place.write("in.csv", patients(700'000, 5));
  place.write("towns.csv", kTowns);
  FileJob job = job_for(place, *find_method("mondrian"), "out.csv");
  job.column("note").role = Role::identifier;
  job.column("ailment").role = Role::identifier;
  job.column("class").role = Role::identifier;
  Progress progress;
  const Report whole = anonymize_files(job, progress);
  ASSERT_EQ(whole.status, Status::released) << whole.reason;
  const std::string expected = place.read("out.csv");
  job.memory_limit = 275'000'000;
  std::filesystem::remove(place.folder() / "out.csv");
  const Report found = anonymize_files(job, progress);
  ASSERT_EQ(found.status, Status::released) << found.reason;
  EXPECT_TRUE(place.read("out.csv") == expected) << "other bytes";
  EXPECT_TRUE(std::any_of(found.notices.begin(), found.notices.end(), [](const std::string& notice) {
    return notice.find("are different and were searched") != std::string::npos;
  })) << "it was in memory";
}

TEST(OutsizedAlikeRows, WhatCannotBeDoneIsSaid) {
  Workplace place;
  place.write("in.csv", patients(300, 3));
  place.write("towns.csv", kTowns);
  const FileJob job = job_for(place, *find_method("mondrian"), "out.csv");
  Progress progress;
  InputFile input(job.files.input, job, progress);
  EXPECT_EQ(why_not_outsized(job, input.table, 300), "");
  FileJob relaxed = job;
  relaxed.params["cuts"] = "relaxed";
  EXPECT_EQ(why_not_outsized(relaxed, input.table, 300), "method mondrian may part equal rows (cuts=relaxed)");
  FileJob persons = job;
  persons.column("name").role = Role::person;
  EXPECT_NE(why_not_outsized(persons, input.table, 300).find("persons ('name')"), std::string::npos);
  FileJob tree = job;
  tree.method = "kactus";
  EXPECT_EQ(why_not_outsized(tree, input.table, 300), "method kactus searches all rows together");
  // More different rows than the limit holds: the number is told.
  try {
    fit_alike_rows(job, input.table, {1'000'000, 900'000}, 1'000'000);
    FAIL() << "900,000 rows in 1 MB";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::job);
    EXPECT_NE(std::string(error.what()).find("900000 of the 1000000 rows are different"), std::string::npos)
        << error.what();
  }
  fit_alike_rows(job, input.table, {1'000'000, 1000}, 1'000'000);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
