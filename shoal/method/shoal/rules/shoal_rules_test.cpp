// Method `shoal` under privacy models: its releases against plain recounts, its parts against plain checks.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "shoal/measure/cell_loss.h"
#include "shoal/method/shoal/rules/fair_cut.h"
#include "shoal/method/shoal/rules/fair_start.h"
#include "shoal/method/shoal/rules/merge_groups.h"
#include "shoal/recode/apply.h"
#include "testing/random_rule.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using namespace testing;

// A random table with models on a column of its own that the whole table keeps.
struct ModelledTable {
  ModelledTable(RandomTables& random, size_t rows)
      : models(random_models(kColumnKinds, rows, random.engine())),
        table(random.table({models.rows(), random.draw(1, 4), 8, true, true, 2})),
        k(random.draw(1, std::max<size_t>(1, std::min<size_t>(6, models.rows() / 3)))) {
    std::vector<size_t> columns(table.hierarchies.size());
    std::iota(columns.begin(), columns.end(), 0);
    requirement = {columns, k};
  }
  Problem problem(std::optional<AverageRisk> risk = {}) const {
    Problem posed = table.problem({requirement});
    std::vector<CountedModel> counted;
    for (const ModelSpec& spec : models.specs) {
      counted.push_back({make_model(spec, models.scene->column), models.counted});
    }
    posed.rules = {std::make_shared<const GroupRule>(k, std::move(counted), std::move(risk))};
    return posed;
  }
  bool keeps(const ReleasedTable& released) const {
    return holds(released, table.table.rows, requirement) && models_hold(released, models, requirement);
  }

  RandomModels models;
  RandomTable table;
  uint64_t k;
  Requirement requirement;
};

// Every row exactly once, and every group holds by a plain count.
bool all_groups_hold(const RowGroups& groups, const ModelledTable& modelled) {
  std::vector<uint32_t> rows = groups.rows;
  std::sort(rows.begin(), rows.end());
  for (uint32_t row = 0; row < rows.size(); ++row) {
    if (rows[row] != row) return false;
  }
  for (size_t g = 0; g < groups.size(); ++g) {
    Counts counts(modelled.models.counted->values);
    for (uint32_t row : groups.group(g)) ++counts[modelled.models.counted->codes[row]];
    if (groups.rows_in(g) < modelled.k) return false;
    for (const ModelSpec& spec : modelled.models.specs) {
      if (plain_holds(spec, *modelled.models.scene, counts) == Answer::no) return false;
    }
  }
  return rows.size() == modelled.table.table.rows;
}

ModelSpec risk_of(uint64_t numerator, uint64_t denominator) {
  ModelSpec spec;
  spec.kind = ModelKind::average_risk;
  spec.risk = {numerator, denominator};
  return spec;
}

TEST(ShoalRules, EveryModelHoldsOnRandomTables) {
  RandomTables random(31);
  size_t several_groups = 0;
  for (int round = 0; round < 2400; ++round) {
    const ModelledTable modelled(random, random.draw(3, 60));
    Problem problem = modelled.problem();
    problem.params = {{"effort", round % 40 == 0 ? "normal" : "fast"},
                      {"objective", round % 5 == 0 ? "classification" : "ncp"}};
    problem.seed = random.draw(1, 1000);
    const SearchResult result = run_method("shoal", problem);
    ASSERT_TRUE(result.recoding()) << result.reason();
    const ReleasedTable released = apply(*result.recoding(), modelled.table.table, modelled.table.hierarchies, 1);
    ASSERT_TRUE(modelled.keeps(released)) << "round " << round << ", " << model_text(modelled.models.specs.front());
    const GroupRecoding& groups = result.recoding()->by_group();
    several_groups += *std::max_element(groups.group_of_row.begin(), groups.group_of_row.end()) > 0;
    if (round % 8 != 0) continue;
    for (int threads : {2, 8}) {
      problem.threads = threads;
      ASSERT_EQ(run_method("shoal", problem).recoding()->by_group().group_of_row, groups.group_of_row);
    }
  }
  EXPECT_GT(several_groups, 1000U);
}

