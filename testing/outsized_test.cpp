// A table that stays in private files gives the release that the same fragments give in memory, byte for byte, says the
// same about it, and leaves nothing behind.
#include <gtest/gtest.h>

#include <set>

#include "shoal/files/anonymize_files.h"
#include "shoal/files/anonymize_outsized.h"
#include "shoal/files/memory_plan.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"
#include "shoal/write/outputs.h"
#include "testing/outsized_run.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace outsized_run;
using outsized_run::expect_alike;

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

void expect_alike(const std::vector<ModelValues>& a, const std::vector<ModelValues>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE(model_text(a[i].spec));
    EXPECT_EQ(a[i].spec.kind, b[i].spec.kind);
    EXPECT_EQ(a[i].worst, b[i].worst);
    EXPECT_EQ(a[i].groups_broken, b[i].groups_broken);
    EXPECT_EQ(a[i].rows_broken, b[i].rows_broken);
    EXPECT_EQ(a[i].groups_by_missing, b[i].groups_by_missing);
  }
}

void expect_alike(const PrivacyValues& a, const PrivacyValues& b) {
  ASSERT_EQ(a.sensitive.size(), b.sensitive.size());
  for (size_t j = 0; j < a.sensitive.size(); ++j) {
    EXPECT_EQ(a.sensitive[j].column, b.sensitive[j].column);
    EXPECT_EQ(a.sensitive[j].rows_by_diversity, b.sensitive[j].rows_by_diversity);
    expect_alike(a.sensitive[j].models, b.sensitive[j].models);
  }
  ASSERT_EQ(a.persons.has_value(), b.persons.has_value());
  if (!a.persons) return;
  EXPECT_EQ(a.persons->groups, b.persons->groups);
  EXPECT_EQ(a.persons->smallest_group, b.persons->smallest_group);
  EXPECT_EQ(a.persons->share_above_threshold, b.persons->share_above_threshold);
}

// Persons with one to six rows, an ailment that depends on the town (some missing), a stage in words.
std::string visits(int persons, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = "who,age,town,ailment,job,stage,note,class\n";
  for (int person = 0; person < persons; ++person) {
    const auto town = random() % 12, age = 20 + random() % 50;
    for (unsigned visit = 0; visit <= random() % 6; ++visit) {
      const auto stage = random() % 8;
      text += fmt::format("p{},{},t{},{},j{},{},x{},{}\n", person * 7919 % 10007, age + visit % 2, town,
                          random() % 15 == 0 ? "" : fmt::format("a{}", (random() % 5 + town / 3) % 9), random() % 7,
                          stage < 4   ? "low"
                          : stage < 7 ? "middle"
                                      : "high",
                          random() % 30, random() % 4 == 0 ? "yes" : "no");
    }
  }
  return text;
}

