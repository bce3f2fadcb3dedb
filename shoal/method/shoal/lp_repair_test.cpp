// The certificate of the linear-programming bound against all sets of k rows and against exact optima. The prices here
// are worked out from the trees alone.
#include "shoal/method/shoal/lp_repair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "testing/shoal_scene.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTables;
using testing::ShoalScene;

constexpr double kClose = 1e-9;

// What a row pays in a group of exactly these rows.
double plain_price(const ShoalScene& scene, const std::vector<uint32_t>& rows) {
  double price = 0;
  for (size_t j = 0; j < scene.columns.size(); ++j) {
    const Hierarchy& tree = scene.table.hierarchies[j];
    std::vector<uint32_t> leaves;
    for (uint32_t row : rows) leaves.push_back(scene.table.table.quasi[j].codes[row]);
    const auto [least, greatest] = std::minmax_element(leaves.begin(), leaves.end());
    if (*least == *greatest) continue;
    double loss = 1;
    if (tree.releases_ranges()) {
      const bool missing = tree.missing() && *greatest == *tree.missing();
      if (!missing && tree.number_range() > 0) {
        loss = (tree.number(*greatest) - tree.number(*least)) / tree.number_range();
      }
    } else {
      uint32_t lowest = Hierarchy::kRoot;
      for (uint32_t node = 1; node < tree.nodes(); ++node) {
        const bool covers = tree.covers(node, *least) && tree.covers(node, *greatest);
        if (covers && tree.leaves_under(node) < tree.leaves_under(lowest)) lowest = node;
      }
      loss = double(tree.leaves_under(lowest)) / double(tree.leaves());
      if (tree.numeric() && tree.number_range() > 0 && lowest != Hierarchy::kRoot) {  // a node over numbers
        loss = (tree.number(tree.node(lowest).last) - tree.number(tree.node(lowest).first)) / tree.number_range();
      }
    }
    price += scene.problem_weights[j] * loss;
  }
  return price;
}

// Calls visit(rows) for every set of k rows.
template <typename Visit>
void every_set(size_t rows, uint64_t k, const Visit& visit) {
  std::vector<uint32_t> chosen;
  auto choose = [&](auto&& self, uint32_t from) -> void {
    if (chosen.size() == k) return visit(chosen);
    for (uint32_t row = from; row < rows; ++row) {
      chosen.push_back(row);
      self(self, row + 1);
      chosen.pop_back();
    }
  };
  choose(choose, 0);
}

// By how much the worst set of k rows carries too much per row.
double worst_excess(const ShoalScene& scene, const DistinctTuples& tuples, const std::vector<double>& dual) {
  double worst = -std::numeric_limits<double>::infinity();
  every_set(scene.table.table.rows, scene.k, [&](const std::vector<uint32_t>& rows) {
    double carried = 0;
    for (uint32_t row : rows) carried += dual[tuples.of_row[row]];
    worst = std::max(worst, carried / double(scene.k) - plain_price(scene, rows));
  });
  return worst;
}

// Some start: far too high, all alike, near the prices of the groups, or with negative values.
std::vector<double> random_dual(RandomTables& random, size_t tuples) {
  std::vector<double> dual(tuples);
  const size_t shape = random.draw(0, 3);
  for (double& value : dual) {
    const double unit = double(random.draw(0, 1000)) / 1000;
    value = shape == 0 ? 20 * unit : shape == 1 ? 3 : shape == 2 ? 1.5 * unit : 6 * unit - 3;
  }
  return dual;
}

CellFineness random_fineness(RandomTables& random, int round) {
  if (round % 3 != 0) return {};
  return {static_cast<uint32_t>(random.draw(1, 5)), static_cast<uint32_t>(random.draw(0, 3))};
}

