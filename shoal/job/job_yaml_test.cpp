// Jobs written as YAML and read again.
#include <gtest/gtest.h>

#include <random>

#include "shoal/job/job.h"
#include "shoal/read/read_job.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

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
    column.role = static_cast<Role>(draw(0, 6));
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
    for (size_t values = draw(0, 2); values > 0; --values) column.order.push_back(text());
    return column;
  }

  std::vector<ModelSpec> models() {
    static const std::vector<std::string> kModels{"recursive-l:a:c=1/3,l=2,joint=true",
                                                  "t-closeness:a:t=0.2,distance=ordered",
                                                  "beta-likeness:a:beta=1,form=basic",
                                                  "lkc:a:l=2,k=5,c=0.5",
                                                  "average-risk:risk=0.05",
                                                  "delta-presence:min=0,max=1/2"};
    std::vector<ModelSpec> models;
    for (size_t count = draw(0, 2); count > 0; --count) {
      models.push_back(parse_model(kModels[draw(0, kModels.size() - 1)]));
      if (!models.back().column.empty()) models.back().column = text();
      if (models.back().kind == ModelKind::lkc && coin()) models.back().values = {text(), text()};
    }
    return models;
  }

  FileJob job() {
    FileJob job;
    job.files.input = maybe_text();
    job.files.output = maybe_text();
    if (coin()) job.files.delimiter = std::string(1, ";,|\t\"\\"[draw(0, 5)]);
    for (size_t columns = draw(0, 4); columns > 0; --columns) job.columns.push_back(column(columns));
    if (coin()) job.k = draw(0, 1000);
    for (size_t count = draw(0, 2); count > 0; --count) {
      job.requirements.push_back({{}, draw(0, UINT64_MAX)});
      for (size_t names = draw(1, 3); names > 0; --names) job.requirements.back().columns.push_back(text());
      job.requirements.back().models = models();
    }
    job.models = models();
    job.files.hierarchies = maybe_text();
    job.method = text();
    for (size_t params = draw(0, 3); params > 0; --params)
      job.params[text()] = coin() ? text() : std::to_string(positive());
    if (coin()) job.suppress_rows = positive();
    for (size_t missing = draw(0, 3); missing > 0; --missing) job.missing.push_back(maybe_text());
    job.unknown_values_under_root = coin();
    job.order = coin() ? Order::released : Order::input;
    job.others_plain = coin();
    for (size_t count = draw(0, 2); count > 0; --count) {
      job.accept.push_back(std::string(kFindingCodes[draw(0, std::size(kFindingCodes) - 1)]) +
                           (coin() ? ":" + text() : ""));
      if (coin()) job.reasons[job.accept.back()] = text() + (coin() ? "\n# \"x\": " + text() : "");
    }
    for (size_t count = draw(0, 2); count > 0; --count) job.files.earlier.push_back(text());
    if (coin()) job.files.population = text();
    job.unite = coin();
    job.seed = draw(0, UINT64_MAX);
    job.threads = static_cast<int>(draw(0, 64));
    if (coin()) job.distortion_beta = 1 + positive();
    if (coin()) job.time_budget = positive();
    if (coin()) job.memory_limit = draw(0, uint64_t{1} << 50);
    job.files.json = maybe_text();
    job.files.report = maybe_text();
    job.files.recoding = maybe_text();
    job.files.recoding_public = maybe_text();
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
  EXPECT_EQ(a.order, b.order);
  ASSERT_EQ(a.hierarchy.has_value(), b.hierarchy.has_value());
  if (!a.hierarchy) return;
  EXPECT_EQ(a.hierarchy->file, b.hierarchy->file);
  ASSERT_EQ(a.hierarchy->builder.has_value(), b.hierarchy->builder.has_value());
  if (!a.hierarchy->builder) return;
  EXPECT_EQ(a.hierarchy->builder->kind, b.hierarchy->builder->kind);
  EXPECT_EQ(a.hierarchy->builder->settings, b.hierarchy->builder->settings);
}

void expect_same(const FileJob& a, const FileJob& b) {
  EXPECT_EQ(a.files.input, b.files.input);
  EXPECT_EQ(a.files.output, b.files.output);
  EXPECT_EQ(a.files.delimiter, b.files.delimiter);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t i = 0; i < a.columns.size(); ++i) expect_same(a.columns[i], b.columns[i]);
  EXPECT_EQ(a.k, b.k);
  ASSERT_EQ(a.requirements.size(), b.requirements.size());
  for (size_t i = 0; i < a.requirements.size(); ++i) {
    EXPECT_EQ(a.requirements[i].columns, b.requirements[i].columns);
    EXPECT_EQ(a.requirements[i].k, b.requirements[i].k);
    EXPECT_EQ(a.requirements[i].models, b.requirements[i].models);
  }
  EXPECT_EQ(a.models, b.models);
  EXPECT_EQ(a.files.hierarchies, b.files.hierarchies);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.params, b.params);
  EXPECT_EQ(a.suppress_rows, b.suppress_rows);
  EXPECT_EQ(a.missing, b.missing);
  EXPECT_EQ(a.unknown_values_under_root, b.unknown_values_under_root);
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.others_plain, b.others_plain);
  EXPECT_EQ(a.accept, b.accept);
  EXPECT_EQ(a.reasons, b.reasons);
  EXPECT_EQ(a.files.earlier, b.files.earlier);
  EXPECT_EQ(a.files.population, b.files.population);
  EXPECT_EQ(a.unite, b.unite);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.distortion_beta, b.distortion_beta);
  EXPECT_EQ(a.time_budget, b.time_budget);
  EXPECT_EQ(a.memory_limit, b.memory_limit);
  EXPECT_EQ(a.files.json, b.files.json);
  EXPECT_EQ(a.files.report, b.files.report);
  EXPECT_EQ(a.files.recoding, b.files.recoding);
  EXPECT_EQ(a.files.recoding_public, b.files.recoding_public);
}

TEST(JobYaml, RandomJobsSurviveTheRoundTrip) {
  RandomJobs random(1);
  for (int i = 0; i < 400 && !::testing::Test::HasFailure(); ++i) {
    const FileJob job = random.job();
    const std::string yaml = job_yaml(job);
    SCOPED_TRACE(yaml);
    ASSERT_NO_THROW(expect_same(job, parse_job(yaml, "job.yaml", "")));
    EXPECT_EQ(job_yaml(parse_job(yaml, "job.yaml", "")), yaml);
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
