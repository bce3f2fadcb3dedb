// A table in memory whose rows stand for several: what is released for each, and all that is said about it, is what is
// released and said when all of these rows are there, by every method that takes such a table.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <random>

#include "shoal/shoal.h"
#include "testing/alike_methods.h"
#include "testing/rounds.h"
#include "testing/rows_table.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::rounds;
using testing::RowsTable;
using Row = std::vector<std::string>;

const std::vector<std::string> kColumns{"age", "town", "job", "ailment", "stay", "class", "who"};

// Few values, some of them rare, so that rows are alike and some are dropped. `persons`: rows about so many, and every
// row is there twice.
std::vector<Row> patients(size_t rows, unsigned seed, unsigned persons) {
  std::mt19937 random(seed);
  const auto low = [&](unsigned values) { return std::min(random() % values, random() % values); };
  std::vector<Row> result;
  for (size_t i = 0; i < (persons == 0 ? rows : rows / 2); ++i) {
    const auto town = low(6);
    result.push_back({random() % 25 == 0 ? "" : std::to_string(30 + low(8)), fmt::format("t{}{}", town / 2, town % 2),
                      fmt::format("j{}", low(3)), fmt::format("a{}", (random() % 3 + town / 3) % 4),
                      std::to_string(random() % 2), (random() % 4 == 0) != (town > 2) ? "yes" : "no",
                      persons == 0 ? "somebody" : fmt::format("p{}", random() % persons)});
  }
  for (size_t i = 0; persons > 0 && i < rows / 2; ++i) result.push_back(Row(result[i]));
  return result;
}

struct Wish {
  const char* name;
  std::vector<const char*> models = {};
  std::vector<RequirementJob> requirements = {};
  double suppress_rows = 0;
  bool persons = false;
};

const std::vector<Wish>& wishes() {
  static const std::vector<Wish> all{
      {"k"},
      {"dropping", {}, {}, 0.1},
      {"models", {"distinct-l:ailment:l=2", "t-closeness:ailment:t=0.5", "entropy-l:ailment:l=1.5"}},
      {"models that compare", {"beta-likeness:ailment:beta=3", "confidence:ailment:alpha=0.8"}},
      {"joint models", {"distinct-l:ailment:l=2,joint=true"}},
      {"average risk", {"average-risk:risk=0.1"}},
      {"models and dropping", {"distinct-l:ailment:l=3"}, {}, 0.2},
      {"several", {}, {{{"age", "town"}, 5}, {{"town", "job"}, 9}}},
      {"several with models and dropping", {"distinct-l:ailment:l=2"}, {{{"age", "town"}, 5}, {{"job"}, 4}}, 0.2},
      {"persons", {}, {}, 0, true},
      {"persons, models and dropping", {"distinct-l:ailment:l=2"}, {}, 0.2, true},
  };
  return all;
}

Job job_for(const MethodEntry& method, const Wish& wish) {
  Job job;
  for (const char* column : {"age", "town", "job"}) job.column(column).role = Role::quasi;
  job.column("age").type = ColumnType::numeric;
  job.column("town").hierarchy = HierarchySpec{"", BuilderSpec{"mask", {}}, {}};
  job.column("job").hierarchy = HierarchySpec{"", BuilderSpec{"frequency", {}}, {}};
  job.column("ailment").role = job.column("stay").role = Role::sensitive;
  job.column("class").role = method.needs_target ? Role::target : Role::plain;
  job.column("who").role = wish.persons ? Role::person : Role::identifier;
  if (wish.requirements.empty()) job.k = 4;
  job.requirements = wish.requirements;
  for (const char* model : wish.models) job.models.push_back(parse_model(model));
  if (method.drops_rows) job.suppress_rows = wish.suppress_rows;
  job.method = method.name;
  if (method.name == "genetic") job.params["generations"] = "3";
  if (method.name == "mu-argus") job.params["combinations"] = "2";
  job.accept = {"near-unique", "reveals", "order", "tight", "one-value", "persons", "types"};
  job.threads = 2;
  return job;
}

// Each different row once, with how often it occurs.
struct Counted {
  std::vector<Row> rows;
  std::vector<uint32_t> times;
};
Counted counted(const std::vector<Row>& rows, bool persons, std::mt19937& random) {
  std::map<Row, uint32_t> times;
  for (Row row : rows) {
    if (!persons) row.back() = "somebody";
    ++times[row];
  }
  Counted result;
  for (const auto& [row, count] : times) result.rows.push_back(row);
  std::shuffle(result.rows.begin(), result.rows.end(), random);  // their order must not matter
  for (const Row& row : result.rows) result.times.push_back(times[row]);
  return result;
}

