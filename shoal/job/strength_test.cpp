#include "shoal/job/strength.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace shoal {
namespace SHOAL_THIS_FILE {

Job job_with(std::initializer_list<RequirementJob> requirements) {
  Job job;
  for (const RequirementJob& requirement : requirements) add_requirement(job, requirement);
  return job;
}

TEST(Strength, TheLargerKOfTheSameColumnsStays) {
  for (const Job& job : {job_with({{{"a", "b"}, 5}, {{"b", "a"}, 2}}), job_with({{{"b", "a"}, 2}, {{"a", "b"}, 5}})}) {
    ASSERT_EQ(job.requirements.size(), 1u);
    EXPECT_EQ(job.requirements[0].k, 5u);
  }
  EXPECT_EQ(job_with({{{"a", "b"}, 5}, {{"a"}, 9}, {{"b"}, 2}}).requirements.size(), 3u);
}

// Whatever requirements come in whatever order, for every set of columns the largest k is kept and nothing is invented.
TEST(Strength, AnyListOfRequirementsKeepsTheLargest) {
  std::mt19937_64 random(7);
  const std::vector<std::string> names{"a", "b", "c"};
  for (int round = 0; round < 300; ++round) {
    uint64_t largest[8] = {};  // by set of columns, a bit each
    Job job;
    for (uint64_t i = random() % 12; i > 0; --i) {
      const size_t set = 1 + random() % 7;
      RequirementJob requirement{{}, 1 + random() % 20};
      for (size_t bit = 0; bit < 3; ++bit) {
        if (set >> bit & 1) requirement.columns.push_back(names[bit]);
      }
      std::shuffle(requirement.columns.begin(), requirement.columns.end(), random);
      largest[set] = std::max(largest[set], requirement.k);
      add_requirement(job, requirement);
    }
    size_t kept = 0;
    for (const RequirementJob& requirement : job.requirements) {
      size_t set = 0;
      for (const std::string& name : requirement.columns) set |= size_t{1} << (name[0] - 'a');
      EXPECT_EQ(requirement.k, largest[set]);
      ++kept;
    }
    EXPECT_EQ(kept, size_t(std::count_if(std::begin(largest), std::end(largest), [](uint64_t k) { return k > 0; })));
  }
}

Job asked_job() {
  Job job = job_with({{{"age", "zip"}, 8}});
  job.k = 5;
  job.suppress_rows = 0.02;
  job.column("name").role = Role::identifier;
  job.column("age").role = job.column("zip").role = Role::quasi;
  job.column("illness").role = Role::sensitive;
  job.column("income").role = Role::target;
  job.column("patient").role = Role::person;
  job.models = {parse_model("distinct-l:illness:l=3")};
  job.requirements[0].models = {parse_model("confidence:illness:alpha=0.5")};
  return job;
}

struct Change {
  const char* said;  // "": not weaker
  void (*change)(Job&);
};

const Change kChanges[] = {
    {"", [](Job&) {}},
    {"", [](Job& job) { job.k = 6; }},
    {"k=4 was asked in place of its k=5", [](Job& job) { job.k = 4; }},
    {"it asks k=5 over all quasi columns", [](Job& job) { job.k.reset(); }},
    {"",
     [](Job& job) {
       job.requirements = {{{"zip", "age"}, 9, job.requirements[0].models}, {{"age"}, 3}};
     }},
    {"k=7 on (age, zip) was asked in place of its k=8",
     [](Job& job) {
       job.requirements = {{{"zip", "age"}, 7, job.requirements[0].models}};
     }},
    {"k=8 on (age, zip) was left out",
     [](Job& job) {
       job.models.push_back(job.requirements[0].models[0]);
       job.requirements = {{{"zip"}, 80}};
     }},
    {"a share of 0.5 of the rows may be dropped, and it allows 0.02", [](Job& job) { job.suppress_rows = 0.5; }},
    {"", [](Job& job) { job.suppress_rows = 0; }},
    {"", [](Job& job) { job.suppress_rows.reset(); }},
    {"column 'name' is identifier, and quasi was asked", [](Job& job) { job.column("name").role = Role::quasi; }},
    {"", [](Job& job) { job.columns.erase(job.columns.begin()); }},  // not released either
    {"column 'name' is identifier, and plain was asked", [](Job& job) { job.column("name").role = Role::plain; }},
    {"columns without a role are released", [](Job& job) { job.others_plain = true; }},
    {"rows are released in the order of the input", [](Job& job) { job.order = Order::input; }},
    {"column 'zip' is quasi, and sensitive was asked", [](Job& job) { job.column("zip").role = Role::sensitive; }},
    {"", [](Job& job) { job.column("zip").role = Role::identifier; }},
    {"", [](Job& job) { job.column("illness").role = Role::quasi; }},
    {"column 'illness' is sensitive, and plain was asked", [](Job& job) { job.column("illness").role = Role::plain; }},
    {"", [](Job& job) { job.column("income").role = Role::plain; }},
    {"", [](Job& job) { job.column("other").role = Role::quasi; }},
    {"its model distinct-l:illness:l=3 was left out", [](Job& job) { job.models.clear(); }},
    {"its model distinct-l:illness:l=3 was left out",
     [](Job& job) { job.models = {parse_model("distinct-l:illness:l=2")}; }},
    {"its model confidence:illness:alpha=0.5 on (age, zip) was left out",
     [](Job& job) { job.requirements[0].models.clear(); }},
    {"",
     [](Job& job) {
       job.models.push_back(job.requirements[0].models[0]);
       job.requirements[0].models.clear();
     }},
    {"column 'patient' is person, and identifier was asked",
     [](Job& job) { job.column("patient").role = Role::identifier; }},
};

TEST(Strength, WhatIsWeakerIsSaidAndNothingElse) {
  for (const Change& change : kChanges) {
    Job run = asked_job();
    change.change(run);
    const auto said = weakenings(asked_job(), run);
    if (*change.said == '\0') {
      EXPECT_TRUE(said.empty()) << said[0];
      continue;
    }
    ASSERT_EQ(said.size(), 1u) << change.said;
    EXPECT_NE(said[0].find(change.said), std::string::npos) << said[0];
  }
  Job none;
  EXPECT_TRUE(weakenings(none, asked_job()).size() == 1) << "rows may be dropped where none might";
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
