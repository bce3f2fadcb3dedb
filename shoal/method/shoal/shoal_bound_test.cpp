// The lower bound against exhaustive search.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "shoal/method/shoal/shoal_bound.h"
#include "shoal/method/shoal/shoal_neighbours.h"
#include "shoal/method/shoal/shoal_search.h"
#include "testing/shoal_scene.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTables;
using testing::ShoalScene;

constexpr double kClose = 1e-9;

// Least NCP over all partitions into groups of >= k rows: the group of the first free row is tried in all ways.
double exhaustive_best(const NcpSpace& space, uint64_t k) {
  const auto rows = static_cast<uint32_t>(space.rows());
  std::vector<double> price(size_t{1} << rows, 0), best(size_t{1} << rows, std::numeric_limits<double>::infinity());
  for (uint32_t set = 1; set < price.size(); ++set) {
    RowGroups group;
    for (uint32_t row = 0; row < rows; ++row) {
      if (set >> row & 1) group.rows.push_back(row);
    }
    group.starts.push_back(static_cast<uint32_t>(group.rows.size()));
    price[set] = group.rows.size() >= k ? partition_cost(space, group) : std::numeric_limits<double>::infinity();
  }
  best[0] = 0;
  for (uint32_t set = 1; set < best.size(); ++set) {
    const uint32_t first = set & -set;
    for (uint32_t group = set; group != 0; group = (group - 1) & set) {
      if (group & first) best[set] = std::min(best[set], price[group] + best[set ^ group]);
    }
  }
  return best.back();
}

TEST(ShoalBound, IsBelowTheOptimumAndTheOptimumBelowOurAnswer) {
  RandomTables random(17);
  Progress progress;
  int reached = 0, rounds = 60;
  for (int round = 0; round < rounds; ++round) {
    ShoalScene scene(random, random.draw(4, 9), random.draw(2, 4), false);
    const double optimum = exhaustive_best(*scene.space, scene.k);
    const double bound = shoal_lower_bound(*scene.space, scene.k, scene.groups, {1'000'000, 2}, progress);
    EXPECT_LE(bound, optimum + kClose);
    const ShoalPlan plan = shoal_plan(1, scene.table.table.rows, scene.columns.size(), scene.k);
    ShoalSearch search(*scene.space, scene.k, plan, 1, 1, progress);
    search.start();
    for (int pass = 0; pass < 10; ++pass) search.pass();
    const double answer = partition_cost(*scene.space, search.partition());
    EXPECT_LE(optimum, answer + kClose);
    reached += answer <= optimum + kClose;
  }
  EXPECT_GT(reached, rounds * 8 / 10);  // small tables are mostly solved to the end
}

// The bound of every row by looking at all pairs.
double plain_bound(const NcpSpace& space, uint64_t k) {
  const size_t width = space.columns();
  std::vector<uint32_t> rows(space.rows()), codes(space.rows() * width);
  std::iota(rows.begin(), rows.end(), 0);
  space.gather(rows, codes.data());
  double bound = 0;
  for (uint32_t a : rows) {
    std::vector<double> costs;
    for (uint32_t b : rows) {
      double cost = 0;
      for (size_t j = 0; j < width; ++j) {
        const uint32_t x = codes[a * width + j], y = codes[b * width + j];
        cost += space.cost(j, std::min(x, y), std::max(x, y));
      }
      costs.push_back(cost);
    }
    std::sort(costs.begin(), costs.end());
    bound += costs[k - 1];
  }
  return bound;
}