// What rows are released as: how often each line.
std::map<Row, uint64_t> lines_of(const Release& release, const std::vector<uint32_t>& times) {
  ArrowArrayStream stream{};
  release.table.stream(stream);
  ArrowTable table(stream, "release");
  std::vector<size_t> all;
  for (size_t j = 0; j < table.columns().size(); ++j) all.push_back(j);
  std::map<Row, uint64_t> lines;
  Progress progress;
  size_t at = 0;
  table.read(all, progress, [&](TextStream& cells) {
    while (cells.next()) {
      for (size_t row = 0; row < cells.size(); ++row, ++at) {
        Row line;
        for (size_t j : all) line.emplace_back(cells.cell(j, row));
        lines[line] += times.empty() ? 1 : times[release.row_of_release[at]];
      }
    }
  });
  return lines;
}

void expect_same(const std::vector<ModelValues>& a, const std::vector<ModelValues>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_DOUBLE_EQ(a[i].worst, b[i].worst);
    EXPECT_EQ(a[i].groups_broken, b[i].groups_broken);
    EXPECT_EQ(a[i].rows_broken, b[i].rows_broken);
    EXPECT_EQ(a[i].groups_by_missing, b[i].groups_by_missing);
  }
}

void expect_same(const std::optional<PrivacyValues>& a, const std::optional<PrivacyValues>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  ASSERT_EQ(a->sensitive.size(), b->sensitive.size());
  for (size_t j = 0; j < a->sensitive.size(); ++j) {
    expect_same(a->sensitive[j].models, b->sensitive[j].models);
    EXPECT_EQ(a->sensitive[j].rows_by_diversity, b->sensitive[j].rows_by_diversity);
  }
  ASSERT_EQ(a->persons.has_value(), b->persons.has_value());
  if (a->persons) {
    EXPECT_EQ(a->persons->smallest_group, b->persons->smallest_group);
  }
}

void expect_same(const Report& a, const Report& b) {
  for (const std::string& name : measure_names()) {
    if (name == "cm" && !b.measures.cm) continue;
    EXPECT_DOUBLE_EQ(loss(name, a.measures), loss(name, b.measures)) << name;
  }
  EXPECT_EQ(a.measures.rows_ratio, b.measures.rows_ratio);
  EXPECT_EQ(a.rows_in, b.rows_in);
  EXPECT_EQ(a.rows_out, b.rows_out);
  EXPECT_EQ(a.rows_dropped, b.rows_dropped);
  EXPECT_EQ(a.groups, b.groups);
  EXPECT_EQ(a.risk.smallest_group, b.risk.smallest_group);
  EXPECT_EQ(a.risk_before.smallest_group, b.risk_before.smallest_group);
  EXPECT_EQ(a.group_sizes, b.group_sizes);
  EXPECT_EQ(a.group_sizes_before, b.group_sizes_before);
  EXPECT_EQ(a.cells_suppressed, b.cells_suppressed);
  EXPECT_EQ(a.search.details, b.search.details);
  EXPECT_EQ(a.notices, b.notices);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t j = 0; j < a.columns.size(); ++j) {
    EXPECT_EQ(a.columns[j].values_out, b.columns[j].values_out);
    EXPECT_EQ(a.columns[j].level, b.columns[j].level);
    EXPECT_DOUBLE_EQ(a.columns[j].shares_moved, b.columns[j].shares_moved);
  }
  ASSERT_EQ(a.verification.checks.size(), b.verification.checks.size());
  for (size_t i = 0; i < a.verification.checks.size(); ++i) {
    EXPECT_EQ(a.verification.checks[i].name, b.verification.checks[i].name);
    EXPECT_EQ(a.verification.checks[i].detail, b.verification.checks[i].detail);
  }
  ASSERT_EQ(a.findings.has_value(), b.findings.has_value());
  ASSERT_EQ(a.findings->size(), b.findings->size());
  for (size_t i = 0; i < a.findings->size(); ++i) {
    EXPECT_EQ((*a.findings)[i].code, (*b.findings)[i].code);
    EXPECT_EQ((*a.findings)[i].columns, (*b.findings)[i].columns);
  }
  ASSERT_EQ(a.requirements.size(), b.requirements.size());
  for (size_t i = 0; i < a.requirements.size(); ++i) {
    EXPECT_EQ(a.requirements[i].min_group, b.requirements[i].min_group);
    expect_same(a.requirements[i].models, b.requirements[i].models);
    expect_same(a.requirements[i].models_before, b.requirements[i].models_before);
  }
  expect_same(a.privacy_before, b.privacy_before);
  expect_same(a.privacy, b.privacy);
}

class CountedRowsOf : public ::testing::TestWithParam<const MethodEntry*> {};