TEST(RepairedDual, NoKRowsCarryMoreThanTheirBoxCosts) {
  RandomTables random(41);
  Progress progress;
  size_t changed = 0, exact = 0, several_numeric = 0;
  for (int round = 0; round < 4000; ++round) {
    ShoalScene scene(random, random.draw(3, 11), random.draw(1, 5), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    const BoxCells cells = box_cells(*scene.space, random_fineness(random, round));
    exact += cells.exact;
    size_t numeric = 0;
    for (const Hierarchy& tree : scene.table.hierarchies) numeric += tree.releases_ranges();
    several_numeric += numeric > 1;
    const std::vector<double> start = random_dual(random, tuples.size());
    const auto result = repaired(*scene.space, cells, tuples, start, {scene.k, 1}, progress);
    ASSERT_TRUE(result);
    ASSERT_LE(worst_excess(scene, tuples, result->dual), kClose) << "round " << round;
    double sum = 0;
    for (size_t t = 0; t < tuples.size(); ++t) {
      ASSERT_LE(result->dual[t], start[t]);
      sum += tuples.counts[t] * result->dual[t];
    }
    ASSERT_NEAR(sum, result->bound, kClose);
    changed += worst_excess(scene, tuples, start) > 0;
    // What holds is left alone: so the first repair lowered only where it had to.
    const auto again = repaired(*scene.space, cells, tuples, result->dual, {scene.k, 1}, progress);
    ASSERT_NEAR(again->bound, result->bound, 1e-6);
    // And where the cells are exact, a start that holds is not touched at all.
    if (cells.exact && worst_excess(scene, tuples, start) <= 0) {
      double whole = 0;
      for (size_t t = 0; t < tuples.size(); ++t) whole += tuples.counts[t] * start[t];
      ASSERT_NEAR(result->bound, whole, 1e-6);
    }
  }
  EXPECT_GT(changed, 2000u);
  EXPECT_GT(exact, 2000u);
  EXPECT_GT(several_numeric, 250u);
}

// Least NCP over all partitions into groups of k rows or more.
double exact_optimum(const ShoalScene& scene) {
  const auto rows = static_cast<uint32_t>(scene.table.table.rows);
  std::vector<double> cost(size_t{1} << rows), best(size_t{1} << rows, std::numeric_limits<double>::infinity());
  for (uint32_t set = 1; set < cost.size(); ++set) {
    std::vector<uint32_t> group;
    for (uint32_t row = 0; row < rows; ++row) {
      if (set >> row & 1) group.push_back(row);
    }
    cost[set] = group.size() < scene.k ? std::numeric_limits<double>::infinity()
                                       : double(group.size()) * plain_price(scene, group);
  }
  best[0] = 0;
  for (uint32_t set = 1; set < best.size(); ++set) {
    const uint32_t first = set & -set;
    for (uint32_t group = set; group != 0; group = (group - 1) & set) {
      if (group & first) best[set] = std::min(best[set], cost[group] + best[set ^ group]);
    }
  }
  return best.back();
}

TEST(RepairedDual, IsBelowEveryExactOptimum) {
  RandomTables random(42);
  Progress progress;
  size_t useful = 0;
  for (int round = 0; round < 150; ++round) {
    ShoalScene scene(random, random.draw(8, 12), random.draw(2, 4), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    const double optimum = exact_optimum(scene);
    const BoxCells cells = box_cells(*scene.space, random_fineness(random, round));
    for (int start = 0; start < 4; ++start) {
      const auto result =
          repaired(*scene.space, cells, tuples, random_dual(random, tuples.size()), {scene.k, 1}, progress);
      ASSERT_LE(result->bound, optimum + kClose);
      useful += result->bound > optimum / 2;
    }
  }
  EXPECT_GT(useful, 100u);
}

TEST(RepairedDual, IsTheSameForAnyNumberOfThreads) {
  RandomTables random(43);
  Progress progress;
  for (int round = 0; round < 20; ++round) {
    ShoalScene scene(random, random.draw(50, 300), random.draw(2, 8), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    const BoxCells cells = box_cells(*scene.space, random_fineness(random, round));
    const std::vector<double> start = random_dual(random, tuples.size());
    const auto one = repaired(*scene.space, cells, tuples, start, {scene.k, 1}, progress);
    for (int threads : {2, 8}) {
      const auto many = repaired(*scene.space, cells, tuples, start, {scene.k, threads}, progress);
      ASSERT_EQ(one->dual, many->dual);
      ASSERT_EQ(one->bound, many->bound);
      ASSERT_EQ(one->looked_at, many->looked_at);
    }
  }
}

TEST(RepairedDual, GivesUpWhenItMayNotLookAndStopsWhenAsked) {
  RandomTables random(44);
  Progress progress;
  auto drawn = std::make_unique<ShoalScene>(random, 300, 4, false);
  while (drawn->columns.size() < 3) drawn = std::make_unique<ShoalScene>(random, 300, 4, false);
  const ShoalScene& scene = *drawn;
  const DistinctTuples tuples = distinct_tuples_of(*scene.space);
  const BoxCells cells = box_cells(*scene.space, {});
  const std::vector<double> start(tuples.size(), 5);
  const auto whole = repaired(*scene.space, cells, tuples, start, {scene.k, 1}, progress);
  ASSERT_TRUE(whole);
  EXPECT_FALSE(repaired(*scene.space, cells, tuples, start, {scene.k, 1, whole->looked_at - 1}, progress));
  EXPECT_TRUE(repaired(*scene.space, cells, tuples, start, {scene.k, 2, whole->looked_at}, progress));
  // Lower values take less work and prove less.
  const std::vector<double> near(tuples.size(), 0.5);
  const auto from_near = repaired(*scene.space, cells, tuples, near, {scene.k, 1}, progress);
  ASSERT_TRUE(from_near);
  const RepairSettings too_little{scene.k, 1, from_near->looked_at - 1};
  const auto lower = repaired_within_work(*scene.space, cells, tuples, near, too_little, progress);
  ASSERT_TRUE(lower);
  EXPECT_LE(lower->bound, from_near->bound + kClose);
  EXPECT_FALSE(repaired_within_work(*scene.space, cells, tuples, start, {scene.k, 1, 1}, progress));
  progress.set_deadline(Clock::now());
  EXPECT_FALSE(repaired(*scene.space, cells, tuples, start, {scene.k, 1}, progress));
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
