// Every method that obeys models, with every kind of model, on random tables: what is released is counted again,
// plainly (model_oracle.h). Found through the registry, so that a method is tested the moment it says that it obeys
// them.
#include <gtest/gtest.h>

#include <algorithm>

#include "shoal/method/method.h"
#include "shoal/recode/apply.h"
#include "testing/modelled_problem.h"
#include "testing/rounds.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing;

// Times eight kinds of models 2,000 tables and more for every method.
constexpr int kTablesPerKind = 260;

bool same(const ReleasedTable& a, const ReleasedTable& b, size_t rows) {
  if (a.dropped_rows != b.dropped_rows) return false;
  for (size_t j = 0; j < a.quasi.size(); ++j) {
    for (size_t row = 0; row < rows; ++row) {
      if (!(a.quasi[j].values[a.quasi[j].codes[row]] == b.quasi[j].values[b.quasi[j].codes[row]])) return false;
    }
  }
  return true;
}

class EveryMethodWithModels : public ::testing::TestWithParam<const MethodEntry*> {
 protected:
  const MethodEntry& method() const { return *GetParam(); }

  Asked draw(RandomTables& random, ModelKind kind, size_t most_rows, size_t max_values = 5) {
    Asked asked =
        draw_asked(random, kind, {most_rows, max_values, method().several_requirements, method().obeys_average_risk});
    if (method().drops_rows && random.draw(0, 1)) asked.suppress_rows = double(random.draw(0, 4)) / 4;
    asked.params = complete({}, method().parameters);
    for (const Parameter& parameter : method().parameters) {  // any way to cut, release or measure
      const bool costly = parameter.name == "check" || parameter.name == "neighbours";
      if (parameter.choices.empty() || costly) continue;
      asked.params[parameter.name] = parameter.choices[random.draw(0, parameter.choices.size() - 1)];
    }
    if (asked.params.contains("outlier") && random.draw(0, 1)) asked.params["outlier"] = "0.3";
    if (asked.params.contains("generations")) {  // to be quick
      asked.params["generations"] = "3";
      asked.params["population"] = "10";
    }
    asked.seed = random.draw(1, 1000);
    return asked;
  }

  SearchResult search(const Problem& problem) const {
    Progress progress;
    return method().make()->search(problem, progress);
  }

  ReleasedTable released(const Asked& asked, const SearchResult& result) const {
    return apply(*result.recoding(), asked.drawn.table, asked.drawn.hierarchies, 1);
  }

  void expect_true_to_its_rows(const Asked& asked, const ReleasedTable& released) const {
    const size_t rows = asked.drawn.table.rows;
    for (size_t j = 0; j < released.quasi.size(); ++j) {
      for (uint32_t row = 0; row < rows; ++row) {
        if (std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row)) continue;
        const Released& cell = released.quasi[j].values.at(released.quasi[j].codes[row]);
        const uint32_t leaf = asked.drawn.table.quasi[j].codes[row];
        EXPECT_TRUE(cell.first <= leaf && leaf <= cell.last);
      }
    }
    if (!method().drops_rows) {
      EXPECT_TRUE(released.dropped_rows.empty());
    }
    if (asked.suppress_rows) {
      EXPECT_LE(double(released.dropped_rows.size()), *asked.suppress_rows * double(rows) + 1e-9);
    }
  }
};