TEST_P(CountedRowsOf, SameAsAllRows) {
  const MethodEntry& method = *GetParam();
  int released = 0, dropping = 0;
  std::mt19937 random(5);
  for (int round = 0; round < rounds(2); ++round) {
    for (const Wish& wish : wishes()) {
      SCOPED_TRACE(fmt::format("{}, round {}", wish.name, round));
      if (wish.suppress_rows > 0 && !method.drops_rows) continue;
      if (wish.requirements.size() > 1 && !method.several_requirements) continue;
      if ((!wish.models.empty() || wish.persons) && !method.obeys_models) continue;
      const Job job = job_for(method, wish);
      const std::vector<Row> all =
          patients(150 + random() % 200, static_cast<unsigned>(random()), wish.persons ? 30 : 0);
      const Counted once = counted(all, wish.persons, random);
      ASSERT_LT(once.rows.size(), all.size());
      RowsTable all_table(kColumns, all), once_table(kColumns, once.rows);
      Progress progress;
      const Release expected = anonymize(job, all_table, progress);
      const Release found = anonymize(job, once_table, progress, {.times = once.times});
      ASSERT_EQ(found.report.status, expected.report.status) << found.report.reason << expected.report.reason;
      EXPECT_EQ(found.report.reason, expected.report.reason);
      if (expected.report.status != Status::released) continue;
      EXPECT_EQ(lines_of(found, once.times), lines_of(expected, {}));
      EXPECT_TRUE(found.report.verification.ok());
      expect_same(found.report, expected.report);
      ++released;
      dropping += found.report.rows_dropped > 0;
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(released, rounds(2));
  if (method.drops_rows) {
    EXPECT_GT(dropping, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, CountedRowsOf, ::testing::ValuesIn(testing::alike_methods()), testing::test_name);

// What somebody would see who was given such a table: "" where it is taken.
std::string refusal(const Job& job, const std::vector<uint32_t>& times, const TablesBeside& more = {}) {
  RowsTable table(kColumns, {{"30", "t00", "j0", "a0", "0", "no", "x"}, {"31", "t01", "j1", "a1", "1", "yes", "x"}});
  TablesBeside beside = more;
  beside.times = times;
  Progress progress;
  try {
    anonymize(job, table, progress, beside);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CountedRows, RefusedByName) {
  const auto job_of = [](const char* method) { return job_for(*find_method(method), {"k"}); };
  const auto expect_words = [](const std::string& found, const std::string& words) {
    EXPECT_NE(found.find(words), std::string::npos) << found;
  };
  EXPECT_EQ(refusal(job_of("mondrian"), {4, 4}), "");
  expect_words(refusal(job_of("shoal"), {4, 4}), "method shoal must be given every row");
  Job relaxed = job_of("mondrian");
  relaxed.params["cuts"] = "relaxed";
  expect_words(refusal(relaxed, {4, 4}), "method mondrian may part equal rows (cuts=relaxed)");
  Job in_order = job_of("mondrian");
  in_order.order = Order::input;
  expect_words(refusal(in_order, {4, 4}), "the order of the input is asked for");
  RowsTable other(kColumns, {{"30", "t00", "j0", "a0", "0", "no", "x"}});
  expect_words(refusal(job_of("mondrian"), {4, 4}, {.population = &other}), "a population is beside the table");
  expect_words(refusal(job_of("mondrian"), {4, 4}, {.earlier = {&other}}), "earlier releases are beside the table");
  expect_words(refusal(job_of("mondrian"), {4}), "has 2 rows, and it is said of 1");
  expect_words(refusal(job_of("mondrian"), {4, 0}), "it stands for no row at all");
  expect_words(refusal(job_of("mondrian"), {4'000'000'000, 4'000'000'000}), "stand for 8000000000 rows");
}

// Large numbers stay large numbers: nothing is counted out but what findings look at.
TEST(CountedRows, ThousandsOfMillions) {
  std::vector<Row> rows;
  std::vector<uint32_t> times;
  std::mt19937 random(3);
  for (const Row& row : counted(patients(300, 8, 0), false, random).rows) {
    rows.push_back(row);
    times.push_back(4'000'000);
  }
  Job job = job_for(*find_method("mondrian"), {"models", {"t-closeness:ailment:t=0.5"}});
  job.k = 9'000'000;
  RowsTable table(kColumns, rows);
  Progress progress;
  const Release release = anonymize(job, table, progress, {.times = times});
  ASSERT_EQ(release.report.status, Status::released) << release.report.reason;
  EXPECT_EQ(release.report.rows_out, rows.size() * 4'000'000);
  EXPECT_GE(release.report.requirements[0].min_group, 9'000'000U);
  EXPECT_EQ(release.table.rows(), rows.size());
  EXPECT_NE(release.report.notices.back().find("findings were looked for in"), std::string::npos);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
