// Top-down refinement against a plain version that counts everything again from the rows for every candidate, and the
// worked examples of the papers.
#include "shoal/method/refine/top_down_refinement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

double tdr_score(double gain, double loss) { return gain / (loss + 1); }
double tds_score(double gain, double loss) { return loss > 0 ? gain / loss : gain; }

// ---- the plain version ----

using Values = std::vector<Released>;  // one per leaf of a column

struct Step {
  size_t column = 0;
  uint32_t leaf = 0;  // first leaf of what is refined
  Values after;       // the column's values after it
  double gain = 0, loss = 0, score = 0;
};

class Plain {
 public:
  Plain(const Problem& problem, RefinementRules rules) : problem_(problem), rules_(rules) {
    for (const Requirement& requirement : problem.requirements) {
      for (size_t j : requirement.columns) masked_.insert(j);
    }
    for (size_t j = 0; j < problem.hierarchies.size(); ++j) {
      const Hierarchy& tree = problem.hierarchies[j];
      values_.emplace_back();
      for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) {
        values_[j].push_back(masked_.count(j) ? released_node(tree, Hierarchy::kRoot) : released_leaf(tree, leaf));
      }
    }
  }

  std::vector<Step> run() {
    std::vector<Step> steps;
    for (;;) {
      std::vector<Step> candidates;
      for (size_t j : masked_) add_candidates(j, candidates);
      const Step* best = nullptr;
      for (const Step& step : candidates) {  // in the order of columns and leaves: the first of equal ones stays
        if (!best || step.score > best->score + 1e-12 * std::max(step.score, best->score)) best = &step;
      }
      if (!best) return steps;
      values_[best->column] = best->after;
      steps.push_back(*best);
    }
  }
  const std::vector<Values>& values() const { return values_; }

 private:
  using ClassRows = std::map<uint32_t, double>;

  static double bits(const ClassRows& classes) {
    double all = 0, sum = 0;
    for (const auto& [c, rows] : classes) all += rows;
    for (const auto& [c, rows] : classes) sum -= rows / all * std::log2(rows / all);
    return sum;
  }

  // Gain of replacing `before` by `after` over the rows where they differ from each other or are `refined`.
  double gain(size_t j, const Values& after, const Released& refined, bool& mixed) const {
    ClassRows all;
    std::map<std::vector<uint32_t>, ClassRows> parts;
    double rows = 0;
    for (size_t row = 0; row < problem_.table.rows; ++row) {
      const uint32_t leaf = problem_.table.quasi[j].codes[row], target = problem_.table.target->codes[row];
      if (!(values_[j][leaf] == refined)) continue;
      ++all[target];
      ++parts[{after[leaf].first, after[leaf].last, uint32_t(after[leaf].kind), after[leaf].number}][target];
      ++rows;
    }
    mixed = all.size() > 1;
    double result = bits(all);
    for (const auto& [value, classes] : parts) {
      double part = 0;
      for (const auto& [c, count] : classes) part += count;
      result -= part / rows * bits(classes);
    }
    return result < 1e-12 ? 0 : result;
  }

  uint64_t anonymity(const Requirement& requirement, const std::vector<Values>& values) const {
    std::map<std::vector<uint32_t>, uint64_t> groups;
    for (size_t row = 0; row < problem_.table.rows; ++row) {
      std::vector<uint32_t> key;
      for (size_t j : requirement.columns) {
        const Released& value = values[j][problem_.table.quasi[j].codes[row]];
        key.insert(key.end(), {value.first, value.last, uint32_t(value.kind), value.number});
      }
      ++groups[key];
    }
    uint64_t smallest = UINT64_MAX;
    for (const auto& [key, rows] : groups) smallest = std::min(smallest, rows);
    return smallest;
  }

  void add(size_t j, uint32_t leaf, const Released& refined, const std::vector<Released>& children,
           std::vector<Step>& candidates) const {
    Step step{j, leaf, values_[j], 0, 0, 0};
    for (const Released& child : children) {
      for (uint32_t at = child.first; at <= child.last; ++at) step.after[at] = child;
    }
    bool beneficial = false;
    step.gain = gain(j, step.after, refined, beneficial);
    if (!beneficial) return;
    std::vector<Values> after = values_;
    after[j] = step.after;
    double requirements = 0;
    for (const Requirement& requirement : problem_.requirements) {
      const uint64_t then = anonymity(requirement, after);
      if (then < requirement.k) return;
      if (!std::count(requirement.columns.begin(), requirement.columns.end(), j)) continue;
      step.loss += double(anonymity(requirement, values_) - then);
      ++requirements;
    }
    step.loss /= requirements;
    step.score = rules_.score(step.gain, step.loss);
    candidates.push_back(step);
  }

  // All the ways to cut an interval in two, the best one kept.
  std::vector<Released> split(size_t j, uint32_t first, uint32_t last, bool missing, const Released& refined) const {
    const Hierarchy& tree = problem_.hierarchies[j];
    std::vector<Released> best;
    double best_gain = -1;
    for (uint32_t leaf = first; leaf < last; ++leaf) {
      std::vector<Released> parts{released_interval(tree, first, leaf), released_interval(tree, leaf + 1, last)};
      if (missing) parts.push_back(released_leaf(tree, last + 1));
      Values after = values_[j];
      for (const Released& part : parts) std::fill(after.begin() + part.first, after.begin() + part.last + 1, part);
      bool mixed = false;
      const double own = gain(j, after, refined, mixed);
      if (own > best_gain * (1 + 1e-12)) best_gain = own, best = parts;
    }
    return best;
  }

  void add_candidates(size_t j, std::vector<Step>& candidates) const {
    const Hierarchy& tree = problem_.hierarchies[j];
    const bool flat = tree.height() == 1;
    for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) {
      const Released& value = values_[j][leaf];
      const bool root = value.is_root();
      if (flat && !tree.numeric() && rules_.flat_columns == FlatColumns::disclose_one) {
        if (root) add(j, leaf, value, {released_leaf(tree, leaf)}, candidates);
        continue;
      }
      if (value.first != leaf) continue;
      std::vector<Released> children;
      if (flat && tree.numeric()) {
        const bool missing = tree.missing() == value.last && value.first < value.last;
        const uint32_t last = value.last - (missing ? 1 : 0);
        if (leaf < last) children = split(j, leaf, last, missing, value);
        if (leaf == last && root) children.push_back(released_leaf(tree, leaf));
        if (leaf == last && root && missing) children.push_back(released_leaf(tree, last + 1));
      } else {
        for (uint32_t child : tree.children(value.number)) children.push_back(released_node(tree, child));
      }
      if (!children.empty()) add(j, leaf, value, children, candidates);
    }
  }

  const Problem& problem_;
  RefinementRules rules_;
  std::set<size_t> masked_;
  std::vector<Values> values_;
};