TEST_P(EveryMethodWithModels, KeepsThem) {
  RandomTables random(30);
  const int every =
      std::clamp(rounds(kTablesPerKind) / 32, 1, 8);  // about 32 tables at least are searched for k alone, too
  for (ModelKind kind : kColumnKinds) {
    int needed = 0;  // tables on which k alone would break a model
    for (int round = 0; round < rounds(kTablesPerKind); ++round) {
      SCOPED_TRACE(std::string(model_entry(kind).word) + ", round " + std::to_string(round));
      const Asked asked = draw(random, kind, 40);
      const SearchResult result = search(asked.problem());
      ASSERT_TRUE(result.recoding()) << result.reason();
      const ReleasedTable table = released(asked, result);
      EXPECT_TRUE(keeps(asked, table));
      expect_true_to_its_rows(asked, table);
      if (round % every == 0) needed += !keeps(asked, released(asked, search(asked.problem(false))));
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_GT(needed, rounds(kTablesPerKind) / 100) << "models that say nothing: " << model_entry(kind).word;
  }
}

TEST_P(EveryMethodWithModels, SameAnswerWhateverTheThreads) {
  RandomTables random(31);
  for (ModelKind kind : kColumnKinds) {
    for (int round = 0; round < rounds(3); ++round) {
      const Asked asked = draw(random, kind, 250, 8);
      std::optional<ReleasedTable> first;
      for (int threads : {1, 2, 8, 1}) {
        Problem problem = asked.problem();
        problem.threads = threads;
        const SearchResult result = search(problem);
        ASSERT_TRUE(result.recoding()) << result.reason();
        ReleasedTable table = released(asked, result);
        EXPECT_TRUE(keeps(asked, table)) << "round " << round;
        if (first) {
          EXPECT_TRUE(same(*first, table, asked.drawn.table.rows)) << "threads " << threads;
        }
        if (!first) first = std::move(table);
      }
    }
  }
}

TEST_P(EveryMethodWithModels, KeepsThemWithNoTimeLeft) {
  RandomTables random(32);
  for (ModelKind kind : kColumnKinds) {
    for (int round = 0; round < rounds(10); ++round) {
      const Asked asked = draw(random, kind, 60);
      Progress progress;
      progress.set_deadline(Clock::now());
      const SearchResult result = method().make()->search(asked.problem(), progress);
      ASSERT_TRUE(result.recoding()) << result.reason();
      EXPECT_TRUE(keeps(asked, released(asked, result))) << model_entry(kind).word << ", round " << round;
    }
  }
}

// Rules that ask for no more than k rows change nothing.
TEST_P(EveryMethodWithModels, GivesTheAnswerOfTodayWithoutThem) {
  RandomTables random(33);
  for (int round = 0; round < rounds(60); ++round) {
    Asked asked = draw(random, ModelKind::distinct_l, 40);
    asked.with_models.assign(asked.requirements.size(), false);
    const SearchResult plain = search(asked.problem(false)), ruled = search(asked.problem());
    ASSERT_TRUE(plain.recoding() && ruled.recoding());
    EXPECT_TRUE(same(released(asked, plain), released(asked, ruled), asked.drawn.table.rows)) << "round " << round;
  }
}

// What all rows as one group break, no recoding keeps.
TEST_P(EveryMethodWithModels, SaysWhyThereIsNoAnswer) {
  RandomTables random(34);
  for (int round = 0; round < rounds(20); ++round) {
    Asked asked = draw(random, ModelKind::distinct_l, 40);
    asked.suppress_rows = method().drops_rows ? std::optional(0.0) : std::nullopt;
    asked.risk.reset();
    ModelSpec impossible;
    impossible.kind = ModelKind::distinct_l;
    impossible.column = "s";
    impossible.l = {asked.models.counted->values + 1, 1};
    asked.models.specs = {impossible};
    const SearchResult result = search(asked.problem());
    ASSERT_FALSE(result.recoding());
    EXPECT_NE(result.reason().find("different values of 's'"), std::string::npos) << result.reason();
  }
}

std::vector<const MethodEntry*> obedient_methods() {
  std::vector<const MethodEntry*> entries;
  for (const MethodEntry& entry : methods()) {
    if (entry.obeys_models) entries.push_back(&entry);
  }
  return entries;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodWithModels, ::testing::ValuesIn(obedient_methods()),
                         [](const auto& entry) {
                           std::string name = entry.param->name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