TEST(ShoalRules, ThreadsDoNotChangeALargerTable) {
  RandomTables random(32);
  for (int round = 0; round < 3; ++round) {
    const ModelledTable modelled(random, 6000);
    Problem problem = modelled.problem();
    problem.params = {{"effort", "fast"}};
    std::vector<std::vector<uint32_t>> answers;
    for (int threads : {1, 2, 8}) {
      problem.threads = threads;
      answers.push_back(run_method("shoal", problem).recoding()->by_group().group_of_row);
    }
    ASSERT_EQ(answers[0], answers[1]);
    ASSERT_EQ(answers[0], answers[2]);
  }
}

TEST(ShoalRules, AnAverageRiskBoundsTheNumberOfGroups) {
  RandomTables random(33);
  for (int round = 0; round < 600; ++round) {
    const ModelledTable modelled(random, random.draw(3, 60));
    const size_t rows = modelled.table.table.rows;
    const AverageRisk risk(risk_of(1, random.draw(1, rows + 1)));
    Problem problem = modelled.problem(risk);
    if (round % 2 == 0) {
      problem.rules = {std::make_shared<const GroupRule>(modelled.k, std::vector<CountedModel>(), risk)};
    }
    problem.params = {{"effort", "fast"}};
    const SearchResult result = run_method("shoal", problem);
    ASSERT_EQ(result.recoding() != nullptr, risk.most_groups(rows) > 0);
    if (!result.recoding()) continue;
    const ReleasedTable released = apply(*result.recoding(), modelled.table.table, modelled.table.hierarchies, 1);
    ASSERT_TRUE(holds(released, rows, modelled.requirement));
    ASSERT_TRUE(round % 2 == 0 || modelled.keeps(released));
    const auto& group_of_row = result.recoding()->by_group().group_of_row;
    ASSERT_LE(*std::max_element(group_of_row.begin(), group_of_row.end()) + 1, risk.most_groups(rows));
  }
}

TEST(ShoalRules, WithoutTimeTheAnswerHoldsToo) {
  RandomTables random(34);
  for (int round = 0; round < 100; ++round) {
    const ModelledTable modelled(random, 200);
    Progress progress;
    progress.set_deadline(Clock::now());
    const AverageRisk risk(risk_of(1, 20));
    const SearchResult result =
        run_method("shoal", round % 2 == 0 ? modelled.problem() : modelled.problem(risk), progress);
    if (modelled.table.table.rows < 20 && round % 2 == 1) continue;
    ASSERT_TRUE(result.recoding());
    ASSERT_TRUE(modelled.keeps(apply(*result.recoding(), modelled.table.table, modelled.table.hierarchies, 1)));
    EXPECT_FALSE(result.notices.empty());
  }
}

TEST(ShoalRules, WhatTheWholeTableDoesNotKeepIsRefusedWithTheReason) {
  RandomTables random(35);
  const RandomTable table = random.table({20, 2, 5, true, false, 0});
  const auto counted = std::make_shared<const CountedColumn>(CountedColumn{2, std::vector<uint32_t>(20, 1)});
  ModelSpec spec;
  spec.column = "diagnosis";
  spec.l = {2, 1};
  WholeColumn whole;
  whole.counts = {0, 20};
  Problem problem = table.problem({{{0, 1}, 2}});
  problem.rules = {std::make_shared<const GroupRule>(2, std::vector<CountedModel>{{make_model(spec, whole), counted}})};
  const SearchResult result = run_method("shoal", problem);
  EXPECT_FALSE(result.recoding());
  EXPECT_NE(result.reason().find("diagnosis"), std::string::npos) << result.reason();
  EXPECT_NE(result.reason().find("all rows in one group"), std::string::npos) << result.reason();
}

TEST(ShoalRules, ModelsOfThePopulationAreRefused) {
  RandomTables random(36);
  const RandomTable table = random.table({20, 2, 5, true, false, 0});
  ModelSpec spec;
  spec.kind = ModelKind::k_map;
  spec.k = {3, 1};
  Problem problem = table.problem({{{0, 1}, 2}});
  problem.rules = {std::make_shared<const GroupRule>(2, std::vector<CountedModel>{{make_model(spec, {}), nullptr}})};
  try {
    run_method("shoal", problem);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("population"), std::string::npos) << error.what();
  }
}

// ---- the parts ----

