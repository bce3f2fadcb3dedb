#include <gtest/gtest.h>

#include <numeric>

#include "shoal/method/local/top_down_parts.h"
#include "shoal/method/local/top_down_repair.h"
#include "shoal/method/method.h"
#include "shoal/method/space/leaf_prices.h"
#include "testing/plain_groups.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::LocalProblem;
using testing::PlainGroups;
using testing::RandomTables;
using testing::Rows;

// Figure 4 by plain recursion.
class PlainTopDown {
 public:
  PlainTopDown(const Problem& problem, const NcpSpace& space, uint64_t k) : plain_(problem, space), k_(k) {}

  std::vector<Rows> parts(const Rows& rows, uint64_t seed) const {
    if (rows.size() <= k_) return {rows};
    if (plain_.price(rows) == 0) return plain_.split(rows, std::max<size_t>(1, rows.size() / k_));
    SeededRandom random(seed);
    uint32_t v = rows[random.below(rows.size())], u = v;
    for (int scan = 0; scan < 3; ++scan) {
      u = v;
      v = farthest(rows, u);
    }
    Rows order = rows, left{u}, right{v};
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (uint32_t row : order) {
      if (row == u || row == v) continue;
      const double to_left = growth(left, row), to_right = growth(right, row);
      const bool goes_right = to_left != to_right ? to_right < to_left : right.size() < left.size();
      (goes_right ? right : left).push_back(row);
    }
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    if (std::max(left.size(), right.size()) < k_) return {rows};
    const uint64_t right_seed = random(), left_seed = random();
    std::vector<Rows> result = parts(left, left_seed);
    for (Rows& part : parts(right, right_seed)) result.push_back(std::move(part));
    return result;
  }

  std::vector<Rows> repaired(std::vector<Rows> groups) const {
    for (size_t first = 0; first < groups.size(); ++first) {
      size_t group = first;
      while (!groups[group].empty() && groups[group].size() < k_) group = repair(groups, group);
    }
    std::erase_if(groups, [](const Rows& rows) { return rows.empty(); });
    std::sort(groups.begin(), groups.end());
    return groups;
  }

 private:
  uint32_t farthest(const Rows& rows, uint32_t from) const {
    uint32_t best = from;
    double best_price = -1;
    for (uint32_t row : rows) {
      if (row == from || plain_.price({from, row}) <= best_price) continue;
      best = row;
      best_price = plain_.price({from, row});
    }
    return best;
  }
  double growth(Rows side, uint32_t row) const {
    const double before = plain_.price(side), rows = double(side.size());
    side.push_back(row);
    return plain_.price(side) + rows * (plain_.price(side) - before);
  }

  size_t repair(std::vector<Rows>& groups, size_t group) const {
    const size_t nearest = plain_.nearest(groups, group, Nearness::least_growth);
    std::optional<size_t> donor;
    Rows loan;
    double loan_penalty = 0;
    for (size_t other = 0; other < groups.size(); ++other) {
      if (other == group || groups[other].size() <= 2 * k_ - groups[group].size()) continue;
      const Rows rows = borrowed(groups[group], groups[other]);
      const double penalty = double(k_) * plain_.price(PlainGroups::together(groups[group], rows));
      if (donor && penalty >= loan_penalty) continue;
      donor = other;
      loan = rows;
      loan_penalty = penalty;
    }
    if (donor) {
      const Rows rest = minus(groups[*donor], loan);
      const double borrowing =
          loan_penalty - plain_.penalty(groups[group]) + plain_.penalty(rest) - plain_.penalty(groups[*donor]);
      const double merging =
          plain_.distance(groups[group], groups[nearest], Nearness::least_growth) - plain_.penalty(groups[group]);
      if (borrowing <= merging) {
        groups[group] = PlainGroups::together(groups[group], loan);
        groups[*donor] = rest;
        return group;
      }
    }
    const auto [into, gone] = std::minmax<size_t>({group, nearest});
    const Rows all = PlainGroups::together(groups[into], groups[gone]);
    groups[into] = all;
    groups[gone].clear();
    if (all.size() >= 2 * k_) {
      const auto halves = plain_.split(all, 2);
      groups[into] = halves[0];
      groups[gone] = halves[1];
    }
    return into;
  }
  static Rows minus(const Rows& rows, Rows gone) {
    std::sort(gone.begin(), gone.end());
    Rows rest;
    std::set_difference(rows.begin(), rows.end(), gone.begin(), gone.end(), std::back_inserter(rest));
    return rest;
  }
  Rows borrowed(Rows group, Rows donor) const {
    Rows loan;
    while (group.size() < k_) {
      const auto best = std::min_element(donor.begin(), donor.end(), [&](uint32_t a, uint32_t b) {
        return plain_.price(PlainGroups::together(group, {a})) < plain_.price(PlainGroups::together(group, {b}));
      });
      loan.push_back(*best);
      group = PlainGroups::together(group, {*best});
      donor.erase(best);
    }
    return loan;
  }

