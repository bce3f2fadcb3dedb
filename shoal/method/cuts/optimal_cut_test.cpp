#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "shoal/measure/measures.h"
#include "shoal/method/cuts/cut_objective.h"
#include "shoal/method/cuts/cut_search.h"
#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/recode/apply.h"
#include "testing/modelled_problem.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"
#include "testing/worked_tables.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

SearchResult run(Problem problem, const std::string& objective, const std::string& memory, Progress& progress) {
  problem.params = {{"objective", objective}, {"memory", memory}};
  return testing::run_method("optimal-cut", problem, progress);
}

SearchResult run(const Problem& problem, const std::string& objective = "rows", const std::string& memory = "1024") {
  Progress progress;
  return run(problem, objective, memory, progress);
}

Measures measured(const Problem& problem, const Recoding& recoding) {
  MeasureSettings settings;
  settings.weights = problem.weights;
  for (const Requirement& requirement : problem.requirements) settings.k = std::max(settings.k, requirement.k);
  return measure(problem.table, problem.hierarchies, apply(recoding, problem.table, problem.hierarchies, 1), settings);
}

bool satisfies(const Problem& problem, const Recoding& recoding) {
  const ReleasedTable released = apply(recoding, problem.table, problem.hierarchies, 1);
  return std::all_of(problem.requirements.begin(), problem.requirements.end(), [&](const Requirement& requirement) {
    return testing::holds(released, problem.table.rows, requirement);
  });
}

// ---- the oracle: all cuts, one by one ----

using ColumnCut = std::vector<Released>;  // by leaf

// All ways to release what lies below a node.
std::vector<ColumnCut> cuts_below(const Hierarchy& tree, uint32_t node) {
  std::vector<ColumnCut> cuts{ColumnCut(tree.leaves_under(node), released_node(tree, node))};
  if (tree.is_leaf(node)) return cuts;
  std::vector<ColumnCut> joined{{}};
  for (uint32_t child : tree.children(node)) {
    std::vector<ColumnCut> longer;
    for (const ColumnCut& start : joined) {
      for (const ColumnCut& end : cuts_below(tree, child)) {
        longer.push_back(start);
        longer.back().insert(longer.back().end(), end.begin(), end.end());
      }
    }
    joined = std::move(longer);
  }
  cuts.insert(cuts.end(), joined.begin(), joined.end());
  return cuts;
}

// Calls visit for every cut of the columns that some requirement names; the others stay as they are.
void for_each_cut(const Problem& problem, const std::function<void(const Recoding&)>& visit) {
  std::vector<std::vector<ColumnCut>> choices;
  for (size_t j = 0; j < problem.hierarchies.size(); ++j) {
    const Hierarchy& tree = problem.hierarchies[j];
    const bool named = std::any_of(problem.requirements.begin(), problem.requirements.end(), [&](const auto& r) {
      return std::count(r.columns.begin(), r.columns.end(), j) > 0;
    });
    if (named) {
      choices.push_back(cuts_below(tree, Hierarchy::kRoot));
    } else {
      choices.push_back({{}});
      for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) choices.back()[0].push_back(released_leaf(tree, leaf));
    }
  }
  ValueRecoding recoding;
  recoding.value_map.resize(choices.size());
  std::function<void(size_t)> choose = [&](size_t j) {
    if (j == choices.size()) return visit(Recoding{recoding});
    for (const ColumnCut& cut : choices[j]) {
      recoding.value_map[j] = cut;
      choose(j + 1);
    }
  };
  choose(0);
}

size_t count_cuts(const Problem& problem) {
  size_t product = 1;
  for (const Hierarchy& tree : problem.hierarchies) product *= cuts_below(tree, Hierarchy::kRoot).size();
  return product;
}

// A random table with at most this many cuts.
RandomTable small_table(RandomTables& random, size_t cuts, size_t max_rows = 30) {
  for (;;) {
    auto table = random.table({.rows = random.draw(4, max_rows), .columns = random.draw(1, 4), .max_values = 6});
    if (count_cuts(table.problem({})) > cuts) continue;
    if (random.draw(0, 3) == 0) {
      for (size_t row = 0; row < table.table.rows; ++row) table.table.rest.push_back(random.draw(1, 3));
    }
    return table;
  }
}

