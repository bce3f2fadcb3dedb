#include "shoal/measure/query_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "testing/hand_table.h"
#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::hand_column;
using testing::hand_flat;
using testing::hand_hierarchy;

// docs/measures.md's example: ages 20, 24, 40, 40, 60 and jobs; two rows [20,24] office, two as they are, one dropped.
class HandExample : public ::testing::Test {
 protected:
  HandExample() {
    hierarchies_.push_back(hand_flat({"20", "24", "40", "60"}, {20, 24, 40, 60}));
    hierarchies_.push_back(hand_hierarchy(
        {{"clerk", "office", "*"}, {"lawyer", "office", "*"}, {"baker", "craft", "*"}, {"smith", "craft", "*"}}));
    const Hierarchy &age = hierarchies_[0], &job = hierarchies_[1];
    released_.quasi.push_back({{released_interval(age, 0, 1), released_leaf(age, 2)}, Codes(5, 2)});
    released_.quasi.push_back({{released_interval(job, 0, 1), released_leaf(job, 2)}, Codes(5, 2)});
    for (size_t row : {2, 3}) {
      released_.quasi[0].codes.set(row, 1);
      released_.quasi[1].codes.set(row, 1);
    }
    released_.dropped_rows = {4};
  }
  std::vector<Hierarchy> hierarchies_;
  ReleasedTable released_;
};

TEST_F(HandExample, CountsByUniformSpread) {
  const QueryEstimator estimator(hierarchies_, released_, 5, {0, 1}, std::nullopt);
  // Ages 20 to 24 and clerk: half of the two rows; of the dropped one 5 of the 41 whole numbers 20..60, a quarter of
  // the jobs.
  EXPECT_DOUBLE_EQ(estimator.estimate({{0, 0, 1}, {1, 0, 0}}), 2 * 0.5 + 5.0 / 41 / 4);
  // Age 20 alone: one of the five whole numbers 20..24.
  EXPECT_DOUBLE_EQ(estimator.estimate({{0, 0, 0}, {1, 0, 3}}), 2 * 0.2 + 1.0 / 41);
  // Craft at 40 to 60: both bakers, and 21 of 41 x 2 of 4 of the dropped row.
  EXPECT_DOUBLE_EQ(estimator.estimate({{0, 2, 3}, {1, 2, 3}}), 2 + 21.0 / 41 / 2);
}

TEST_F(HandExample, SumsTheExpectedNumber) {
  const QueryEstimator estimator(hierarchies_, released_, 5, {1}, 0);
  EXPECT_DOUBLE_EQ(estimator.estimate({{1, 1, 1}}), 2 * 22 * 0.5 + 40.0 / 4);  // lawyers: half of two rows of 22
  EXPECT_DOUBLE_EQ(estimator.estimate({{1, 0, 3}}), 2 * 22 + 2 * 40 + 40);
}

TEST(QueryError, FractionsAreSpreadWithoutGapsAndMissingCountsAsOneValue) {
  const std::vector<Hierarchy> half{hand_flat({"0.5", "1", "2.5"}, {0.5, 1, 2.5})};
  const ReleasedTable none{{{{released_interval(half[0], 0, 2)}, Codes(1, 1)}}, {}};
  const QueryEstimator estimator(half, none, 1, {0}, std::nullopt);
  EXPECT_DOUBLE_EQ(estimator.estimate({{0, 1, 2}}), 1.5 / 2);
  EXPECT_DOUBLE_EQ(estimator.estimate({{0, 1, 1}}), 0);

  testing::RandomTables random(3);
  const std::vector<Hierarchy> gaps{random.hierarchy(4, true, true)};
  const ReleasedTable star{{{{released_node(gaps[0], 0)}, Codes(1, 1)}}, {}};
  const QueryEstimator with_missing(gaps, star, 1, {0}, std::nullopt);
  EXPECT_DOUBLE_EQ(with_missing.estimate({{0, 3, 3}}), 0.25);
  EXPECT_DOUBLE_EQ(with_missing.estimate({{0, 0, 2}}), 0.75);
  EXPECT_DOUBLE_EQ(with_missing.expected_number(star.quasi[0].values[0], 0),
                   0.75 * (gaps[0].number(0) + gaps[0].number(2)) / 2);
}

// Row by row, cell by cell.
double plain_estimate(const QueryEstimator& estimator, const std::vector<Hierarchy>& hierarchies,
                      const ReleasedTable& released, size_t rows, const Query& query, std::optional<size_t> sum) {
  double total = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    const bool dropped = std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row);
    auto cell = [&](size_t column) {
      const ReleasedColumn& of = released.quasi[column];
      return dropped ? released_node(hierarchies[column], Hierarchy::kRoot) : of.values[of.codes[row]];
    };
    double chance = 1;
    for (const QueryCondition& condition : query) chance *= estimator.share(cell(condition.column), condition);
    total += chance * (sum ? estimator.expected_number(cell(*sum), *sum) : 1);
  }
  return total;
}