// What rows cost as one group, by the definition.
double plain_cost(const NcpSpace& space, const Pool& pool, const std::vector<uint32_t>& rows) {
  RowGroups group;
  for (uint32_t row : rows) group.rows.push_back(pool.table_rows[row]);
  group.starts.push_back(static_cast<uint32_t>(group.rows.size()));
  return partition_cost(space, group);
}

TEST(FairCut, SidesHoldAndTakeTheFirstRowsOfEachKind) {
  RandomTables random(37);
  size_t cuts = 0;
  for (int round = 0; round < 2000; ++round) {
    const ModelledTable modelled(random, random.draw(4, 40));
    const Problem problem = modelled.problem();
    const NcpSpace space(problem, modelled.requirement.columns, 0);
    const RowKinds kinds(*problem.rules[0], space.rows());
    FairCutter cutter(space, *problem.rules[0], kinds);
    std::vector<uint32_t> rows(space.rows()), codes(space.rows() * space.columns());
    std::iota(rows.begin(), rows.end(), 0);
    space.gather(rows, codes.data());
    Pool pool{codes.data(), nullptr, rows.data(), rows};
    if (pool.rows.size() < 2) continue;
    SeededRandom seeded(random.draw(0, 1000));
    cutter.line_up(pool, random_line(space, seeded), random.draw(0, space.columns() - 1));
    const double cost = cutter.cut(pool, random.draw(1, pool.rows.size() - 1), seeded);
    if (cost == FairCutter::kNever) continue;
    ++cuts;
    RowGroups sides{cutter.left(), {0, static_cast<uint32_t>(cutter.left().size())}};
    sides.rows.insert(sides.rows.end(), cutter.right().begin(), cutter.right().end());
    sides.starts.push_back(static_cast<uint32_t>(sides.rows.size()));
    ASSERT_TRUE(all_groups_hold(sides, modelled));
    EXPECT_NEAR(cost, plain_cost(space, pool, cutter.left()) + plain_cost(space, pool, cutter.right()), 1e-9);
    // On the line no row of the right side comes before one of its kind on the left.
    std::vector<bool> seen_right(kinds.kinds(), false), is_left(space.rows(), false);
    for (uint32_t row : cutter.left()) is_left[row] = true;
    for (uint32_t row : pool.rows) {
      ASSERT_FALSE(is_left[row] && seen_right[kinds.of(row)]);
      if (!is_left[row]) seen_right[kinds.of(row)] = true;
    }
    // Dealt anew along another line, both sides keep their counts (kinds do not tell persons apart).
    if (std::any_of(modelled.models.specs.begin(), modelled.models.specs.end(),
                    [](const ModelSpec& spec) { return spec.kind == ModelKind::persons; })) {
      continue;
    }
    const std::vector<uint32_t> like = cutter.left();
    cutter.line_up(pool, random_line(space, seeded));
    ASSERT_NE(cutter.deal(pool, like), FairCutter::kNever);
    const auto values_of = [&](const std::vector<uint32_t>& side) {
      std::vector<uint32_t> values;
      for (uint32_t row : side) values.push_back(modelled.models.counted->codes[row]);
      std::sort(values.begin(), values.end());
      return values;
    };
    ASSERT_EQ(values_of(cutter.left()), values_of(like));
  }
  EXPECT_GT(cuts, 500U);
}

TEST(FairStart, IsAPartitionIntoGroupsThatHold) {
  RandomTables random(38);
  for (int round = 0; round < 300; ++round) {
    const ModelledTable modelled(random, random.draw(3, 200));
    const Problem problem = modelled.problem();
    const NcpSpace space(problem, modelled.requirement.columns, 0);
    const RowKinds kinds(*problem.rules[0], space.rows());
    Progress progress;
    const TableLines lines(space, 1 + round % 3, progress);
    ASSERT_TRUE(all_groups_hold(fair_start(lines, *problem.rules[0], kinds, 5, round % 2), modelled));
  }
}