// The promise over models, persons and several requirements is kept by fragments on disk as by those in memory: what
// models compare with is the whole table, a leaf that breaks one joins others, and verification counts everything.
TEST(Outsized, ModelsPersonsAndSeveralRequirements) {
  Workplace place;
  place.write("in.csv", visits(700, 29));
  struct Asked {
    const char* name;
    std::vector<const char*> models;
    bool persons = false;
    std::vector<RequirementJob> requirements = {};
  };
  const std::vector<Asked> cases{
      {"distinct", {"distinct-l:ailment:l=3"}},
      {"t", {"t-closeness:ailment:t=0.45"}},
      {"t ordered", {"t-closeness:stage:t=0.3,distance=ordered"}},
      {"beta and delta", {"beta-likeness:ailment:beta=4", "delta-disclosure:stage:delta=3"}},
      {"entropy and recursive", {"entropy-l:ailment:l=2", "recursive-l:stage:c=6,l=2"}},
      {"confidence and risk", {"confidence:ailment:alpha=0.6", "average-risk:risk=0.15"}},
      {"persons", {}, true},
      {"persons and models", {"distinct-l:ailment:l=2", "t-closeness:stage:t=0.4,distance=ordered"}, true},
      {"several", {}, false, {{{"age", "town"}, 5}, {{"town", "job"}, 9}}},
      {"several with models",
       {"distinct-l:ailment:l=2"},
       true,
       {{{"age", "town"}, 4, {parse_model("entropy-l:stage:l=1.5")}}, {{"job", "town"}, 6}}},
      {"some columns", {"distinct-l:ailment:l=3"}, true, {{{"town", "age"}, 4}}},
      {"one implied", {"distinct-l:ailment:l=2"}, false, {{{"age", "town", "job"}, 4}, {{"town"}, 4}}},
      {"apart", {}, false, {{{"town", "job"}, 9}, {{"age"}, 5}}},
      {"apart by threes", {"entropy-l:stage:l=1.5"}, true, {{{"age"}, 5}, {{"town"}, 4}, {{"job"}, 6}, {{"job"}, 3}}},
      {"joint", {"distinct-l:ailment:l=2,joint=true"}},
      {"joint persons", {"entropy-l:stage:l=1.2,joint=true", "confidence:ailment:alpha=0.8"}, true},
      {"joint t", {"t-closeness:ailment:t=0.85,joint=true", "t-closeness:stage:t=0.7,distance=ordered,joint=true"}},
      {"joint on some columns", {}, false, {{{"age", "town"}, 4, {parse_model("distinct-l:ailment:l=2,joint=true")}}}},
  };
  size_t cut_apart = 0;
  for (const Asked& asked : cases) {
    for (const Order order : {Order::released, Order::input}) {
      if (order == Order::input && asked.requirements.empty() && !asked.persons) continue;
      SCOPED_TRACE(fmt::format("{}, order {}", asked.name, static_cast<int>(order)));
      FileJob job;
      job.files.input = (place.folder() / "in.csv").string();
      job.files.output = (place.folder() / "out.csv").string();
      for (const char* column : {"age", "town", "job"}) job.column(column).role = Role::quasi;
      job.column("age").type = ColumnType::numeric;
      job.column("ailment").role = Role::sensitive;
      job.column("stage").role = Role::sensitive;
      job.column("stage").type = ColumnType::ordinal;
      job.column("stage").order = {"low", "middle", "high"};
      job.column("note").role = Role::plain;
      job.column("class").role = order == Order::input ? Role::target : Role::plain;
      job.column("who").role = asked.persons ? Role::person : Role::identifier;
      if (asked.requirements.empty()) job.k = 4;
      job.requirements = asked.requirements;
      for (const char* model : asked.models) job.models.push_back(parse_model(model));
      job.method = "shoal";
      job.params = {{"fragments", "5"}, {"effort", "fast"}};
      job.accept = {"near-unique", "reveals", "order", "tight", "one-value", "persons", "types", "similar", "skewed"};
      job.threads = 2;
      job.order = order;
      Progress progress;
      const Report in_memory = anonymize_files(job, progress);
      ASSERT_EQ(in_memory.status, Status::released) << in_memory.reason;
      const std::string expected = place.read("out.csv");
      std::filesystem::remove(place.folder() / "out.csv");
      const Report in_parts = outsized(job, 20'000, progress);
      ASSERT_EQ(in_parts.status, Status::released) << in_parts.reason;
      EXPECT_TRUE(place.read("out.csv") == expected) << "other bytes";
      EXPECT_TRUE(in_parts.verification.ok());
      ASSERT_EQ(in_parts.verification.checks.size(), in_memory.verification.checks.size());
      for (size_t i = 0; i < in_parts.verification.checks.size(); ++i) {
        EXPECT_EQ(in_parts.verification.checks[i].name, in_memory.verification.checks[i].name);
        EXPECT_EQ(in_parts.verification.checks[i].detail, in_memory.verification.checks[i].detail);
      }
      expect_alike(in_parts.measures, in_memory.measures);
      expect_alike(in_parts.privacy, in_memory.privacy);
      expect_alike(in_parts.privacy_before, in_memory.privacy_before);
      ASSERT_EQ(in_parts.requirements.size(), in_memory.requirements.size());
      for (size_t i = 0; i < in_parts.requirements.size(); ++i) {
        EXPECT_EQ(in_parts.requirements[i].min_group, in_memory.requirements[i].min_group);
        EXPECT_EQ(in_parts.requirements[i].ok, in_memory.requirements[i].ok);
        expect_alike(in_parts.requirements[i].models, in_memory.requirements[i].models);
        expect_alike(in_parts.requirements[i].models_before, in_memory.requirements[i].models_before);
      }
      ASSERT_EQ(in_parts.distributions.size(), in_memory.distributions.size());
      for (size_t i = 0; i < in_parts.distributions.size(); ++i) {
        EXPECT_EQ(in_parts.distributions[i].rows, in_memory.distributions[i].rows);
      }
      ASSERT_FALSE(in_memory.search.details.empty());
      if (!in_parts.search.details.front().second.starts_with("none: ")) {  // outsized_families_test.cpp
        EXPECT_EQ(in_parts.search.details.front(), in_memory.search.details.front());
      }
      cut_apart += in_memory.search.details.front().first == "fragments";
      for (const std::string& notice : in_memory.notices) {
        EXPECT_NE(std::find(in_parts.notices.begin(), in_parts.notices.end(), notice), in_parts.notices.end())
            << notice;
      }
      std::filesystem::remove(place.folder() / "out.csv");
      EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv"}));
    }
  }
  EXPECT_GE(cut_apart, cases.size());
}

TEST(Outsized, WhatNoReleaseCanKeepIsSaidAsInMemory) {
  Workplace place;
  place.write("in.csv", visits(300, 4));
  FileJob job = job_for(place, "in.csv", "out.csv");
  job.columns.clear();
  for (const char* column : {"age", "town"}) job.column(column).role = Role::quasi;
  job.column("ailment").role = Role::sensitive;
  const auto reasons = [&](const FileJob& asked) {
    Progress progress;
    const Report in_memory = anonymize_files(asked, progress), in_parts = outsized(asked, 20'000, progress);
    EXPECT_EQ(in_memory.status, Status::unsatisfied);
    EXPECT_EQ(in_parts.status, Status::unsatisfied);
    EXPECT_EQ(in_parts.reason, in_memory.reason);
    EXPECT_FALSE(in_parts.reason.empty());
    EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv"}));
  };
  FileJob diverse = job;
  diverse.models = {parse_model("distinct-l:ailment:l=40")};
  reasons(diverse);
  FileJob many = job;
  many.column("who").role = Role::person;
  many.k = 301;
  reasons(many);
  FileJob joint = job;
  joint.column("stage").role = Role::sensitive;
  joint.models = {parse_model("distinct-l:ailment:l=11,joint=true")};
  reasons(joint);
  FileJob rows = job;
  rows.k = 100'000;
  reasons(rows);
  // A row without a person is refused, as in memory.
  place.write("in.csv", "who,age,town,ailment\np1,20,t1,a\n,21,t1,b\np2,22,t1,a\np3,23,t1,c\n");
  FileJob missing = job;
  missing.column("who").role = Role::person;
  missing.k = 2;
  Progress progress;
  EXPECT_THROW(outsized(missing, 20'000, progress), Error);
  EXPECT_EQ(place.files(), (std::set<std::string>{"in.csv"}));
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
  EXPECT_NE(reason([](FileJob& other) {
              other.method = "kactus";
              other.params.clear();
            }),
            "");
  EXPECT_NE(reason([](FileJob& other) { other.params["fragments"] = "off"; }), "");
  EXPECT_NE(reason([](FileJob& other) { other.params["fragments"] = "auto"; }), "") << "300 rows are one fragment";
  EXPECT_EQ(reason([](FileJob& other) { other.column("note").role = Role::sensitive; }), "");
  EXPECT_EQ(reason([](FileJob& other) { other.requirements = {{{"age", "town"}, 3}, {{"town", "job"}, 6}}; }), "");
  EXPECT_EQ(reason([](FileJob& other) {
              other.k.reset();
              other.requirements = {{{"age"}, 3}, {{"town", "job"}, 6}};
            }),
            "");
  EXPECT_NE(reason([](FileJob& other) { other.models = {parse_model("k-map:k=3")}; }), "");
  EXPECT_EQ(reason([](FileJob& other) {
              other.column("note").role = Role::sensitive;
              other.column("class").role = Role::sensitive;
              other.models = {parse_model("distinct-l:note:l=2,joint=true")};
            }),
            "");
  EXPECT_NE(reason([](FileJob& other) { other.files.recoding = "r.json"; }), "");
  EXPECT_NE(reason([](FileJob& other) { other.files.earlier = {"e.csv"}; }), "");
}

TEST(Outsized, NeedsLittleMemoryHoweverManyRowsThereAre) {
  const MemoryQuestion million{1'000'000, 8, 2, Shape::groups, true}, hundred{100'000'000, 8, 2, Shape::groups, true};
  EXPECT_LT(outsized_plan(million, 10).sum(), memory_plan(million).sum());
  EXPECT_LT(outsized_plan(hundred, 10).sum(), 1'000'000'000U);
  EXPECT_GT(outsized_plan(hundred, 1000).sum(), outsized_plan(hundred, 10).sum());
  MemoryQuestion persons = hundred;
  persons.persons = true;
  EXPECT_GT(outsized_plan(persons, 10).sum(), outsized_plan(hundred, 10).sum());
  EXPECT_LT(outsized_plan(persons, 10).sum(), memory_plan(persons).sum());
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