TEST(QueryError, EqualsALoopOverRowsAndIsExactOnTheOriginal) {
  testing::RandomTables random(5);
  for (int round = 0; round < 1000; ++round) {
    const size_t rows = random.draw(1, 30);
    const auto drawn = random.table({.rows = rows, .columns = random.draw(2, 4), .max_values = 7});
    // Groups at random, released as intervals; some rows dropped.
    ReleasedTable released, as_it_is;
    const size_t groups = random.draw(1, rows);
    std::vector<size_t> group_of(rows);
    for (size_t row = 0; row < rows; ++row) group_of[row] = random.draw(0, groups - 1);
    for (size_t j = 0; j < drawn.hierarchies.size(); ++j) {
      const Hierarchy& tree = drawn.hierarchies[j];
      ReleasedColumn grouped{{}, Codes(rows, groups)}, raw{{}, drawn.table.quasi[j].codes};
      for (size_t g = 0; g < groups; ++g) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (size_t row = 0; row < rows; ++row) {
          if (group_of[row] != g) continue;
          lo = std::min(lo, drawn.table.quasi[j].codes[row]);
          hi = std::max(hi, drawn.table.quasi[j].codes[row]);
          grouped.codes.set(row, static_cast<uint32_t>(g));
        }
        grouped.values.push_back(lo == UINT32_MAX ? released_node(tree, 0) : released_interval(tree, lo, hi));
      }
      for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) raw.values.push_back(released_leaf(tree, leaf));
      released.quasi.push_back(std::move(grouped));
      as_it_is.quasi.push_back(std::move(raw));
    }
    for (uint32_t row = 0; row < rows; ++row) {
      if (random.draw(0, 9) == 0) released.dropped_rows.push_back(row);
    }
    std::optional<size_t> sum;
    std::vector<size_t> columns;
    for (size_t j = 0; j < drawn.hierarchies.size(); ++j) {
      if (!sum && drawn.hierarchies[j].numeric() && random.draw(0, 1)) {
        sum = j;
      } else {
        columns.push_back(j);
      }
    }
    if (columns.empty()) continue;
    const QueryEstimator estimator(drawn.hierarchies, released, rows, columns, sum);
    const QueryEstimator original(drawn.hierarchies, as_it_is, rows, columns, sum);
    const QueryFinder finder(drawn.table, drawn.hierarchies, columns);
    LongRandom engine(static_cast<uint64_t>(round));
    for (int i = 0; i < 5; ++i) {
      const Query query = draw_query(drawn.hierarchies, columns, engine);
      const double expected = plain_estimate(estimator, drawn.hierarchies, released, rows, query, sum);
      ASSERT_NEAR(estimator.estimate(query), expected, 1e-9 * (1 + std::abs(expected)));
      double exact = 0;
      bool any = false;
      for (size_t row = 0; row < rows; ++row) {
        const bool matches = std::all_of(query.begin(), query.end(), [&](const QueryCondition& condition) {
          const uint32_t leaf = drawn.table.quasi[condition.column].codes[row];
          return condition.first <= leaf && leaf <= condition.last;
        });
        any = any || matches;
        if (!matches) continue;
        const Hierarchy* summed = sum ? &drawn.hierarchies[*sum] : nullptr;
        const uint32_t leaf = sum ? drawn.table.quasi[*sum].codes[row] : 0;
        exact += !sum ? 1 : leaf == summed->missing() ? 0 : summed->number(leaf);
      }
      ASSERT_EQ(finder.any(query), any);
      ASSERT_NEAR(original.estimate(query), exact, 1e-9 * (1 + exact));
    }
  }
}

TEST(QueryError, ConditionsAreValuesNodesOrRangesBetweenValues) {
  testing::RandomTables random(6);
  LongRandom engine(1);
  for (int round = 0; round < 300; ++round) {
    const bool numeric = round % 2 == 0, missing = round % 3 == 0;
    const std::vector<Hierarchy> trees{random.hierarchy(random.draw(2, 9), numeric, missing)};
    const QueryCondition drawn = draw_query(trees, std::vector<size_t>{0}, engine).at(0);
    ASSERT_LE(drawn.first, drawn.last);
    if (numeric) {
      ASSERT_LT(drawn.last, trees[0].leaves() - (missing ? 1 : 0));
    } else {
      const auto& node = trees[0].node(trees[0].common_ancestor(drawn.first, drawn.last));
      ASSERT_TRUE(node.first == drawn.first && node.last == drawn.last);
    }
  }
}

TEST(QueryError, Summary) {
  std::vector<double> errors;
  for (int i = 10; i >= 1; --i) errors.push_back(i);
  const QueryErrorSummary summary = summarize_errors(errors);
  EXPECT_DOUBLE_EQ(summary.mean, 5.5);
  EXPECT_DOUBLE_EQ(summary.median, 5.5);
  EXPECT_DOUBLE_EQ(summary.percentile90, 9);
  EXPECT_DOUBLE_EQ(summarize_errors({3, 1, 2}).median, 2);
  EXPECT_DOUBLE_EQ(summarize_errors({3, 1, 2}).percentile90, 3);
  EXPECT_EQ(summarize_errors({}).queries, 0u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
