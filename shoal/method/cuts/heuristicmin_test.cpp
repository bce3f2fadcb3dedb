#include <gtest/gtest.h>

#include <map>
#include <set>

#include "shoal/method/method.h"
#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"
#include "testing/worked_tables.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTables;

SearchResult run(Problem problem, Progress& progress) { return testing::run_method("heuristicmin", problem, progress); }

SearchResult run(const Problem& problem) {
  Progress progress;
  return run(problem, progress);
}

// ---- the plain version: every state is a released node per column and leaf, every count starts from the rows ----

using PlainCut = std::vector<std::vector<uint32_t>>;  // [column][leaf] = node

struct PlainState {
  PlainCut cut;
  size_t rows, violating, steps;
  bool expanded = false;
};

class PlainHeuristicMin {
 public:
  explicit PlainHeuristicMin(const Problem& problem) : problem_(problem) {}

  PlainState run() {
    PlainCut start;
    for (const Hierarchy& tree : problem_.hierarchies) {
      start.emplace_back();
      for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) start.back().push_back(tree.leaf_node(leaf));
    }
    states_.push_back(evaluate(start, 0));
    for (;;) {
      const std::optional<size_t> next = choose();
      if (!next) break;
      expand(*next);
    }
    for (const PlainState& state : states_) pruned += state.violating > 0 && !state.expanded;
    generated = states_.size() - 1;
    return states_[*best()];
  }

  size_t generated = 0, expanded = 0, pruned = 0;

 private:
  std::vector<uint64_t> row_tuple(const PlainCut& cut, size_t row, const std::vector<size_t>& columns) const {
    std::vector<uint64_t> tuple;
    for (size_t j : columns) tuple.push_back(cut[j][problem_.table.quasi[j].codes[row]]);
    return tuple;
  }
  std::vector<bool> violating_rows(const PlainCut& cut) const {
    std::vector<bool> violating(problem_.table.rows, false);
    for (const Requirement& requirement : problem_.requirements) {
      std::map<std::vector<uint64_t>, size_t> groups;
      for (size_t row = 0; row < violating.size(); ++row) ++groups[row_tuple(cut, row, requirement.columns)];
      for (size_t row = 0; row < violating.size(); ++row) {
        if (groups[row_tuple(cut, row, requirement.columns)] < requirement.k) violating[row] = true;
      }
    }
    return violating;
  }
  PlainState evaluate(const PlainCut& cut, size_t steps) const {
    std::vector<size_t> all;
    for (size_t j = 0; j < cut.size(); ++j) all.push_back(j);
    const auto violating = violating_rows(cut);
    std::set<std::vector<uint64_t>> tuples, violating_tuples;
    for (size_t row = 0; row < violating.size(); ++row) {
      auto tuple = row_tuple(cut, row, all);
      if (!problem_.table.rest.empty()) tuple.push_back(problem_.table.rest[row]);
      tuples.insert(tuple);
      if (violating[row]) violating_tuples.insert(tuple);
    }
    return {cut, tuples.size(), violating_tuples.size(), steps, false};
  }
  std::optional<size_t> best() const {
    std::optional<size_t> found;
    for (size_t i = 0; i < states_.size(); ++i) {
      if (states_[i].violating > 0) continue;
      if (!found || states_[i].rows > states_[*found].rows ||
          (states_[i].rows == states_[*found].rows && states_[i].steps < states_[*found].steps)) {
        found = i;
      }
    }
    return found;
  }
  std::optional<size_t> choose() const {
    const auto answer = best();
    std::optional<size_t> found;
    for (size_t i = 0; i < states_.size(); ++i) {
      const PlainState& state = states_[i];
      if (state.violating == 0 || state.expanded || (answer && state.rows <= states_[*answer].rows)) continue;
      if (!found || state.rows > states_[*found].rows ||
          (state.rows == states_[*found].rows && state.violating < states_[*found].violating)) {
        found = i;
      }
    }
    return found;
  }
  void expand(size_t index) {
    ++expanded;
    states_[index].expanded = true;
    const PlainCut cut = states_[index].cut;
    const auto violating = violating_rows(cut);
    for (size_t j = 0; j < cut.size(); ++j) {
      const bool required = std::any_of(problem_.requirements.begin(), problem_.requirements.end(), [&](const auto& r) {
        return std::count(r.columns.begin(), r.columns.end(), j) > 0;
      });
      if (!required) continue;
      PlainCut next = cut;
      for (size_t row = 0; row < violating.size(); ++row) {
        const Hierarchy& tree = problem_.hierarchies[j];
        const uint32_t node = cut[j][problem_.table.quasi[j].codes[row]];
        if (!violating[row] || node == 0) continue;
        const auto& parent = tree.node(tree.node(node).parent);
        for (uint32_t leaf = parent.first; leaf <= parent.last; ++leaf) {
          // Another violating row may have taken this leaf further up already.
          if (tree.node(next[j][leaf]).depth > parent.depth) next[j][leaf] = tree.node(node).parent;
        }
      }
      const bool known =
          std::any_of(states_.begin(), states_.end(), [&](const PlainState& state) { return state.cut == next; });
      if (!known) states_.push_back(evaluate(next, states_[index].steps + 1));
    }
  }

  const Problem& problem_;
  std::vector<PlainState> states_;
};

