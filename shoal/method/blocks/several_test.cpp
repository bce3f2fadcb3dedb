// Several requirements for local methods, checked plainly: the answers of shoal, kaca, bottom-up and top-down on random
// tables and random requirements, against an oracle that counts, mondrian's answer, each requirement alone, and the
// best of all releases of tiny tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "shoal/measure/cell_loss.h"
#include "shoal/method/space/requirement_families.h"
#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

const char* const kLocalMethods[] = {"shoal", "kaca", "bottom-up", "top-down"};

// Settings under which a search takes little time.
Params quick(const std::string& method) { return method == "shoal" ? Params{{"effort", "fast"}} : Params{}; }

// On these columns alone.
double loss_on(const std::vector<size_t>& columns, const Problem& problem, const ReleasedTable& released) {
  double loss = 0;
  for (size_t j : columns) {
    for (size_t row = 0; row < problem.table.rows; ++row) {
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      loss += problem.weights[j] * ncp(problem.hierarchies[j], cell);
    }
  }
  return loss;
}

ReleasedTable release_by(const std::string& method, const Problem& problem) {
  const SearchResult result = testing::run_method(method, problem);
  EXPECT_TRUE(result.recoding()) << result.reason();
  return apply(*result.recoding(), problem.table, problem.hierarchies, 1);
}

// Every requirement holds, every cell covers its original, no row is dropped, columns outside are as they were.
void expect_valid(const Problem& problem, const ReleasedTable& released) {
  EXPECT_TRUE(released.dropped_rows.empty());
  for (const Requirement& requirement : problem.requirements) {
    EXPECT_TRUE(testing::holds(released, problem.table.rows, requirement));
  }
  for (size_t j = 0; j < problem.table.quasi.size(); ++j) {
    const bool asked =
        std::any_of(problem.requirements.begin(), problem.requirements.end(), [&](const Requirement& requirement) {
          return std::binary_search(requirement.columns.begin(), requirement.columns.end(), j);
        });
    for (size_t row = 0; row < problem.table.rows; ++row) {
      const uint32_t leaf = problem.table.quasi[j].codes[row];
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      EXPECT_TRUE(cell.first <= leaf && leaf <= cell.last);
      if (!asked) {
        EXPECT_EQ(cell, released_leaf(problem.hierarchies[j], leaf));
      }
    }
  }
}

Problem draw_problem(testing::RandomTables& random, const testing::RandomTable& drawn) {
  Problem problem = drawn.problem(random.requirements(drawn.table));
  if (random.draw(0, 1) == 0) {  // small k: many blocks
    for (Requirement& requirement : problem.requirements) {
      requirement.k = std::min<uint64_t>(requirement.k, 1 + requirement.k % 4);
    }
  }
  for (double& weight : problem.weights) weight = double(random.draw(0, 3));
  problem.seed = random.draw(1, 1000);
  return problem;
}

class SeveralRequirements : public ::testing::TestWithParam<const char*> {};

