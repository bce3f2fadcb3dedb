// The reference of job files and their reader know the same keys.
#include <gtest/gtest.h>

#include <map>

#include "shoal/error.h"
#include "shoal/job/file_job.h"
#include "shoal/job/job_keys.h"
#include "shoal/read/read_job.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

std::string error_of(const std::string& text) {
  try {
    parse_job(text, "job.yaml", "");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A job that gives a key of a part this value.
std::string job_with(JobPart part, const std::string& key, const std::string& value) {
  switch (part) {
    case JobPart::job:
      return key + ": " + value + "\n";
    case JobPart::column:
      return "columns: {a: {" + key + ": " + value + "}}\n";
    case JobPart::hierarchy:
      return "columns: {a: {role: quasi, hierarchy: {" + key + ": " + value + "}}}\n";
    case JobPart::requirement:
      return "requirements: [{columns: [a], k: 3, " + key + ": " + value + "}]\n";
  }
  return "";
}

TEST(JobKeys, TheReaderTakesEveryWordOfTheReference) {
  for (const JobKey& key : job_keys()) {
    EXPECT_FALSE(key.meaning.empty()) << key.name;
    EXPECT_NE(key.takes.empty(), key.choices.empty()) << key.name;
    for (const std::string& choice : key.choices)
      EXPECT_EQ(error_of(job_with(key.part, key.name, choice)), "") << key.name;
    const bool twice = key.part == JobPart::requirement && key.name != "models";  // the frame of the test gives it
    const std::string wrong = error_of(job_with(key.part, key.name, "{no such thing: [at all]}"));
    EXPECT_EQ(wrong.find("unknown key"), std::string::npos) << key.name << ": " << wrong;
    EXPECT_NE(wrong, "") << key.name;
    if (twice) {
      EXPECT_NE(wrong.find("listed twice"), std::string::npos) << wrong;
    }
    if (key.choices.empty() || key.name == "union" || key.name == "escape_formulas") continue;
    EXPECT_NE(error_of(job_with(key.part, key.name, "nonsense")), "") << key.name;
  }
}

// What the reference does not list is refused by name, in every part.
TEST(JobKeys, TheReaderTakesNothingElse) {
  for (const JobPart part : {JobPart::job, JobPart::column, JobPart::requirement}) {
    EXPECT_NE(error_of(job_with(part, "nonsense", "1")).find("unknown key 'nonsense'"), std::string::npos);
  }
  EXPECT_NE(error_of(job_with(JobPart::hierarchy, "nonsense", "1")).find("no builder"), std::string::npos);
}

// Every key that a written job has is in the reference, in its order.
TEST(JobKeys, WrittenJobsHaveTheOrderOfTheReference) {
  FileJob job;
  job.files = {.input = "i",
               .output = "o",
               .delimiter = ";",
               .encoding = "utf-8",
               .decimal = ",",
               .thousands = ".",
               .escape_formulas = true,
               .hierarchies = "h",
               .json = "j",
               .report = "r",
               .report_public = "p",
               .recoding = "c",
               .recoding_public = "q",
               .population = "u",
               .earlier = {"e"}};
  job.column("a").role = Role::quasi;
  job.others_plain = job.unite = true;
  job.k = 5;
  job.requirements = {{{"a"}, 7}};
  job.models = {parse_model("distinct-l:b:l=2")};
  job.method = "mondrian";
  job.params = {{"cuts", "strict"}};
  job.suppress_rows = 0.1;
  job.missing = {"?"};
  job.accept = {"reveals"};
  job.reasons = {{"reveals", "a: b"}};
  job.ranges = Ranges::nodes;
  job.distortion_beta = 1;
  job.time_budget = 3;
  job.memory_limit = 1000000000;
  const std::string yaml = job_yaml(job);
  size_t before = 0;
  for (const std::string& name : job_key_names(JobPart::job)) {
    const size_t at = ("\n" + yaml).find("\n" + name + ":");
    ASSERT_NE(at, std::string::npos) << name << "\n" << yaml;
    EXPECT_GE(at, before) << name << "\n" << yaml;
    before = at;
  }
  EXPECT_EQ(error_of(yaml), "") << yaml;
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