// What a plain count says about these rows; nothing certain where a bound is too near.
Answer plain_answer(const ModelledTable& modelled, const std::vector<uint32_t>& rows) {
  if (rows.empty()) return Answer::yes;
  if (rows.size() < modelled.k) return Answer::no;
  Counts counts(modelled.models.counted->values);
  for (uint32_t row : rows) ++counts[modelled.models.counted->codes[row]];
  Answer answer = Answer::yes;
  for (const ModelSpec& spec : modelled.models.specs) {
    const Answer one = plain_holds(spec, *modelled.models.scene, counts);
    if (one == Answer::no) return Answer::no;
    if (one == Answer::too_close_to_say) answer = Answer::too_close_to_say;
  }
  return answer;
}

// Rows come and go, and the window answers from memory: always as a count of the rows that are there then.
TEST(ShoalWindow, RemembersTheRulesAnswersOnlyUntilAGroupChanges) {
  RandomTables random(37);
  size_t allowed = 0, refused = 0, remembering = 0;
  for (int round = 0; round < 150; ++round) {
    const ModelledTable modelled(random, random.draw(12, 60));
    const Problem problem = modelled.problem();
    const NcpSpace space(problem, modelled.requirement.columns, 0);
    const GroupRule& rule = *problem.rules[0];
    const RowKinds kinds(rule, space.rows());
    ShoalWindow window(space, modelled.k, &rule);
    window.set_kinds(kinds);
    remembering += window.answers_at_once();
    RowGroups all;
    all.rows.resize(space.rows());
    std::iota(all.rows.begin(), all.rows.end(), 0);
    const auto size = static_cast<uint32_t>(space.rows());
    all.starts = {0, size / 3, size / 2, size};
    const uint32_t loaded[] = {0, 1, 2};
    window.load(all, loaded);
    const auto table_rows = [&](uint32_t group) {
      std::vector<uint32_t> rows;
      for (uint32_t row : window.members(group)) rows.push_back(window.table_rows()[row]);
      return rows;
    };
    const auto expect = [&](bool said, const std::vector<uint32_t>& rows) {
      const Answer plain = plain_answer(modelled, rows);
      if (plain != Answer::too_close_to_say) {
        ASSERT_EQ(said, plain == Answer::yes) << "round " << round;
      }
      ++(said ? allowed : refused);
    };
    for (int step = 0; step < 60; ++step) {
      const auto row = static_cast<uint32_t>(random.draw(0, size - 1));
      const auto group = static_cast<uint32_t>(random.draw(0, 2));
      std::vector<uint32_t> without = table_rows(window.group_of(row));
      std::erase(without, window.table_rows()[row]);
      expect(window.may_leave(row), without);
      if (HasFatalFailure()) return;
      if (group == window.group_of(row)) continue;
      std::vector<uint32_t> with = table_rows(group);
      with.push_back(window.table_rows()[row]);
      expect(window.may_join(group, row), with);
      if (HasFatalFailure()) return;
      if (step % 4 == 0) window.move(row, group);
    }
  }
  EXPECT_GT(allowed, 500U);
  EXPECT_GT(refused, 500U);
  EXPECT_GT(remembering, 100U);
}

TEST(MergedViolators, AreUnionsOfTheGroupsThatWereThereAndHold) {
  RandomTables random(39);
  for (int round = 0; round < 1000; ++round) {
    const ModelledTable modelled(random, random.draw(3, 80));
    const Problem problem = modelled.problem();
    const NcpSpace space(problem, modelled.requirement.columns, 0);
    Progress progress;
    const TableLines lines(space, 1, progress);
    RowGroups before;
    std::vector<uint32_t> group_of(space.rows());
    for (uint32_t row = 0; row < space.rows(); ++row) {
      before.rows.push_back(row);
      group_of[row] = static_cast<uint32_t>(before.size());
      if (row + 1 == space.rows() || random.draw(0, 2) == 0) before.starts.push_back(row + 1);
    }
    const MergePolicy policy = round % 2 ? MergePolicy::least_cost : MergePolicy::least_cost_per_deficit;
    const RowGroups after = merged_violators(lines, *problem.rules[0], before, policy, 20, 3);
    ASSERT_TRUE(all_groups_hold(after, modelled));
    std::vector<size_t> united_in(before.size(), SIZE_MAX);
    for (size_t g = 0; g < after.size(); ++g) {
      for (uint32_t row : after.group(g)) {
        size_t& united = united_in[group_of[row]];
        ASSERT_TRUE(united == SIZE_MAX || united == g);
        united = g;
      }
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