TEST_P(SeveralRequirements, HoldAndLoseNoMoreThanMondriansWhereTheyShareColumns) {
  testing::RandomTables random(31);
  int overlapping = 0, better = 0;
  for (int round = 0; round < 1200; ++round) {
    SCOPED_TRACE(round);
    const auto drawn =
        random.table({.rows = random.draw(1, 90), .columns = random.draw(1, 6), .max_values = random.draw(1, 10)});
    Problem problem = draw_problem(random, drawn);
    if (round % 8 > 0) problem.params = quick(GetParam());
    const ReleasedTable released = release_by(GetParam(), problem);
    expect_valid(problem, released);
    problem.params = {};
    const ReleasedTable cut = release_by("mondrian", problem);
    for (const RequirementFamily& family : requirement_families(without_implied(problem.requirements))) {
      if (family.requirements.size() < 2) continue;
      ++overlapping;
      const double ours = loss_on(family.columns, problem, released), mondrians = loss_on(family.columns, problem, cut);
      EXPECT_LE(ours, mondrians + 1e-9);
      better += ours < mondrians - 1e-9 ? 1 : 0;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(overlapping, 200);
  EXPECT_GT(better, overlapping / 10);
}

TEST_P(SeveralRequirements, WithoutSharedColumnsAreEachWhatTheyAreAlone) {
  testing::RandomTables random(32);
  for (int round = 0; round < 100; ++round) {
    SCOPED_TRACE(round);
    const auto drawn = random.table({.rows = random.draw(10, 80), .columns = 5, .max_values = 8});
    Problem problem = drawn.problem({{{0, 2}, random.draw(1, 5)}, {{1, 4}, random.draw(1, 8)}, {{3}, 2}});
    for (double& weight : problem.weights) weight = double(random.draw(1, 3));
    problem.params = quick(GetParam());
    const SearchResult result = testing::run_method(GetParam(), problem);
    const ReleasedTable together = apply(*result.recoding(), problem.table, problem.hierarchies, 1);
    EXPECT_EQ(result.stats.bound.has_value(), std::string(GetParam()) == "shoal");
    if (result.stats.bound) {
      const double weights = std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
      const double gcp = loss_on({0, 1, 2, 3, 4}, problem, together) / (weights * double(problem.table.rows));
      EXPECT_LE(*result.stats.bound, gcp + 1e-9);
    }
    for (const Requirement& requirement : std::vector<Requirement>(problem.requirements)) {
      problem.requirements = {requirement};
      const ReleasedTable alone = release_by(GetParam(), problem);
      for (size_t j : requirement.columns) {
        for (size_t row = 0; row < problem.table.rows; ++row) {
          ASSERT_EQ(together.quasi[j].values[together.quasi[j].codes[row]],
                    alone.quasi[j].values[alone.quasi[j].codes[row]]);
        }
      }
    }
  }
}

TEST_P(SeveralRequirements, SameAnswerWhateverTheThreads) {
  testing::RandomTables random(33);
  for (int round = 0; round < 4; ++round) {
    const auto drawn = random.table({.rows = 900, .columns = 6, .max_values = 12});
    Problem problem = drawn.problem({{{0, 1, 2}, 5}, {{2, 3}, 10}, {{4, 5}, 3}});
    if (round % 2 == 0) problem.requirements[2].columns = {0, 3, 4, 5};
    if (round > 0) problem.params = quick(GetParam());
    const SearchResult one = testing::run_method(GetParam(), problem);
    expect_valid(problem, apply(*one.recoding(), problem.table, problem.hierarchies, 1));
    for (int threads : {2, 8}) {
      problem.threads = threads;
      const SearchResult other = testing::run_method(GetParam(), problem);
      EXPECT_EQ(other.recoding()->by_group().group_of_row, one.recoding()->by_group().group_of_row);
      EXPECT_EQ(other.recoding()->by_group().group_releases, one.recoding()->by_group().group_releases);
    }
  }
}

TEST_P(SeveralRequirements, ThatFollowFromAnotherChangeNothing) {
  testing::RandomTables random(34);
  const auto drawn = random.table({.rows = 60, .columns = 4, .max_values = 8});
  Problem problem = drawn.problem({{{0, 1, 2}, 5}});
  const ReleasedTable one = release_by(GetParam(), problem);
  problem.requirements = {{{1}, 3}, {{0, 1, 2}, 5}, {{0, 2}, 5}};
  const ReleasedTable three = release_by(GetParam(), problem);
  for (size_t j = 0; j < 4; ++j) {
    for (size_t row = 0; row < 60; ++row) {
      EXPECT_EQ(one.quasi[j].values[one.quasi[j].codes[row]], three.quasi[j].values[three.quasi[j].codes[row]]);
    }
  }
}

TEST_P(SeveralRequirements, AnswerWithNoTimeLeft) {
  testing::RandomTables random(35);
  for (int round = 0; round < 30; ++round) {
    const auto drawn = random.table({.rows = random.draw(20, 400), .columns = 4, .max_values = 8});
    const Problem problem = drawn.problem({{{0, 1}, 5}, {{1, 2}, 3}, {{2, 3}, 7}});
    Progress progress;
    progress.set_deadline(Clock::now());
    const SearchResult result = testing::run_method(GetParam(), problem, progress);
    ASSERT_TRUE(result.recoding());
    expect_valid(problem, apply(*result.recoding(), problem.table, problem.hierarchies, 1));
  }
}

INSTANTIATE_TEST_SUITE_P(LocalMethods, SeveralRequirements, ::testing::ValuesIn(kLocalMethods), [](const auto& method) {
  std::string name = method.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(RequirementFamilies, HangTogetherThroughOthers) {
  const auto families = requirement_families({{{0, 1}, 2}, {{4}, 2}, {{2, 3}, 3}, {{5, 6}, 2}, {{1, 2}, 5}, {{}, 9}});
  ASSERT_EQ(families.size(), 3u);
  EXPECT_EQ(families[0].requirements, (std::vector<size_t>{0, 2, 4}));
  EXPECT_EQ(families[0].columns, (std::vector<size_t>{0, 1, 2, 3}));
  EXPECT_EQ(families[1].requirements, (std::vector<size_t>{1}));
  EXPECT_EQ(families[2].columns, (std::vector<size_t>{5, 6}));
}

// The least loss of any release: all ways to part the rows for one requirement and for the other, and every column
// released as the hull of rows that either ties together.
class BestOfTwo {
 public:
  explicit BestOfTwo(const Problem& problem) : problem_(problem) {}

  double loss() {
    for (const Requirement& requirement : problem_.requirements) {
      partitions_.emplace_back();
      std::vector<size_t> group_of(problem_.table.rows, 0);
      collect(group_of, 0, 0, requirement.k);
    }
    double best = std::numeric_limits<double>::infinity();
    for (const auto& first : partitions_[0]) {
      for (const auto& second : partitions_[1]) best = std::min(best, loss_of(first, second));
    }
    return best;
  }

 private:
  using Partition = std::vector<size_t>;  // [row]

  void collect(Partition& group_of, size_t row, size_t groups, uint64_t k) {
    if (row == group_of.size()) {
      std::vector<uint64_t> sizes(groups, 0);
      for (size_t group : group_of) ++sizes[group];
      if (*std::min_element(sizes.begin(), sizes.end()) >= k) partitions_.back().push_back(group_of);
      return;
    }
    for (size_t group = 0; group <= groups; ++group) {
      group_of[row] = group;
      collect(group_of, row + 1, std::max(groups, group + 1), k);
    }
  }

  double loss_of(const Partition& first, const Partition& second) const {
    double loss = 0;
    const std::vector<const Partition*> both{&first, &second};
    for (size_t j = 0; j < problem_.table.quasi.size(); ++j) {
      Partition tied(problem_.table.rows);  // rows with the same number are tied
      for (size_t row = 0; row < tied.size(); ++row) tied[row] = row;
      for (size_t r = 0; r < 2; ++r) {
        const auto& columns = problem_.requirements[r].columns;
        if (std::find(columns.begin(), columns.end(), j) == columns.end()) continue;
        for (size_t a = 0; a < tied.size(); ++a) {
          for (size_t b = 0; b < a; ++b) {
            if ((*both[r])[a] == (*both[r])[b])
              std::replace(tied.begin(), tied.end(), size_t{tied[a]}, size_t{tied[b]});
          }
        }
      }
      for (size_t row = 0; row < tied.size(); ++row) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (size_t other = 0; other < tied.size(); ++other) {
          if (tied[other] != tied[row]) continue;
          lo = std::min(lo, problem_.table.quasi[j].codes[other]);
          hi = std::max(hi, problem_.table.quasi[j].codes[other]);
        }
        loss += ncp(problem_.hierarchies[j], released_interval(problem_.hierarchies[j], lo, hi));
      }
    }
    return loss;
  }

  const Problem& problem_;
  std::vector<std::vector<Partition>> partitions_;
};

TEST(ShoalSeveral, IsNearTheBestOfAllReleasesOfTinyTables) {
  testing::RandomTables random(36);
  double ours = 0, best = 0;
  int rounds = 0, exact = 0;
  for (; rounds < 60; ++rounds) {
    SCOPED_TRACE(rounds);
    const auto drawn = random.table({.rows = 6, .columns = 3, .max_values = 5});
    Problem problem = drawn.problem({{{0, 1}, random.draw(2, 3)}, {{1, 2}, random.draw(2, 3)}});
    const double least = BestOfTwo(problem).loss();
    const double found = loss_on({0, 1, 2}, problem, release_by("shoal", problem));
    EXPECT_GE(found, least - 1e-9) << "below what is possible";
    ours += found;
    best += least;
    exact += found < least + 1e-9 ? 1 : 0;
  }
  EXPECT_LE(ours, 1.1 * best);
  EXPECT_GT(exact, rounds / 2);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
