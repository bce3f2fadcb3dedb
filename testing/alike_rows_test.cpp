// Methods that take rows which stand for several (MethodEntry::alike_rows) answer as they do when each of these rows is
// there: the same release for every row, the same rows dropped, the same words about it.
#include <gtest/gtest.h>

#include <map>

#include "shoal/method/method.h"
#include "shoal/recode/apply.h"
#include "testing/alike_methods.h"
#include "testing/modelled_problem.h"
#include "testing/rounds.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::rounds;

// A table twice: every row, by content, and each different one once.
struct TwoTables {
  Table all, alike;
  std::vector<uint32_t> alike_of_row;                // [row of all]: row of alike
  std::vector<uint32_t> all_counted, alike_counted;  // what rules count, for each row of either
};

Table chosen(const Table& table, const std::vector<size_t>& rows) {
  Table result;
  result.rows = rows.size();
  const auto column = [&](const Column& from, size_t codes) {
    Column to{from.name, Codes(rows.size(), codes), from.values};
    for (size_t i = 0; i < rows.size(); ++i) to.codes.set(i, from.codes[rows[i]]);
    return to;
  };
  for (const Column& from : table.quasi) result.quasi.push_back(column(from, from.values.size()));
  if (table.target) result.target = column(*table.target, table.target->values.size());
  for (size_t row : rows) {
    if (!table.rest.empty()) result.rest.push_back(table.rest[row]);
  }
  return result;
}

// `counted`: one for each row, or none. `rest`: rows that differ there alone are not alike.
TwoTables both_of(const Table& table, const std::vector<uint32_t>& counted, bool rest) {
  std::map<std::vector<uint64_t>, std::vector<size_t>> rows_with;
  for (size_t row = 0; row < table.rows; ++row) {
    std::vector<uint64_t> content;
    for (const Column& column : table.quasi) content.push_back(column.codes[row]);
    if (table.target) content.push_back(table.target->codes[row]);
    content.push_back(counted.empty() ? 0 : counted[row]);
    if (rest && !table.rest.empty()) content.push_back(table.rest[row]);
    rows_with[content].push_back(row);
  }
  TwoTables tables;
  std::vector<size_t> all, first;
  std::vector<uint32_t> times;
  for (const auto& [content, rows] : rows_with) {
    all.insert(all.end(), rows.begin(), rows.end());
    tables.alike_of_row.insert(tables.alike_of_row.end(), rows.size(), static_cast<uint32_t>(first.size()));
    first.push_back(rows.front());
    times.push_back(static_cast<uint32_t>(rows.size()));
    if (counted.empty()) continue;
    tables.alike_counted.push_back(counted[rows.front()]);
    tables.all_counted.insert(tables.all_counted.end(), rows.size(), counted[rows.front()]);
  }
  tables.all = chosen(table, all);
  tables.alike = chosen(table, first);
  tables.alike.times = times;
  if (!rest) tables.alike.rest.clear();
  return tables;
}

class AlikeRowsOf : public ::testing::TestWithParam<const MethodEntry*> {
 protected:
  // Settings: each parameter with choices at random, small searches.
  Params settings(testing::RandomTables& random) {
    const MethodEntry& method = *GetParam();
    for (;;) {
      Params params = complete({}, method.parameters);
      for (const Parameter& parameter : method.parameters) {
        if (parameter.choices.empty() || random.draw(0, 1)) continue;
        params[parameter.name] = parameter.choices[random.draw(0, parameter.choices.size() - 1)];
      }
      if (params.contains("generations")) params["generations"] = "5";
      if (method.alike_rows(params).why_not.empty()) return params;
    }
  }

  // Compares the answers to both problems, which differ in their tables.
  void expect_same(const Problem& all, const Problem& alike, const TwoTables& tables) {
    const MethodEntry& method = *GetParam();
    Progress progress;
    const SearchResult expected = method.make()->search(all, progress), found = method.make()->search(alike, progress);
    EXPECT_EQ(found.reason(), expected.reason());
    EXPECT_EQ(found.notices, expected.notices);
    EXPECT_EQ(found.stats.details, expected.stats.details);
    EXPECT_EQ(found.stats.generated, expected.stats.generated);
    EXPECT_EQ(found.stats.expanded, expected.stats.expanded);
    EXPECT_EQ(found.stats.bound, expected.stats.bound);
    ASSERT_EQ(found.stats.steps.size(), expected.stats.steps.size());
    for (size_t i = 0; i < found.stats.steps.size(); ++i) {
      EXPECT_EQ(found.stats.steps[i].what, expected.stats.steps[i].what);
      EXPECT_EQ(found.stats.steps[i].numbers, expected.stats.steps[i].numbers);
    }
    ASSERT_EQ(found.recoding() != nullptr, expected.recoding() != nullptr);
    if (found.recoding() == nullptr) return;
    const ReleasedTable wanted = apply(*expected.recoding(), tables.all, all.hierarchies, 1);
    const ReleasedTable released = apply(*found.recoding(), tables.alike, all.hierarchies, 1);
    std::vector<uint32_t> dropped;
    for (uint32_t row = 0; row < tables.all.rows; ++row) {
      const uint32_t like = tables.alike_of_row[row];
      if (std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), like)) {
        dropped.push_back(row);
        continue;
      }
      for (size_t j = 0; j < wanted.quasi.size(); ++j) {
        const ReleasedColumn &a = wanted.quasi[j], &b = released.quasi[j];
        EXPECT_TRUE(a.values[a.codes[row]] == b.values[b.codes[like]]) << "row " << row << ", column " << j;
      }
    }
    EXPECT_EQ(dropped, wanted.dropped_rows);
    several_times_ += tables.alike.rows < tables.all.rows;
    dropping_ += !dropped.empty();
  }

  int several_times_ = 0, dropping_ = 0;
};

