// A table that stays in private files gives the release that the same fragments give in memory, byte for byte, says the
// same about it, and leaves nothing behind.
#include <gtest/gtest.h>

#include <random>

#include "shoal/files/anonymize_files.h"
#include "shoal/files/anonymize_outsized.h"
#include "shoal/files/memory_plan.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"
#include "shoal/write/outputs.h"
#include "testing/run_program.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::Workplace;

// Some columns with many equal cells, missing ones, a plain one with commas and quotes, a class.
std::string people(int rows, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "name,age,town,job,note,class\n";
  for (int i = 0; i < rows; ++i) {
    text += fmt::format("n{},{},{},{},{},{}\n", i, random() % 20 == 0 ? "" : std::to_string(20 + random() % 50),
                        fmt::format("t{}", random() % 12), fmt::format("j{}", random() % 7),
                        random() % 3 == 0 ? "\"a, \"\"b\"\"\"" : fmt::format("x{}", random() % 40),
                        random() % 4 == 0 ? "yes" : "no");
  }
  return text;
}

FileJob job_for(const Workplace& place, const std::string& input, const std::string& output) {
  FileJob job;
  job.files.input = (place.folder() / input).string();
  job.files.output = (place.folder() / output).string();
  job.column("name").role = Role::identifier;
  for (const char* column : {"age", "town", "job"}) job.column(column).role = Role::quasi;
  job.column("age").type = ColumnType::numeric;
  job.column("note").role = Role::plain;
  job.k = 4;
  job.method = "shoal";
  job.params = {{"fragments", "5"}, {"effort", "fast"}};
  job.accept = {"near-unique", "reveals", "order", "tight", "one-value", "persons", "types"};
  job.threads = 2;
  return job;
}

// As anonymize_files does it for a table that does not fit.
Report outsized(const FileJob& job, size_t most_bytes, Progress& progress) {
  Outputs outputs;
  register_files(job, outputs);
  outputs.prepare();
  FileJob run = job;
  std::vector<std::string> notices;
  run = with_hierarchies_read(run, notices);
  InputFile input(run.files.input, run, progress, outputs.at(kReleaseOutput).path() + ".spill");
  EXPECT_EQ(why_not_outsized(run, input.table, 1000), "");
  Report report = anonymize_outsized({run, most_bytes}, input, outputs, progress);
  outputs.publish(progress);
  return report;
}

void expect_alike(const Measures& a, const Measures& b) {
  EXPECT_NEAR(a.gcp, b.gcp, 1e-12);
  EXPECT_NEAR(a.prec, b.prec, 1e-12);
  EXPECT_NEAR(a.lm, b.lm, 1e-12);
  EXPECT_NEAR(a.distortion, b.distortion, 1e-6);
  EXPECT_NEAR(a.entropy, b.entropy, 1e-6);
  EXPECT_NEAR(a.modification_rate, b.modification_rate, 1e-12);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.dm, b.dm);
  EXPECT_EQ(a.c_avg, b.c_avg);
  EXPECT_EQ(a.rows_ratio, b.rows_ratio);
  EXPECT_EQ(a.cm, b.cm);
}