TEST(OptimalCut, EqualsExhaustiveEnumerationInEveryObjective) {
  RandomTables random(77);
  const auto objectives = CutObjective::names();
  for (int round = 0; round < 600; ++round) {
    const RandomTable table = small_table(random, 120);
    Problem problem = table.problem(random.requirements(table.table));
    for (double& weight : problem.weights) weight = double(random.draw(1, 3));
    std::map<std::string, double> least;
    for_each_cut(problem, [&](const Recoding& recoding) {
      if (!satisfies(problem, recoding)) return;
      const Measures measures = measured(problem, recoding);
      for (const std::string& objective : objectives) {
        const double value = loss(objective, measures);
        const auto [entry, fresh] = least.emplace(objective, value);
        entry->second = std::min(entry->second, value);
      }
    });
    for (const std::string& objective : objectives) {
      const SearchResult result = run(problem, objective);
      ASSERT_TRUE(satisfies(problem, *result.recoding())) << round << " " << objective;
      const double found = loss(objective, measured(problem, *result.recoding()));
      ASSERT_NEAR(found, least[objective], 1e-9 * std::max(1.0, std::abs(found))) << round << " " << objective;
      ASSERT_TRUE(result.stats.optimal);
      const double shown = objective == "rows" ? -found : objective == "prec" ? 1 - found : found;
      ASSERT_NEAR(*result.stats.bound, shown, 1e-9 * std::max(1.0, std::abs(found))) << round << " " << objective;
    }
  }
}

TEST(OptimalCut, EqualsExhaustiveEnumerationOnThousandsOfTables) {
  RandomTables random(78);
  for (int round = 0; round < 3000; ++round) {
    const RandomTable table = small_table(random, 80, 20);
    const Problem problem = table.problem(random.requirements(table.table));
    double most = 0;
    for_each_cut(problem, [&](const Recoding& recoding) {
      if (satisfies(problem, recoding)) most = std::max(most, -loss("rows", measured(problem, recoding)));
    });
    const SearchResult result = run(problem);
    ASSERT_TRUE(satisfies(problem, *result.recoding())) << round;
    ASSERT_EQ(-loss("rows", measured(problem, *result.recoding())), most) << round;
    ASSERT_EQ(*result.stats.bound, most) << round;
  }
}

TEST(OptimalCut, TheAnswerCannotBeMadeFiner) {
  RandomTables random(79);
  for (int round = 0; round < 200; ++round) {
    const RandomTable table = small_table(random, 60);
    const Problem problem = table.problem(random.requirements(table.table));
    const SearchResult result = run(problem);
    auto finer = [&](const Recoding& other) {  // at or below the answer everywhere, and not the same
      bool below = true, same = true;
      for (size_t j = 0; j < other.by_value().value_map.size(); ++j) {
        for (size_t leaf = 0; leaf < other.by_value().value_map[j].size(); ++leaf) {
          const Hierarchy& tree = problem.hierarchies[j];
          const uint32_t depth = tree.node(other.by_value().value_map[j][leaf].number).depth;
          const uint32_t answer = tree.node(result.recoding()->by_value().value_map[j][leaf].number).depth;
          below = below && depth >= answer;
          same = same && depth == answer;
        }
      }
      return below && !same;
    };
    for_each_cut(problem, [&](const Recoding& recoding) {
      EXPECT_FALSE(finer(recoding) && satisfies(problem, recoding)) << round;
    });
  }
}

// ---- models ----

TEST(OptimalCut, EqualsExhaustiveEnumerationWithModels) {
  RandomTables random(84);
  const auto objectives = CutObjective::names();
  int dearer = 0;
  for (int round = 0; round < 1500; ++round) {
    const ModelKind kind = testing::kColumnKinds[random.draw(0, std::size(testing::kColumnKinds) - 1)];
    const testing::Asked asked =
        testing::draw_asked(random, kind, {.most_rows = 24, .max_values = 4, .several = true, .average_risk = true});
    if (count_cuts(asked.problem()) > 120) continue;
    const std::string& objective = objectives[random.draw(0, objectives.size() - 1)];
    const Problem problem = asked.problem();
    double least = std::numeric_limits<double>::infinity();
    for_each_cut(problem, [&](const Recoding& recoding) {
      if (!testing::keeps(asked, apply(recoding, problem.table, problem.hierarchies, 1))) return;
      least = std::min(least, loss(objective, measured(problem, recoding)));
    });
    const SearchResult result = run(problem, objective);
    ASSERT_TRUE(result.recoding()) << result.reason();
    EXPECT_TRUE(result.stats.optimal);
    EXPECT_TRUE(testing::keeps(asked, apply(*result.recoding(), problem.table, problem.hierarchies, 1))) << round;
    ASSERT_NEAR(loss(objective, measured(problem, *result.recoding())), least, 1e-9 * std::max(1.0, std::abs(least)))
        << objective << ", round " << round;
    const SearchResult without = run(asked.problem(false), objective);
    dearer += loss(objective, measured(problem, *without.recoding())) < least - 1e-9;
  }
  EXPECT_GT(dearer, 100) << "models that cost nothing";
}

// ---- limits ----

