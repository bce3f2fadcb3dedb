// What every registered method must keep, on random tables: found through the registry, so that a new method is tested
// the moment it is listed.
#include <gtest/gtest.h>

#include "shoal/method/method.h"
#include "shoal/recode/apply.h"
#include "testing/random_problem.h"
#include "testing/rounds.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::rounds;

bool same(const ReleasedTable& a, const ReleasedTable& b, size_t rows) {
  if (a.dropped_rows != b.dropped_rows) return false;
  for (size_t j = 0; j < a.quasi.size(); ++j) {
    for (size_t row = 0; row < rows; ++row) {
      if (!(a.quasi[j].values[a.quasi[j].codes[row]] == b.quasi[j].values[b.quasi[j].codes[row]])) return false;
    }
  }
  return true;
}

class EveryMethod : public ::testing::TestWithParam<const MethodEntry*> {
 protected:
  // A random problem this method takes: several requirements, a limit on dropped rows, weights where it obeys them.
  Problem draw_problem(testing::RandomTables& random, const testing::RandomTable& drawn) {
    const MethodEntry& method = *GetParam();
    auto requirements = random.requirements(drawn.table);
    if (!method.several_requirements) requirements.resize(1);
    Problem problem = drawn.problem(requirements);
    problem.params = complete({}, method.parameters);
    if (problem.params.contains("states")) problem.params["states"] = "20";  // exact methods refuse early, to be quick
    if (problem.params.contains("generations")) problem.params["generations"] = "5";
    if (method.drops_rows && random.draw(0, 1)) problem.suppress_rows = double(random.draw(0, 4)) / 4;
    for (double& weight : problem.weights) weight = double(random.draw(1, 3));
    problem.seed = random.draw(1, 1000);
    return problem;
  }

  // The method's answer; nothing where an exact method refuses the table as too much work.
  std::optional<SearchResult> answer(const Problem& problem, Progress& progress) {
    const MethodEntry& method = *GetParam();
    try {
      ++asked_;
      return method.make()->search(problem, progress);
    } catch (const Error& error) {
      if (!method.refuses_large_tables || error.kind() != ErrorKind::job) throw;
      ++refused_;
      return std::nullopt;
    }
  }
  void TearDown() override { EXPECT_LT(refused_, std::max(asked_, 1)) << "refused every time"; }

 private:
  int asked_ = 0, refused_ = 0;
};

TEST_P(EveryMethod, KeepsItsPromises) {
  testing::RandomTables random(20);
  const MethodEntry& method = *GetParam();
  for (int round = 0; round < rounds(150); ++round) {
    const auto drawn = random.table({.rows = random.draw(1, 40), .columns = random.draw(1, 4)});
    Problem problem = draw_problem(random, drawn);
    Progress progress;
    const std::optional<SearchResult> found = answer(problem, progress);
    if (!found) continue;
    const SearchResult& result = *found;
    ASSERT_TRUE(result.recoding()) << result.reason();
    EXPECT_EQ(result.recoding()->shape(), method.releases_model() ? Shape::regions : method.shape);
    EXPECT_EQ(result.model() != nullptr, method.releases_model());
    const ReleasedTable released = apply(*result.recoding(), drawn.table, drawn.hierarchies, 1);
    for (const Requirement& requirement : problem.requirements) {
      EXPECT_TRUE(testing::holds(released, drawn.table.rows, requirement)) << "round " << round;
    }
    for (size_t j = 0; j < released.quasi.size(); ++j) {
      for (size_t row = 0; row < drawn.table.rows; ++row) {
        const Released& cell = released.quasi[j].values.at(released.quasi[j].codes[row]);
        const uint32_t leaf = drawn.table.quasi[j].codes[row];
        const bool dropped = std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row);
        if (!dropped) {
          EXPECT_TRUE(cell.first <= leaf && leaf <= cell.last) << "round " << round;
        }
      }
    }
    if (!method.drops_rows) {
      EXPECT_TRUE(released.dropped_rows.empty());
    }
    if (problem.suppress_rows) {
      EXPECT_LE(double(released.dropped_rows.size()), *problem.suppress_rows * double(drawn.table.rows) + 1e-9);
    }
    EXPECT_TRUE(std::is_sorted(released.dropped_rows.begin(), released.dropped_rows.end()));
  }
}

TEST_P(EveryMethod, SameAnswerWhateverTheThreads) {
  testing::RandomTables random(21);
  for (int round = 0; round < rounds(20); ++round) {
    const auto drawn = random.table({.rows = random.draw(1, 300), .columns = random.draw(1, 4), .max_values = 8});
    Problem problem = draw_problem(random, drawn);
    std::optional<ReleasedTable> first;
    for (int threads : {1, 2, 8, 1}) {
      problem.threads = threads;
      Progress progress;
      const std::optional<SearchResult> found = answer(problem, progress);
      if (!found) continue;
      const SearchResult& result = *found;
      ASSERT_TRUE(result.recoding()) << result.reason();
      ReleasedTable released = apply(*result.recoding(), drawn.table, drawn.hierarchies, threads);
      if (first) {
        EXPECT_TRUE(same(*first, released, drawn.table.rows)) << "round " << round << ", threads " << threads;
      }
      if (!first) first = std::move(released);
    }
  }
}

TEST_P(EveryMethod, AnswersWithNoTimeLeft) {
  testing::RandomTables random(22);
  for (int round = 0; round < rounds(20); ++round) {
    const auto drawn = random.table({.rows = random.draw(1, 60), .columns = random.draw(1, 4)});
    const Problem problem = draw_problem(random, drawn);
    Progress progress;
    progress.set_deadline(Clock::now());
    const std::optional<SearchResult> found = answer(problem, progress);
    if (!found) continue;
    const SearchResult& result = *found;
    ASSERT_TRUE(result.recoding()) << result.reason();
    const ReleasedTable released = apply(*result.recoding(), drawn.table, drawn.hierarchies, 1);
    for (const Requirement& requirement : problem.requirements) {
      EXPECT_TRUE(testing::holds(released, drawn.table.rows, requirement)) << "round " << round;
    }
  }
}

TEST_P(EveryMethod, StopsWhenAsked) {
  testing::RandomTables random(23);
  const auto drawn = random.table({.rows = 60, .columns = 4, .max_values = 8});
  Problem problem = drawn.problem({{{0, 1, 2, 3}, 5}});
  problem.params = complete({}, GetParam()->parameters);
  Progress progress;
  progress.cancel();
  try {
    GetParam()->make()->search(problem, progress);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

std::vector<const MethodEntry*> all_methods() {
  std::vector<const MethodEntry*> entries;
  for (const MethodEntry& entry : methods()) entries.push_back(&entry);
  return entries;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(all_methods()), [](const auto& entry) {
  std::string name = entry.param->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