TEST(Outsized, SameBytesAsInMemory) {
  Workplace place;
  place.write("in.csv", people(2500, 11));
  int runs = 0;
  for (const char* output : {"out.csv", "out.parquet", "out.jsonl"}) {
    for (const Order order : {Order::released, Order::input}) {
      for (const bool with_class : {false, true}) {
        for (const Ranges ranges : {Ranges::snapped, Ranges::tight}) {
          if (++runs % 3 == 0 && std::string(output) != "out.csv") continue;
          FileJob job = job_for(place, "in.csv", output);
          job.column("class").role = with_class ? Role::target : Role::identifier;
          job.order = order;
          job.ranges = ranges;
          SCOPED_TRACE(fmt::format("{} order {} class {} ranges {}", output, static_cast<int>(order), with_class,
                                   to_string(ranges)));
          Progress progress;
          const Report in_memory = anonymize_files(job, progress);
          ASSERT_EQ(in_memory.status, Status::released) << in_memory.reason;
          const std::string expected = place.read(output);
          std::filesystem::remove(place.folder() / output);
          // Nearly everything goes through files.
          const Report in_parts = outsized(job, 20'000, progress);
          ASSERT_EQ(in_parts.status, Status::released) << in_parts.reason;
          EXPECT_EQ(place.read(output), expected);
          EXPECT_TRUE(in_parts.verification.ok());
          expect_alike(in_parts.measures, in_memory.measures);
          EXPECT_EQ(in_parts.risk.groups, in_memory.risk.groups);
          EXPECT_EQ(in_parts.risk_before.groups, in_memory.risk_before.groups);
          EXPECT_EQ(in_parts.risk_before.uniques, in_memory.risk_before.uniques);
          EXPECT_EQ(in_parts.group_sizes, in_memory.group_sizes);
          EXPECT_EQ(in_parts.group_sizes_before, in_memory.group_sizes_before);
          EXPECT_EQ(in_parts.cells_suppressed, in_memory.cells_suppressed);
          EXPECT_EQ(in_parts.requirements[0].min_group, in_memory.requirements[0].min_group);
          ASSERT_EQ(in_parts.columns.size(), in_memory.columns.size());
          for (size_t j = 0; j < in_parts.columns.size(); ++j) {
            EXPECT_EQ(in_parts.columns[j].values_out, in_memory.columns[j].values_out);
            EXPECT_NEAR(in_parts.columns[j].shares_moved, in_memory.columns[j].shares_moved, 1e-9);
          }
          ASSERT_TRUE(in_parts.findings && in_memory.findings);
          EXPECT_EQ(in_parts.findings->size(), in_memory.findings->size());
          std::filesystem::remove(place.folder() / output);
          EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv"}));
        }
      }
    }
  }
}

TEST(Outsized, HalfTheRowsAlikeAndRequirementsOnSomeColumns) {
  Workplace place;
  std::string text = people(1500, 5);
  for (int i = 0; i < 1500; ++i) text += fmt::format("m{},33,t3,j2,same,no\n", i);
  place.write("in.csv", text);
  FileJob job = job_for(place, "in.csv", "out.csv");
  job.column("class").role = Role::identifier;
  job.k.reset();
  job.requirements = {{{"town", "age"}, 5}};
  Progress progress;
  const Report in_memory = anonymize_files(job, progress);
  ASSERT_EQ(in_memory.status, Status::released) << in_memory.reason;
  const std::string expected = place.read("out.csv");
  const Report in_parts = outsized(job, 1, progress);
  ASSERT_EQ(in_parts.status, Status::released) << in_parts.reason;
  EXPECT_EQ(place.read("out.csv"), expected);
  expect_alike(in_parts.measures, in_memory.measures);
}

// Stops at its n-th look.
class StopsLater : public Progress {
 public:
  explicit StopsLater(std::string stage) : stage_(std::move(stage)) {}
  void stage(std::string_view name) override {
    if (name == stage_) cancel();
  }

 private:
  const std::string stage_;
};

TEST(Outsized, AnInterruptLeavesNothing) {
  Workplace place;
  place.write("in.csv", people(1200, 3));
  FileJob job = job_for(place, "in.csv", "out.csv");
  job.column("class").role = Role::identifier;
  for (const char* stage : {"read", "search", "recode", "findings", "write", "verify"}) {
    StopsLater progress(stage);
    EXPECT_THROW(outsized(job, 20'000, progress), Error) << stage;
    EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv"})) << stage;
  }
}

TEST(Outsized, WhatCannotBeDoneInPartsIsSaid) {
  Workplace place;
  place.write("in.csv", people(300, 3));
  FileJob job = job_for(place, "in.csv", "out.csv");
  job.column("class").role = Role::identifier;
  Progress progress;
  InputFile input(job.files.input, job, progress);
  EXPECT_EQ(why_not_outsized(job, input.table, 300), "");
  const auto reason = [&](const auto& change) {
    FileJob other = job;
    change(other);
    return why_not_outsized(other, input.table, 300);
  };
  EXPECT_NE(reason([](FileJob& other) { other.method = "mondrian"; other.params.clear(); }), "");
  EXPECT_NE(reason([](FileJob& other) { other.params["fragments"] = "off"; }), "");
  EXPECT_NE(reason([](FileJob& other) { other.params["fragments"] = "auto"; }), "") << "300 rows are one fragment";
  EXPECT_NE(reason([](FileJob& other) { other.column("note").role = Role::sensitive; }), "");
  EXPECT_NE(reason([](FileJob& other) { other.files.recoding = "r.json"; }), "");
  EXPECT_NE(reason([](FileJob& other) { other.files.earlier = {"e.csv"}; }), "");
}

TEST(Outsized, NeedsLittleMemoryHoweverManyRowsThereAre) {
  const MemoryQuestion million{1'000'000, 8, 2, Shape::groups, true}, hundred{100'000'000, 8, 2, Shape::groups, true};
  EXPECT_LT(outsized_plan(million, 10).sum(), memory_plan(million).sum());
  EXPECT_LT(outsized_plan(hundred, 10).sum(), 1'000'000'000U);
  EXPECT_GT(outsized_plan(hundred, 1000).sum(), outsized_plan(hundred, 10).sum());
}

}  // namespace
}  // namespace shoal