// ---- random tables ----

Hierarchy flat_hierarchy(testing::RandomTables& random, size_t leaves, bool numeric, bool missing) {
  const auto last = static_cast<uint32_t>(leaves - 1);
  std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, last}};
  std::vector<std::vector<uint32_t>> levels(2, std::vector<uint32_t>(leaves, 0));
  std::vector<double> numbers;
  for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
    nodes.push_back({"v" + std::to_string(leaf), 0, 1, leaf, leaf});
    levels[0][leaf] = leaf + 1;
    if (numeric) numbers.push_back((numbers.empty() ? 0 : numbers.back()) + double(random.draw(1, 5)));
  }
  if (numeric && missing) numbers.back() = std::nan("");
  return Hierarchy(nodes, levels, numbers, missing ? std::optional<uint32_t>(last) : std::nullopt);
}

testing::RandomTable draw_table(testing::RandomTables& random) {
  auto drawn = random.table({.rows = random.draw(2, 80),
                             .columns = random.draw(1, 4),
                             .max_values = random.draw(2, 9),
                             .target_values = random.draw(1, 3)});
  for (Hierarchy& tree : drawn.hierarchies) {
    if (random.draw(0, 1)) tree = flat_hierarchy(random, tree.leaves(), tree.numeric(), tree.missing().has_value());
  }
  return drawn;
}

struct Score {
  const char* name;
  RefinementRules rules;
};