TEST_P(AlikeRowsOf, SameAnswer) {
  testing::RandomTables random(91);
  const MethodEntry& method = *GetParam();
  for (int round = 0; round < rounds(300); ++round) {
    SCOPED_TRACE(round);
    auto drawn = random.table({.rows = random.draw(1, 70), .columns = random.draw(1, 4), .max_values = 4});
    if (random.draw(0, 1)) {
      for (size_t row = 0; row < drawn.table.rows; ++row) drawn.table.rest.push_back(random.draw(0, 3));
    }
    const Params params = settings(random);
    const TwoTables tables = both_of(drawn.table, {}, method.alike_rows(params).rest);
    auto requirements = random.requirements(drawn.table);
    if (!method.several_requirements) requirements.resize(1);
    const auto posed = [&](const Table& table) {
      return Problem{table, drawn.hierarchies, requirements, {}, {}, params, 7, 1};
    };
    Problem all = posed(tables.all), alike = posed(tables.alike);
    if (method.drops_rows && random.draw(0, 1)) all.suppress_rows = double(random.draw(0, 4)) / 8;
    for (size_t j = 0; j < drawn.hierarchies.size(); ++j) all.weights.push_back(double(random.draw(1, 3)));
    alike.weights = all.weights;
    alike.suppress_rows = all.suppress_rows;
    alike.threads = static_cast<int>(random.draw(1, 3));
    expect_same(all, alike, tables);
    if (HasFailure()) return;
  }
  EXPECT_GT(several_times_, rounds(300) / 2);
  if (method.drops_rows) {
    EXPECT_GT(dropping_, 0);
  }
}

TEST_P(AlikeRowsOf, SameAnswerWithModels) {
  testing::RandomTables random(92);
  const MethodEntry& method = *GetParam();
  if (!method.obeys_models) GTEST_SKIP() << "obeys no models";
  for (int round = 0; round < rounds(300); ++round) {
    SCOPED_TRACE(round);
    testing::Asked asked =
        testing::draw_asked(random, testing::kColumnKinds[random.draw(0, std::size(testing::kColumnKinds) - 1)],
                            {.most_rows = 60,
                             .max_values = 3,
                             .several = method.several_requirements,
                             .average_risk = method.obeys_average_risk});
    if (random.draw(0, 1)) {
      for (size_t row = 0; row < asked.drawn.table.rows; ++row) asked.drawn.table.rest.push_back(random.draw(0, 3));
    }
    asked.params = settings(random);
    if (method.drops_rows && random.draw(0, 1)) asked.suppress_rows = double(random.draw(0, 6)) / 10;
    const TwoTables tables =
        both_of(asked.drawn.table, asked.models.counted->codes, method.alike_rows(asked.params).rest);
    const auto posed = [&](const Table& table, const std::vector<uint32_t>& codes) {
      Problem problem{table, asked.drawn.hierarchies, asked.requirements, {}, asked.suppress_rows, asked.params, 3, 1};
      problem.weights.assign(asked.drawn.hierarchies.size(), 1.0);
      const auto counted = std::make_shared<const CountedColumn>(CountedColumn{asked.models.counted->values, codes});
      for (size_t i = 0; i < asked.requirements.size(); ++i) {
        std::vector<CountedModel> models;
        for (const ModelSpec& spec : asked.models.specs) {
          if (asked.with_models[i]) models.push_back({make_model(spec, asked.models.scene->column), counted});
        }
        problem.rules.push_back(std::make_shared<const GroupRule>(
            asked.requirements[i].k, std::move(models),
            asked.with_models[i] && asked.risk ? std::optional(AverageRisk(*asked.risk)) : std::nullopt));
      }
      return problem;
    };
    expect_same(posed(tables.all, tables.all_counted), posed(tables.alike, tables.alike_counted), tables);
    if (HasFailure()) return;
  }
  EXPECT_GT(several_times_, rounds(300) / 4);
}

INSTANTIATE_TEST_SUITE_P(Methods, AlikeRowsOf, ::testing::ValuesIn(testing::alike_methods()), testing::test_name);

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
