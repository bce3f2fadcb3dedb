// Trees that never show fewer than k rows; splits against all admissible ones.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "shoal/method/method.h"
#include "shoal/method/trees/kadet_tree.h"
#include "shoal/method/trees/quasi_dataset.h"
#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

std::vector<size_t> all_columns(const Table& table) {
  std::vector<size_t> columns(table.quasi.size());
  for (size_t j = 0; j < columns.size(); ++j) columns[j] = j;
  return columns;
}

KadetTree grow(const Problem& problem, KadetOptions options) {
  Progress progress;
  const std::vector<size_t>& columns = problem.requirements.front().columns;
  return grow_kadet(problem, tuples_with_target(problem, columns), columns, options, progress);
}

TEST(Kadet, EveryNodeShowsAtLeastKRowsAndItsOwn) {
  testing::RandomTables random(61);
  size_t splits = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto drawn = random.table({.rows = random.draw(1, 80),
                                     .columns = random.draw(1, 4),
                                     .max_values = random.draw(2, 12),
                                     .target_values = random.draw(1, 3)});
    const uint64_t k = random.draw(1, std::max<size_t>(1, drawn.table.rows / 3));
    const Problem problem = drawn.problem({{all_columns(drawn.table), k}});
    for (bool pruned : {false, true}) {
      const KadetTree tree = grow(problem, {.k = k, .pruned = pruned, .confidence = 0.25});
      // Rows by class at every node, by walking each row down.
      std::vector<std::vector<double>> seen(tree.nodes.size(),
                                            std::vector<double>(drawn.table.target->values.size(), 0));
      for (size_t row = 0; row < drawn.table.rows; ++row) {
        uint32_t node = tree.node_of([&](size_t i) { return drawn.table.quasi[tree.columns[i]].codes[row]; });
        EXPECT_TRUE(tree.nodes[node].leaf());
        for (;; node = tree.nodes[node].parent) {
          ++seen[node][drawn.table.target->codes[row]];
          if (node == 0) break;
        }
      }
      for (size_t node = 0; node < tree.nodes.size(); ++node) {
        EXPECT_EQ(tree.nodes[node].class_rows, seen[node]) << "round " << round;
        EXPECT_GE(tree.nodes[node].rows(), double(k));
        splits += !tree.nodes[node].leaf();
        if (node > 0) {
          EXPECT_LT(tree.nodes[node].parent, node);
        }
      }
    }
  }
  EXPECT_GT(splits, 1000u);
}

double entropy(const std::map<uint32_t, double>& counts) {
  double rows = 0, sum = 0;
  for (const auto& [value, count] : counts) rows += count;
  for (const auto& [value, count] : counts) sum -= count * std::log2(count / rows);
  return sum / rows;
}

// One flat categorical column after another: the root's split has the best gain ratio among the admissible columns
// whose gain is at least the average.
TEST(Kadet, TheRootSplitsLikeC45AmongWhatKAllows) {
  testing::RandomTables random(62);
  int split = 0, refused = 0;
  for (int round = 0; round < 1500; ++round) {
    testing::RandomTable drawn;
    drawn.table.rows = random.draw(10, 60);
    const size_t columns = random.draw(1, 4);
    for (size_t j = 0; j < columns; ++j) {
      const size_t values = random.draw(2, 4);
      std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, uint32_t(values - 1)}};
      std::vector<std::vector<uint32_t>> levels(2);
      for (uint32_t v = 0; v < values; ++v) {
        nodes.push_back({"v" + std::to_string(v), 0, 1, v, v});
        levels[0].push_back(v + 1);
        levels[1].push_back(0);
      }
      drawn.hierarchies.emplace_back(nodes, levels, std::vector<double>{}, std::nullopt);
      drawn.table.quasi.push_back({"q" + std::to_string(j), Codes(drawn.table.rows, values), {}});
      for (uint32_t v = 0; v < values; ++v) drawn.table.quasi[j].values.push_back("v" + std::to_string(v));
      for (size_t row = 0; row < drawn.table.rows; ++row) {
        drawn.table.quasi[j].codes.set(row, uint32_t(std::min(random.draw(0, values - 1), random.draw(0, values - 1))));
      }
    }
    drawn.table.target = Column{"class", Codes(drawn.table.rows, 2), {"n", "y"}};
    for (size_t row = 0; row < drawn.table.rows; ++row) {
      drawn.table.target->codes.set(row, (drawn.table.quasi[0].codes[row] + random.draw(0, 3)) % 5 == 0);
    }
    const uint64_t k = random.draw(1, 12);
    std::vector<std::pair<double, double>> scores;  // gain and ratio by column; nothing gained: 0
    double sum = 0, count = 0;
    for (const Column& column : drawn.table.quasi) {
      std::map<uint32_t, std::map<uint32_t, double>> by_value;
      std::map<uint32_t, double> sizes, classes;
      for (size_t row = 0; row < drawn.table.rows; ++row) {
        ++by_value[column.codes[row]][drawn.table.target->codes[row]];
        ++sizes[column.codes[row]];
        ++classes[drawn.table.target->codes[row]];
      }
      bool allowed = sizes.size() > 1;
      double gain = entropy(classes);
      for (const auto& [value, size] : sizes) {
        allowed &= size >= double(k);
        gain -= size / double(drawn.table.rows) * entropy(by_value[value]);
      }
      scores.push_back(allowed && gain > 1e-9 ? std::pair(gain, gain / entropy(sizes)) : std::pair(0.0, 0.0));
      sum += scores.back().first;
      count += scores.back().first > 0;
    }
    double best = 0;
    for (const auto& [gain, ratio] : scores) {
      if (gain > 0 && gain >= sum / count - 1e-3) best = std::max(best, ratio);
    }
    const Problem problem = drawn.problem({{all_columns(drawn.table), k}});
    const KadetTree tree = grow(problem, {.k = k, .pruned = false, .confidence = 0.25});
    ASSERT_EQ(tree.nodes[0].leaf(), best == 0 || drawn.table.rows < 2 * k) << "round " << round;
    ++(tree.nodes[0].leaf() ? refused : split);
    if (!tree.nodes[0].leaf()) {
      EXPECT_NEAR(scores[tree.nodes[0].column].second, best, 1e-9) << "round " << round;
    }
  }
  EXPECT_GT(split, 200);
  EXPECT_GT(refused, 100);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