  PlainGroups plain_;
  uint64_t k_;
};

Rows all_rows(size_t rows) {
  Rows all(rows);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

std::vector<Rows> lists(const RowGroups& groups) {
  std::vector<Rows> result;
  for (size_t g = 0; g < groups.size(); ++g) result.emplace_back(groups.group(g).begin(), groups.group(g).end());
  return result;
}

Recoding run(const Problem& problem) {
  Progress progress;
  return *testing::run_method("top-down", problem, progress).recoding();
}

TEST(TopDown, MakesTheGroupsOfPlainRecursionAndPlainRepair) {
  RandomTables random(41);
  for (int round = 0; round < 2000; ++round) {
    const size_t rows = random.draw(1, 60);
    LocalProblem local(random, random.table({rows, random.draw(1, 4), random.draw(1, 12), true, true, 0}),
                       random.draw(1, (rows + 1) / 2));
    local.problem.threads = round % 3 + 1;
    const NcpSpace space(local.problem, local.columns(), 0);
    const RowCodes codes(space);
    const PlainTopDown plain(local.problem, space, local.k());
    const auto parts = plain.parts(all_rows(rows), local.problem.seed);
    Progress progress;
    ASSERT_EQ(lists(top_down_parts(codes, local.k(), local.problem.seed, 1, progress).sets), parts)
        << "round " << round;
    ASSERT_EQ(testing::groups_of(run(local.problem)), plain.repaired(parts)) << "round " << round;
  }
}

// Columns of more leaves than there are tables for, and more columns than an instruction takes.
TEST(TopDown, MakesTheGroupsOfPlainRecursionOnWideColumnsAndManyColumns) {
  RandomTables random(44);
  size_t tabled = 0, untabled = 0;
  for (int round = 0; round < 24; ++round) {
    const bool wide = round % 2 == 0;
    const size_t rows = wide ? 250 : 80;
    LocalProblem local(random, random.table({rows, wide ? 2u : random.draw(7, 18), wide ? 400u : 9u, true, true, 0}),
                       random.draw(2, 20));
    const NcpSpace space(local.problem, local.columns(), 0);
    ++(TabledPrices::fits(space) ? tabled : untabled);
    const PlainTopDown plain(local.problem, space, local.k());
    const auto parts = plain.parts(all_rows(rows), local.problem.seed);
    Progress progress;
    ASSERT_EQ(lists(top_down_parts(RowCodes(space), local.k(), local.problem.seed, 1, progress).sets), parts)
        << "round " << round;
    ASSERT_EQ(testing::groups_of(run(local.problem)), plain.repaired(parts)) << "round " << round;
  }
  EXPECT_GE(tabled, 10u);
  EXPECT_GE(untabled, 3u);
}

// Two rows, and a box that takes in row after row: what both classes of prices say, and what the space says.
template <typename Prices>
void expect_prices_of_the_space(const NcpSpace& space, const RowCodes& codes) {
  const Prices prices(space);
  std::vector<typename Prices::Leaf> leaves(codes.rows() * prices.stride());
  const auto row = [&](uint32_t i) { return leaves.data() + i * prices.stride(); };
  for (uint32_t i = 0; i < codes.rows(); ++i) prices.pack(codes.row(i), row(i));
  typename Prices::FromRow first(prices);
  typename Prices::GrowingBox box(prices);
  first.set(row(0));
  box.start(row(0));
  Rows inside{0};
  for (uint32_t i = 0; i < codes.rows(); ++i) {
    ASSERT_EQ(first.price_with(row(i)), box_price(space, codes.box(Rows{0, i})));
    inside.push_back(i);
    ASSERT_EQ(box.price_with(row(i)), box_price(space, codes.box(inside)));
    box.add(row(i));
    ASSERT_EQ(box.price_with(row(0)), box_price(space, codes.box(inside)));
  }
}

TEST(LeafPrices, AreThoseOfTheSpaceToTheLastBit) {
  RandomTables random(45);
  for (int round = 0; round < 300; ++round) {
    const size_t values = round % 10 == 0 ? 160 : random.draw(1, 30);
    const LocalProblem local(random, random.table({random.draw(1, 200), random.draw(1, 17), values, true, true, 0}), 1);
    const NcpSpace space(local.problem, local.columns(), 0);
    const RowCodes codes(space);
    if (TabledPrices::fits(space)) expect_prices_of_the_space<TabledPrices>(space, codes);
    expect_prices_of_the_space<SpacePrices>(space, codes);
  }
}

TEST(TopDown, TheSameGroupsWhateverTheThreads) {
  RandomTables random(42);
  for (int round = 0; round < 3; ++round) {
    LocalProblem local(random, random.table({20000, 5, 60, true, true, 0}), random.draw(2, 40));
    const auto expected = testing::groups_of(run(local.problem));
    for (int threads : {2, 8}) {
      local.problem.threads = threads;
      ASSERT_EQ(testing::groups_of(run(local.problem)), expected) << "round " << round << ", threads " << threads;
    }
  }
}

TEST(TopDown, GroupsHaveKTo2kMinus1RowsAlsoWhenTimeIsUp) {
  RandomTables random(43);
  for (int round = 0; round < 400; ++round) {
    const size_t rows = random.draw(1, 300);
    const LocalProblem local(random, random.table({rows, 3, 6, true, true, 0}), random.draw(1, rows));
    Progress progress;
    if (round % 2 == 0) progress.set_deadline(Clock::now() - std::chrono::seconds(1));
    const SearchResult result = testing::run_method("top-down", local.problem, progress);
    for (const Rows& group : testing::groups_of(*result.recoding())) {
      ASSERT_GE(group.size(), local.k());
      ASSERT_LE(group.size(), 2 * local.k() - 1);
    }
  }
}

// Doubling gaps: the farthest row is far from all others, so that sets lose few rows at a time and the tree of sets is
// as deep as the table is long.
TEST(TopDown, DeepTreesOfSetsNeedNoDeepStack) {
  constexpr size_t kRows = 1000;
  std::vector<Hierarchy::NodeInfo> nodes{{"*", 0, 0, 0, kRows - 1}};
  std::vector<std::vector<uint32_t>> levels(2, std::vector<uint32_t>(kRows, 0));
  std::vector<double> numbers;
  Column column{"x", Codes(kRows, kRows), {}};
  for (uint32_t leaf = 0; leaf < kRows; ++leaf) {
    nodes.push_back({std::to_string(leaf), 0, 1, leaf, leaf});
    levels[0][leaf] = leaf + 1;
    numbers.push_back(std::ldexp(1.0, static_cast<int>(leaf)));
    column.codes.set(leaf, leaf);
    column.values.push_back(std::to_string(leaf));
  }
  const std::vector<Hierarchy> hierarchies{Hierarchy(nodes, levels, numbers, std::nullopt)};
  Table table;
  table.rows = kRows;
  table.quasi.push_back(std::move(column));
  const Problem problem{table, hierarchies, {{{0}, 2}}, {1.0}, {}, {}, 1, 1};
  for (const Rows& group : testing::groups_of(run(problem))) ASSERT_GE(group.size(), 2u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