// The cheapest box around a tuple that holds k rows, by trying all boxes that begin and end at values of rows.
double plain_cheapest_box(const NcpSpace& space, const DistinctTuples& tuples, size_t tuple, uint64_t k) {
  const size_t width = space.columns();
  double best = std::numeric_limits<double>::infinity();
  std::vector<uint32_t> lo(width), hi(width);
  auto rows_inside = [&] {
    uint64_t rows = 0;
    for (size_t t = 0; t < tuples.size(); ++t) {
      bool inside = true;
      for (size_t j = 0; j < width; ++j) {
        inside &= lo[j] <= tuples.codes[t * width + j] && tuples.codes[t * width + j] <= hi[j];
      }
      if (inside) rows += tuples.counts[t];
    }
    return rows;
  };
  auto choose = [&](auto&& self, size_t column, double price) -> void {
    if (price >= best) return;
    if (column == width) {
      if (rows_inside() >= k) best = price;
      return;
    }
    const uint32_t own = tuples.codes[tuple * width + column];
    for (lo[column] = 0; lo[column] <= own; ++lo[column]) {
      for (hi[column] = own; hi[column] < space.leaves(column); ++hi[column]) {
        uint32_t first = lo[column], last = hi[column];
        space.widen(column, first, last);
        if (first != lo[column] || last != hi[column]) continue;  // not a whole node
        self(self, column + 1, price + space.cost(column, lo[column], hi[column]));
      }
    }
  };
  choose(choose, 0, 0);
  return best;
}

TEST(CheapestBoxes, AreThoseOfTryingAllBoxesOrBelow) {
  RandomTables random(23);
  Progress progress;
  size_t exact = 0, bounds = 0, tight = 0;
  for (int round = 0; round < 300; ++round) {
    ShoalScene scene(random, random.draw(4, 25), random.draw(2, 5), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    const std::vector<double> unknown(tuples.size(), std::numeric_limits<double>::infinity());
    const uint64_t work = round % 3 == 0 ? random.draw(1, 2000) : 1'000'000'000;
    const CheapestBoxes boxes = cheapest_boxes(*scene.space, tuples, scene.k, unknown, work, 2, progress);
    for (size_t t = 0; t < tuples.size(); ++t) {
      const double plain = plain_cheapest_box(*scene.space, tuples, t, scene.k);
      ASSERT_LE(boxes.price[t], plain + kClose);
      if (boxes.exact) {
        ASSERT_NEAR(boxes.price[t], plain, kClose);
        ++exact;
      } else {
        ++bounds;
        tight += boxes.price[t] > plain / 2;
      }
    }
  }
  EXPECT_GT(exact, 1000u);
  EXPECT_GT(bounds, 500u);
  EXPECT_GT(tight, bounds / 4);
}

TEST(NeighbourPrices, TreeFindsTheSameNeighboursAsAllPairs) {
  RandomTables random(18);
  Progress progress;
  for (int round = 0; round < 150; ++round) {
    ShoalScene scene(random, random.draw(2, 120), random.draw(1, 8), false);
    const double plain = plain_bound(*scene.space, scene.k);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    auto sum = [&](uint64_t work, int threads) {
      const auto prices = neighbour_prices(*scene.space, tuples, {scene.k, work, threads}, progress);
      double ncp = 0;
      for (size_t t = 0; t < tuples.size(); ++t) ncp += double(tuples.counts[t]) * prices[t];
      return ncp;
    };
    ASSERT_NEAR(sum(1'000'000'000, 2), plain, 1e-7);
    ASSERT_LE(sum(200, 1), plain + 1e-7);
  }
}

TEST(NeighbourPrices, WhatIsKnownChangesNothingAboveIt) {
  RandomTables random(19);
  Progress progress;
  size_t above = 0, below = 0;
  for (int round = 0; round < 150; ++round) {
    ShoalScene scene(random, random.draw(2, 120), random.draw(1, 8), false);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    for (const uint64_t work : {uint64_t{300}, uint64_t{1'000'000}}) {
      const std::vector<double> plain = neighbour_prices(*scene.space, tuples, {scene.k, work, 1}, progress);
      std::vector<double> known;
      for (double price : plain) known.push_back(price * double(random.draw(0, 4)) / 2);
      const std::vector<double> found = neighbour_prices(*scene.space, tuples, {scene.k, work, 2, known}, progress);
      for (size_t t = 0; t < plain.size(); ++t) {
        ASSERT_EQ(std::max(known[t], found[t]), std::max(known[t], plain[t]));
        ++(plain[t] > known[t] ? above : below);
      }
    }
  }
  EXPECT_GT(above, 500u);
  EXPECT_GT(below, 500u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