PlainCut cut_of(const Recoding& recoding) {
  PlainCut cut;
  for (const auto& values : recoding.by_value().value_map) {
    cut.emplace_back();
    for (const Released& value : values) cut.back().push_back(value.number);
  }
  return cut;
}

// ---- the paper's examples ----

TEST(HeuristicMin, FindsThePapersFirstExample) {
  const auto table = testing::heuristicmin_1();
  const SearchResult result = run(table.problem({{{0, 1, 2}, 4}}));
  EXPECT_EQ(result.stats.generated, 9u);
  EXPECT_EQ(result.stats.expanded, 4u);  // the start, hours, sex, sex and hours
  EXPECT_EQ(result.stats.pruned, 1u);    // hours twice: (1,4)
  EXPECT_EQ(result.recoding()->shape(), Shape::cut);
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 0), (std::set<std::string>{"High"}));
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 1), (std::set<std::string>{"M", "F"}));
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 2), (std::set<std::string>{"30", "40"}));
}

TEST(HeuristicMin, BeatsThePapersSecondAnswer) {
  const auto table = testing::heuristicmin_2();
  const SearchResult result = run(table.problem({{{0, 1}, 4}, {{1, 2}, 11}}));
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 0),
            (std::set<std::string>{"Junior", "11th", "12th", "Bachelors", "Grad"}));
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 1), (std::set<std::string>{"M", "F"}));
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 2), (std::set<std::string>{"*"}));
}

TEST(HeuristicMin, KeepsColumnsOutsideTheRequirement) {
  const auto table = testing::heuristicmin_3();
  const SearchResult result = run(table.problem({{{0, 1}, 25}}));
  EXPECT_EQ(result.stats.generated, 2u);
  EXPECT_EQ(result.stats.expanded, 1u);
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 0), (std::set<std::string>{"Acc", "Rej"}));
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 1), (std::set<std::string>{"*"}));
  EXPECT_EQ(testing::released_labels(*result.recoding(), table, 2).size(), 6u);
}

TEST(HeuristicMin, AnswersAtOnceWhenTheTableSatisfies) {
  const auto table = testing::heuristicmin_1();
  const SearchResult result = run(table.problem({{{0, 1, 2}, 2}}));
  EXPECT_EQ(result.stats.generated, 0u);
  EXPECT_EQ(result.stats.expanded, 0u);
  EXPECT_TRUE(result.stats.optimal);
}

// ---- against the plain version ----

TEST(HeuristicMin, EqualsThePlainVersionOnRandomTables) {
  RandomTables random(31);
  for (int round = 0; round < 1000; ++round) {
    auto table = random.table({.rows = random.draw(4, 40), .columns = random.draw(1, 4), .max_values = 6});
    if (random.draw(0, 3) == 0) {
      for (size_t row = 0; row < table.table.rows; ++row) table.table.rest.push_back(random.draw(1, 3));
    }
    const Problem problem = table.problem(random.requirements(table.table));
    PlainHeuristicMin plain(problem);
    const PlainState expected = plain.run();
    const SearchResult result = run(problem);
    ASSERT_EQ(cut_of(*result.recoding()), expected.cut) << round;
    ASSERT_EQ(result.stats.generated, plain.generated) << round;
    ASSERT_EQ(result.stats.expanded, plain.expanded) << round;
    ASSERT_EQ(result.stats.pruned, plain.pruned) << round;
  }
}

TEST(HeuristicMin, TheNumberOfThreadsChangesNothing) {
  RandomTables random(6);
  for (int round = 0; round < 50; ++round) {
    const auto table = random.table({.rows = 60, .columns = 4});
    Problem problem = table.problem(random.requirements(table.table));
    const SearchResult one = run(problem);
    problem.threads = 3;
    const SearchResult three = run(problem);
    EXPECT_EQ(cut_of(*one.recoding()), cut_of(*three.recoding())) << round;
    EXPECT_EQ(one.stats.generated, three.stats.generated) << round;
    EXPECT_EQ(one.stats.pruned, three.stats.pruned) << round;
  }
}

TEST(HeuristicMin, WithoutTimeStillGivesASatisfyingCut) {
  RandomTables random(5);
  for (int round = 0; round < 100; ++round) {
    const auto table = random.table({.rows = 30, .columns = 3});
    const Problem problem = table.problem(random.requirements(table.table));
    Progress progress;
    progress.set_deadline(Clock::now());
    const SearchResult result = run(problem, progress);
    const ReleasedTable released = apply(*result.recoding(), table.table, table.hierarchies, 1);
    for (const Requirement& requirement : problem.requirements) {
      EXPECT_TRUE(testing::holds(released, table.table.rows, requirement)) << round;
    }
  }
}

TEST(HeuristicMin, StopsWhenAsked) {
  const auto table = testing::heuristicmin_1();
  Progress progress;
  progress.cancel();
  EXPECT_THROW(run(table.problem({{{0, 1, 2}, 4}}), progress), Error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