TEST(OptimalCut, FindsTheSameWithoutRoomForStatesAndClauses) {
  RandomTables random(83);
  uint64_t depth_first = 0;
  for (int round = 0; round < 300; ++round) {
    const auto table = random.table({.rows = 100, .columns = 4, .max_values = 8});
    const Problem problem = table.problem(random.requirements(table.table));
    const auto requirements = needed_requirements(problem);
    const CutSpace space(problem.hierarchies, problem.requirements);
    for (const char* name : {"rows", "gcp", "dm"}) {
      const CutObjective objective(name, problem, space);
      CutSearch roomy(problem, requirements, space, objective, {1 << 30, 1 << 30, 1 << 30});
      CutSearch cramped(problem, requirements, space, objective, {0, 0, 0});
      Progress progress;
      roomy.run(progress);
      cramped.run(progress);
      EXPECT_EQ(roomy.counts().depth_first, 0u);
      EXPECT_EQ(cramped.clauses(), 0u);
      EXPECT_TRUE(cramped.proven());
      EXPECT_NEAR(cramped.best_loss(), roomy.best_loss(), 1e-9 * std::max(1.0, std::abs(roomy.best_loss()))) << round;
      depth_first += cramped.counts().depth_first;
    }
  }
  EXPECT_GT(depth_first, 0u);
}

TEST(OptimalCut, ThreadsChangeNeitherTheAnswerNorTheCounts) {
  RandomTables random(85);
  uint64_t most = 0;
  for (int round = 0; round < 8; ++round) {
    const auto table = random.table({.rows = 600, .columns = 8, .max_values = 10});
    Problem problem = table.problem({{{0, 1, 2, 3, 4, 5, 6, 7}, 2}, {{0, 2}, random.draw(2, 9)}});
    const auto requirements = needed_requirements(problem);
    const CutSpace space(problem.hierarchies, problem.requirements);
    for (const char* name : {"rows", "gcp", "dm"}) {
      const CutObjective objective(name, problem, space);
      for (const size_t bytes : {size_t{1} << 30, size_t{3000}}) {
        std::vector<std::unique_ptr<CutSearch>> searches;
        for (const int threads : {1, 2, 8}) {
          problem.threads = threads;
          Progress progress;
          searches.push_back(std::make_unique<CutSearch>(problem, requirements, space, objective,
                                                         CutSearch::Limits{bytes, bytes, bytes}));
          searches.back()->run(progress);
          const CutSearch &one = *searches.front(), &other = *searches.back();
          EXPECT_TRUE(other.proven());
          EXPECT_EQ(other.best(), one.best()) << name << ", round " << round << ", threads " << threads;
          EXPECT_EQ(other.counts(), one.counts()) << name << ", round " << round << ", threads " << threads;
          EXPECT_EQ(other.clauses(), one.clauses()) << name << ", round " << round << ", threads " << threads;
        }
        most = std::max(most, searches.front()->counts().expanded);
      }
    }
  }
  EXPECT_GT(most, 32u) << "too few states for large batches";
}

TEST(OptimalCut, WithoutTimeStillGivesASatisfyingCutAndABound) {
  RandomTables random(80);
  for (int round = 0; round < 100; ++round) {
    const RandomTable table = small_table(random, 100);
    const Problem problem = table.problem(random.requirements(table.table));
    Progress progress;
    progress.set_deadline(Clock::now());
    const SearchResult result = run(problem, "rows", "1024", progress);
    ASSERT_TRUE(satisfies(problem, *result.recoding()));
    EXPECT_FALSE(result.stats.optimal);
    EXPECT_FALSE(result.notices.empty());
    EXPECT_GE(*result.stats.bound, *run(problem).stats.bound);
  }
}

TEST(OptimalCut, StopsWhenAsked) {
  const auto table = testing::heuristicmin_1();
  Progress progress;
  progress.cancel();
  EXPECT_THROW(run(table.problem({{{0, 1, 2}, 4}}), "rows", "1024", progress), Error);
}

TEST(OptimalCut, RefusesClassesWithoutATarget) {
  const auto table = testing::heuristicmin_1();
  EXPECT_THROW(run(table.problem({{{0, 1, 2}, 4}}), "cm"), Error);
}

TEST(OptimalCut, IsNeverWorseThanHeuristicMin) {
  RandomTables random(81);
  for (int round = 0; round < 100; ++round) {
    const auto table = random.table({.rows = 200, .columns = 4, .max_values = 8});
    Problem problem = table.problem(random.requirements(table.table));
    const SearchResult ours = run(problem);
    problem.params = {{"memory", "1024"}};
    Progress progress;
    const SearchResult theirs = testing::run_method("heuristicmin", problem, progress);
    EXPECT_GE(measured(problem, *ours.recoding()).rows, measured(problem, *theirs.recoding()).rows) << round;
  }
}

// ---- the paper's examples ----