TEST(TopDownRefinement, EqualsThePlainVersionStepByStep) {
  testing::RandomTables random(31);
  size_t steps_seen = 0;
  const Score scores[] = {{"tdr", {FlatColumns::disclose_one, tdr_score}},
                          {"tdr, all at once", {FlatColumns::refine_all, tdr_score}},
                          {"tds", {FlatColumns::refine_all, tds_score}}};
  for (int round = 0; round < 3000; ++round) {
    const auto drawn = draw_table(random);
    auto requirements = random.requirements(drawn.table);
    for (Requirement& requirement : requirements) requirement.k = std::min<uint64_t>(requirement.k, random.draw(1, 8));
    const Problem problem = drawn.problem(requirements);
    const Score& score = scores[round % 3];
    SCOPED_TRACE(std::string(score.name) + ", round " + std::to_string(round));
    Plain plain(problem, score.rules);
    const std::vector<Step> expected = plain.run();
    const Progress progress;
    TopDownRefinement refinement(problem, score.rules, progress);
    ASSERT_EQ(refinement.recount_fault(), "");
    size_t done = 0;
    for (TopDownRefinement::Scored chosen; refinement.best(chosen); ++done) {
      ASSERT_LT(done, expected.size());
      const Candidate& candidate = refinement.cut().candidates()[chosen.candidate];
      const Cell& cell = refinement.cut().cells()[candidate.cell];
      EXPECT_EQ(cell.column, expected[done].column);
      EXPECT_EQ(cell.one_by_one ? cell.children[candidate.part - 1].first : cell.release.first, expected[done].leaf);
      EXPECT_NEAR(chosen.info_gain, expected[done].gain, 1e-9);
      EXPECT_NEAR(chosen.anonymity_loss, expected[done].loss, 1e-9);
      EXPECT_NEAR(chosen.score, expected[done].score, 1e-9);
      const size_t column = cell.column;
      ASSERT_TRUE(refinement.refine(chosen));
      ASSERT_EQ(refinement.recount_fault(), "");
      ASSERT_EQ(refinement.cut().recoding().by_value().value_map[column], expected[done].after);
    }
    ASSERT_EQ(done, expected.size());
    EXPECT_EQ(refinement.cut().recoding().by_value().value_map, plain.values());
    steps_seen += done;
  }
  EXPECT_GT(steps_seen, 4000u);  // the tables are not all dead ends
}

// Rows that are not compressed, since the space of tuples is large, and cells with more parts than rows.
TEST(TopDownRefinement, EqualsARecountOnWiderTables) {
  testing::RandomTables random(32);
  for (int round = 0; round < 20; ++round) {
    auto drawn = random.table({.rows = 400, .columns = 5, .max_values = 30, .target_values = 3});
    for (size_t j = 0; j < 3; ++j) {
      const Hierarchy& tree = drawn.hierarchies[j];
      drawn.hierarchies[j] = flat_hierarchy(random, tree.leaves(), tree.numeric(), tree.missing().has_value());
    }
    const Problem problem = drawn.problem({{{0, 1, 2, 3, 4}, 2}, {{1, 3}, 4}});
    const Progress progress;
    const RefinementRules rules{round % 2 ? FlatColumns::disclose_one : FlatColumns::refine_all, tdr_score};
    TopDownRefinement refinement(problem, rules, progress);
    size_t done = 0;
    for (TopDownRefinement::Scored chosen; refinement.best(chosen) && done < 60; ++done) {
      ASSERT_TRUE(refinement.refine(chosen));
      ASSERT_EQ(refinement.recount_fault(), "") << "round " << round << ", step " << done;
    }
    EXPECT_GT(done, 0u);
  }
}

// Large enough that requirements are refined by several threads.
TEST(TopDownRefinement, SameStepsWhateverTheThreads) {
  testing::RandomTables random(33);
  auto drawn = random.table({.rows = 100000, .columns = 4, .max_values = 40, .target_values = 2});
  drawn.hierarchies[0] = flat_hierarchy(random, drawn.hierarchies[0].leaves(), true, false);
  Problem problem = drawn.problem({{{0, 1}, 20}, {{0, 2, 3}, 5}, {{1, 2}, 50}, {{0, 3}, 10}});
  problem.params = {{"flat", "disclose"}, {"check", "no"}};
  std::vector<std::vector<std::string>> seen;
  for (int threads : {1, 4}) {
    problem.threads = threads;
    Progress progress;
    const SearchResult result = testing::run_method("tdr", problem, progress);
    seen.emplace_back();
    for (const SearchStep& step : result.stats.steps) seen.back().push_back(step.what);
    seen.back().push_back(std::to_string(result.stats.pruned));
  }
  EXPECT_GT(seen[0].size(), 5u);
  EXPECT_EQ(seen[0], seen[1]);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
