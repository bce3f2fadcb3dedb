// Jobs written as YAML and read again.
#include <gtest/gtest.h>

#include <random>

#include "shoal/job.h"

namespace shoal {
namespace {

// Random jobs with names that are awkward in YAML.
class RandomJobs {
 public:
  explicit RandomJobs(uint64_t seed) : random_(seed) {}

  size_t draw(size_t low, size_t high) { return std::uniform_int_distribution<size_t>(low, high)(random_); }
  bool coin() { return draw(0, 1) == 1; }

  std::string text() {
    static const std::vector<std::string> kAwkward{
        "null",  "~",        "true", "no",     "-",    "- a", "a: b", "#x", "a #b", "12",         "0x1F",
        "1e3",   "5371*",    "*",    "&a",     "!t",   "[a]", "{",    ",",  "\"",   "'",          "\\",
        "a\nb",  "a\tb",     " a ",  "größe",  "日本", "%",   "@x",   "`",  "...",  "---",        "=",
        "<<",    "?",        "? a",  "|",      ">",    ".5",  ".inf", "..", "./x",  "../y/z.csv", "/tmp/a b.csv",
        "C:\\x", "\x01\x7f", "k",    "columns"};
    if (coin()) return kAwkward[draw(0, kAwkward.size() - 1)];
    std::string result;
    for (size_t i = draw(1, 8); i > 0; --i) result += static_cast<char>(draw(0x20, 0x7e));
    return result;
  }
  std::string maybe_text() { return coin() ? text() : ""; }
  double positive() { return coin() ? double(draw(1, 9)) : std::uniform_real_distribution<double>(1e-9, 1e9)(random_); }

  ColumnJob column(size_t i) {
    ColumnJob column;
    column.name = text() + std::to_string(i);
    column.role = static_cast<Role>(draw(0, 4));
    column.type = static_cast<ColumnType>(draw(0, 2));
    if (coin()) column.weight = positive();
    if (coin()) {
      column.hierarchy = HierarchySpec{};
      if (coin()) {
        column.hierarchy->file = text();
      } else if (coin()) {
        column.hierarchy->builder = BuilderSpec{builder_kinds()[draw(0, builder_kinds().size() - 1)], {}};
        for (size_t settings = draw(0, 2); settings > 0; --settings) {
          const std::string name = text();
          if (name != "file" && name != "build") column.hierarchy->builder->settings[name] = maybe_text();
        }
      }
    }
    return column;
  }

  Job job() {
    Job job;
    job.input = maybe_text();
    job.output = maybe_text();
    if (coin()) job.delimiter = std::string(1, ";,|\t\"\\"[draw(0, 5)]);
    for (size_t columns = draw(0, 4); columns > 0; --columns) job.columns.push_back(column(columns));
    if (coin()) job.k = draw(0, 1000);
    for (size_t count = draw(0, 2); count > 0; --count) {
      job.requirements.push_back({{}, draw(0, UINT64_MAX)});
      for (size_t names = draw(1, 3); names > 0; --names) job.requirements.back().columns.push_back(text());
    }
    job.hierarchies = maybe_text();
    job.method = text();
    for (size_t params = draw(0, 3); params > 0; --params)
      job.params[text()] = coin() ? text() : std::to_string(positive());
    if (coin()) job.suppress_rows = positive();
    for (size_t missing = draw(0, 3); missing > 0; --missing) job.missing.push_back(maybe_text());
    job.unknown_values_under_root = coin();
    job.shuffle = coin();
    job.unite = coin();
    job.seed = draw(0, UINT64_MAX);
    job.threads = static_cast<int>(draw(0, 64));
    if (coin()) job.distortion_beta = 1 + positive();
    if (coin()) job.time_budget = positive();
    if (coin()) job.memory_limit = draw(0, uint64_t{1} << 50);
    job.json = maybe_text();
    job.report = maybe_text();
    job.recoding = maybe_text();
    return job;
  }

 private:
  std::mt19937_64 random_;
};

void expect_same(const ColumnJob& a, const ColumnJob& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.role, b.role);
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(a.weight, b.weight);
  ASSERT_EQ(a.hierarchy.has_value(), b.hierarchy.has_value());
  if (!a.hierarchy) return;
  EXPECT_EQ(a.hierarchy->file, b.hierarchy->file);
  ASSERT_EQ(a.hierarchy->builder.has_value(), b.hierarchy->builder.has_value());
  if (!a.hierarchy->builder) return;
  EXPECT_EQ(a.hierarchy->builder->kind, b.hierarchy->builder->kind);
  EXPECT_EQ(a.hierarchy->builder->settings, b.hierarchy->builder->settings);
}

void expect_same(const Job& a, const Job& b) {
  EXPECT_EQ(a.input, b.input);
  EXPECT_EQ(a.output, b.output);
  EXPECT_EQ(a.delimiter, b.delimiter);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t i = 0; i < a.columns.size(); ++i) expect_same(a.columns[i], b.columns[i]);
  EXPECT_EQ(a.k, b.k);
  ASSERT_EQ(a.requirements.size(), b.requirements.size());
  for (size_t i = 0; i < a.requirements.size(); ++i) {
    EXPECT_EQ(a.requirements[i].columns, b.requirements[i].columns);
    EXPECT_EQ(a.requirements[i].k, b.requirements[i].k);
  }
  EXPECT_EQ(a.hierarchies, b.hierarchies);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.params, b.params);
  EXPECT_EQ(a.suppress_rows, b.suppress_rows);
  EXPECT_EQ(a.missing, b.missing);
  EXPECT_EQ(a.unknown_values_under_root, b.unknown_values_under_root);
  EXPECT_EQ(a.shuffle, b.shuffle);
  EXPECT_EQ(a.unite, b.unite);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.distortion_beta, b.distortion_beta);
  EXPECT_EQ(a.time_budget, b.time_budget);
  EXPECT_EQ(a.memory_limit, b.memory_limit);
  EXPECT_EQ(a.json, b.json);
  EXPECT_EQ(a.report, b.report);
  EXPECT_EQ(a.recoding, b.recoding);
}

TEST(JobYaml, RandomJobsSurviveTheRoundTrip) {
  RandomJobs random(1);
  for (int i = 0; i < 400 && !::testing::Test::HasFailure(); ++i) {
    const Job job = random.job();
    const std::string yaml = job_yaml(job);
    SCOPED_TRACE(yaml);
    ASSERT_NO_THROW(expect_same(job, parse_job(yaml, "job.yaml", "")));
    EXPECT_EQ(job_yaml(parse_job(yaml, "job.yaml", "")), yaml);
  }
}

}  // namespace
}  // namespace shoal