TEST(OptimalCut, FindsTheBestOfThePapersExamples) {
  const auto first = testing::heuristicmin_1();
  EXPECT_EQ(*run(first.problem({{{0, 1, 2}, 4}})).stats.bound, 4);
  const auto second = testing::heuristicmin_2();
  const SearchResult result = run(second.problem({{{0, 1}, 4}, {{1, 2}, 11}}));
  EXPECT_EQ(*result.stats.bound, 6);
  EXPECT_TRUE(result.stats.optimal);
  EXPECT_EQ(testing::released_labels(*result.recoding(), second, 0),
            (std::set<std::string>{"Junior", "11th", "12th", "Bachelors", "Grad"}));
  const auto third = testing::heuristicmin_3();
  EXPECT_EQ(*run(third.problem({{{0, 1}, 25}})).stats.bound, 8);
}

// ---- what is too small counts as what it can become at best ----

TEST(CutObjective, BoundsEverySatisfyingCutAboveAndIsExactForThose) {
  RandomTables random(86);
  int tighter = 0;
  for (int round = 0; round < 300; ++round) {
    const RandomTable table = small_table(random, 60);
    std::vector<size_t> columns(table.hierarchies.size());
    std::iota(columns.begin(), columns.end(), size_t{0});
    const Problem problem = table.problem({{columns, random.draw(2, 4)}});
    const CutSpace space(problem.hierarchies, problem.requirements);
    std::vector<Cut> cuts;  // all of them: subsets of the raises that hold, with a raise, those below it
    std::function<void(Cut, uint32_t)> choose = [&](const Cut& cut, uint32_t raise) {
      if (raise == space.size()) return cuts.push_back(cut);
      if (cut.has(raise)) return choose(cut, raise + 1);
      choose(cut, raise + 1);
      Cut raised = cut;
      space.raise_to(raised, raise);
      choose(raised, raise + 1);
    };
    choose(space.lowest(), 0);
    for (const char* name : {"rows", "c_avg", "dm"}) {
      const CutObjective objective(name, problem, space);
      const TupleTable tuples(problem, *objective.view());
      KeyIndex index;
      std::vector<double> bound, measure;  // what the search counts, and what the release has; no measure: violates
      for (const Cut& cut : cuts) {
        const TupleTable rolled = tuples.rolled(space, cut, index);
        bound.push_back(objective.loss(cut, &rolled));
        const Recoding recoding = space.recoding(cut);
        measure.push_back(satisfies(problem, recoding) ? loss(name, measured(problem, recoding)) : NAN);
        tighter += std::string(name) == "rows" && bound.back() > -double(rolled.size());
      }
      for (size_t i = 0; i < cuts.size(); ++i) {
        if (std::isnan(measure[i])) continue;
        EXPECT_NEAR(bound[i], measure[i], 1e-9 * std::max(1.0, std::abs(measure[i]))) << name << " " << round;
        for (size_t below = 0; below < cuts.size(); ++below) {
          bool raises_less = true;
          for (uint32_t raise = 0; raise < space.size(); ++raise) {
            raises_less = raises_less && (!cuts[below].has(raise) || cuts[i].has(raise));
          }
          if (raises_less) {
            ASSERT_LE(bound[below], bound[i] + 1e-9 * std::abs(bound[i])) << name << " " << round;
          }
        }
      }
    }
  }
  EXPECT_GT(tighter, 1000);
}

// ---- clauses ----

TEST(CutClauses, HoldForEverySatisfyingCut) {
  RandomTables random(82);
  for (int round = 0; round < 300; ++round) {
    const RandomTable table = small_table(random, 100);
    const Problem problem = table.problem(random.requirements(table.table));
    const CutSpace space(problem.hierarchies, problem.requirements);
    std::vector<double> price(space.size());
    for (double& p : price) p = double(random.draw(0, 9));
    for (const Requirement& requirement : problem.requirements) {
      const TupleTable tuples(problem, {requirement.columns, false, false});
      for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
        if (tuples.rows()[tuple] >= requirement.k) continue;
        std::vector<Hierarchy::Node> nodes;
        for (const auto& field : tuples.fields()) nodes.push_back(tuples.node(tuple, field));
        const Clause clause = grow_clause(space, tuples, nodes, GroupRule(requirement.k), price);
        ASSERT_FALSE(clause.empty());
        for_each_cut(problem, [&](const Recoding& recoding) {
          const bool met = std::any_of(clause.begin(), clause.end(), [&](uint32_t raise) {
            const auto& [column, node, parent, end] = space.raise(raise);
            const Hierarchy& tree = problem.hierarchies[column];
            const uint32_t released = recoding.by_value().value_map[column][tree.node(node).first].number;
            return tree.node(released).depth <= tree.node(node).depth;
          });
          ASSERT_TRUE(met || !satisfies(problem, recoding)) << round;
        });
      }
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
