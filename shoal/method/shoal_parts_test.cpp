// The parts of method `shoal` against plain versions: prices, cuts, moves, bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "shoal/method/shoal_bound.h"
#include "shoal/method/shoal_neighbours.h"
#include "shoal/method/shoal_search.h"
#include "testing/random_problem.h"

namespace shoal {
namespace {

using testing::RandomTable;
using testing::RandomTables;

constexpr double kClose = 1e-9;

// A random table with random weights, a space over all its columns, and a random partition into groups of >= k rows.
struct Scene {
  Scene(RandomTables& random, size_t rows, uint64_t k_asked, bool classes)
      : table(random.table({rows, random.draw(1, 4), 9, true, true, 3})), k(std::min<uint64_t>(k_asked, rows)) {
    problem_weights.resize(table.hierarchies.size());
    for (double& weight : problem_weights) weight = double(random.draw(0, 4)) / 2;
    columns.resize(table.hierarchies.size());
    std::iota(columns.begin(), columns.end(), 0);
    Problem problem = table.problem({{columns, k}});
    problem.weights = problem_weights;
    space = std::make_unique<ShoalSpace>(problem, columns, classes ? 1.5 : 0.0);
    groups.rows.resize(rows);
    std::iota(groups.rows.begin(), groups.rows.end(), 0);
    std::shuffle(groups.rows.begin(), groups.rows.end(), random.engine());
    for (size_t begin = 0; begin < rows;) {
      size_t size = random.draw(k, 2 * k + 1);
      if (begin + size + k > rows) size = rows - begin;
      begin += size;
      groups.starts.push_back(static_cast<uint32_t>(begin));
    }
  }
  std::vector<uint32_t> all_groups() const {
    std::vector<uint32_t> all(groups.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  RandomTable table;
  uint64_t k;
  std::vector<double> problem_weights;
  std::vector<size_t> columns;
  std::unique_ptr<ShoalSpace> space;
  RowGroups groups;
};

RowGroups stored(const ShoalWindow& window) {
  RowGroups groups;
  window.store(groups);
  return groups;
}

bool is_partition(const RowGroups& groups, size_t rows, uint64_t k) {
  std::vector<uint32_t> sorted = groups.rows;
  std::sort(sorted.begin(), sorted.end());
  for (uint32_t row = 0; row < sorted.size(); ++row) {
    if (sorted[row] != row) return false;
  }
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups.rows_in(g) < k) return false;
  }
  return sorted.size() == rows && groups.starts.back() == rows;
}

TEST(ShoalWindow, incremental_costs_equal_recomputation) {
  RandomTables random(11);
  for (int round = 0; round < 300; ++round) {
    Scene scene(random, random.draw(4, 40), random.draw(1, 4), round % 2 == 0);
    ShoalWindow window(*scene.space, scene.k);
    window.load(scene.groups, scene.all_groups());
    ASSERT_NEAR(window.total_cost(), shoal_cost(*scene.space, scene.groups), kClose);
    for (int step = 0; step < 30; ++step) {
      const auto row = static_cast<uint32_t>(random.draw(0, window.rows() - 1));
      const uint32_t from = window.group_of(row);
      uint32_t to = static_cast<uint32_t>(random.draw(0, window.groups() - 1));
      if (random.draw(0, 9) == 0) to = window.empty_group();
      if (to == from) continue;
      const double before = window.total_cost(), saved = window.saved_by_removing(from, row);
      const double added = window.size(to) == 0 ? 0 : window.cost_to_add(to, row);
      window.move(row, to);
      ASSERT_NEAR(window.total_cost(), before - saved + added, kClose);
      ASSERT_NEAR(window.total_cost(), shoal_cost(*scene.space, stored(window)), kClose);
    }
    ASSERT_TRUE(is_partition(stored(window), window.rows(), 1));
  }
}

TEST(ShoalWindow, cheapest_place_is_the_cheapest) {
  RandomTables random(12);
  for (int round = 0; round < 300; ++round) {
    Scene scene(random, random.draw(4, 40), random.draw(1, 4), round % 2 == 0);
    ShoalWindow window(*scene.space, scene.k);
    window.load(scene.groups, scene.all_groups());
    for (uint32_t row = 0; row < window.rows(); ++row) {
      double best = std::numeric_limits<double>::infinity();
      for (uint32_t group = 0; group < window.groups(); ++group) {
        if (group != window.group_of(row)) best = std::min(best, window.cost_to_add(group, row));
      }
      const auto place = window.cheapest_place(row, window.group_of(row), ShoalWindow::kUnlimited);
      if (window.groups() == 1) {
        ASSERT_EQ(place.group, ShoalWindow::kNone);
        continue;
      }
      ASSERT_NEAR(place.cost, best, kClose);
      ASSERT_NEAR(window.cost_to_add(place.group, row), best, kClose);
      ASSERT_EQ(window.cheapest_place(row, window.group_of(row), best).group, ShoalWindow::kNone);
    }
  }
}

TEST(ShoalWindow, border_holders_are_those_without_whom_the_box_is_smaller) {
  RandomTables random(13);
  for (int round = 0; round < 200; ++round) {
    Scene scene(random, random.draw(4, 30), 2, false);
    ShoalWindow window(*scene.space, scene.k);
    window.load(scene.groups, scene.all_groups());
    for (uint32_t row = 0; row < window.rows(); ++row) {
      const uint32_t group = window.group_of(row);
      bool smaller = false;
      for (size_t j = 0; j < scene.columns.size(); ++j) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (uint32_t member : window.members(group)) {
          if (member == row) continue;
          lo = std::min(lo, window.row(member)[j]);
          hi = std::max(hi, window.row(member)[j]);
        }
        smaller |= lo != window.lo(group, j) || hi != window.hi(group, j);
      }
      ASSERT_EQ(window.holds_border(group, row), smaller);
    }
  }
}

// Least cost of cutting the line into runs of k or more rows, of any length, by trying every last run.
double plain_best_cut(const ShoalSpace& space, const std::vector<uint32_t>& line, uint64_t k) {
  std::vector<double> best(line.size() + 1, std::numeric_limits<double>::infinity());
  best[0] = 0;
  for (size_t end = k; end <= line.size(); ++end) {
    for (size_t begin = 0; begin + k <= end; ++begin) {
      RowGroups run;
      run.rows.assign(line.begin() + static_cast<ptrdiff_t>(begin), line.begin() + static_cast<ptrdiff_t>(end));
      run.starts.push_back(static_cast<uint32_t>(end - begin));
      best[end] = std::min(best[end], best[begin] + shoal_cost(space, run));
    }
  }
  return best.back();
}

TEST(LineCutter, finds_the_best_cut) {
  RandomTables random(14);
  for (int round = 0; round < 300; ++round) {
    Scene scene(random, random.draw(1, 25), random.draw(1, 5), round % 2 == 0);
    const ShoalSpace& space = *scene.space;
    const auto& line = scene.groups.rows;
    std::vector<uint32_t> codes(line.size() * space.columns()), classes(line.size()), rows(line.size());
    std::iota(rows.begin(), rows.end(), 0);
    space.gather(rows, codes.data());
    if (space.mixing() > 0) space.gather_classes(rows, classes.data());
    LineCutter cutter(space);
    const double cost = cutter.cut(codes.data(), classes.data(), line, scene.k);
    ASSERT_NEAR(cost, plain_best_cut(space, line, scene.k), kClose);
    RowGroups groups{line, {0}};
    groups.starts.insert(groups.starts.end(), cutter.ends().begin(), cutter.ends().end());
    ASSERT_TRUE(is_partition(groups, line.size(), scene.k));
    ASSERT_NEAR(shoal_cost(space, groups), cost, kClose);
  }
}

// From k = 20 on lines are cut at some places only: the runs are long enough and cost what they are said to cost.
TEST(LineCutter, coarse_cuts_keep_k_rows) {
  RandomTables random(19);
  for (int round = 0; round < 60; ++round) {
    Scene scene(random, random.draw(20, 400), random.draw(20, 45), round % 2 == 0);
    std::vector<uint32_t> codes(scene.groups.rows.size() * scene.space->columns()), classes(scene.groups.rows.size());
    std::vector<uint32_t> rows(classes.size());
    std::iota(rows.begin(), rows.end(), 0);
    scene.space->gather(rows, codes.data());
    if (scene.space->mixing() > 0) scene.space->gather_classes(rows, classes.data());
    LineCutter cutter(*scene.space);
    const double cost = cutter.cut(codes.data(), classes.data(), scene.groups.rows, scene.k);
    RowGroups groups{scene.groups.rows, {0}};
    groups.starts.insert(groups.starts.end(), cutter.ends().begin(), cutter.ends().end());
    ASSERT_TRUE(is_partition(groups, rows.size(), scene.k));
    ASSERT_NEAR(shoal_cost(*scene.space, groups), cost, kClose);
    ASSERT_GE(cost, plain_best_cut(*scene.space, scene.groups.rows, scene.k) - kClose);
  }
}

// Read one after the other, a column's digits put its leaves in their own order.
TEST(ShoalDigits, tell_leaves_apart_in_their_order) {
  RandomTables random(20);
  for (int round = 0; round < 300; ++round) {
    Scene scene(random, random.draw(20, 60), 2, false);
    for (size_t j = 0; j < scene.space->columns(); ++j) {
      std::vector<uint32_t> before;
      for (uint32_t leaf = 0; leaf < scene.space->leaves(j); ++leaf) {
        std::vector<uint32_t> digits;
        for (const ShoalDigit& digit : scene.space->digits(j)) {
          ASSERT_LT(digit.of_leaf[leaf], digit.radix);
          ASSERT_GT(digit.radix, 1u);
          digits.push_back(digit.of_leaf[leaf]);
        }
        if (leaf > 0) {
          ASSERT_LT(before, digits);
        }
        before = std::move(digits);
      }
    }
  }
}

bool is_line(const ShoalSpace& space, const LineOrder& order) {
  std::vector<uint32_t> next(space.columns(), 0);
  for (const LineDigit& place : order) {
    if (place.digit != next[place.column]++) return false;
  }
  for (size_t j = 0; j < next.size(); ++j) {
    if (next[j] != space.digits(j).size()) return false;
  }
  return true;
}

TEST(LineOrder, has_every_digit_once_and_in_its_columns_order) {
  RandomTables random(21);
  for (int round = 0; round < 100; ++round) {
    Scene scene(random, random.draw(20, 60), 2, false);
    ShoalRandom draws(random.draw(0, 1000));
    ASSERT_TRUE(is_line(*scene.space, worthiest_line(*scene.space)));
    LineOrder order = random_line(*scene.space, draws);
    for (int step = 0; step < 20 && !order.empty(); ++step) {
      ASSERT_TRUE(is_line(*scene.space, order));
      order = varied_line(order, draws);
    }
  }
}

// Points that agree on the first digits stand together, however far one looks.
TEST(Walk, keeps_points_together_that_share_the_first_digits) {
  RandomTables random(15);
  for (int round = 0; round < 20; ++round) {
    Scene scene(random, random.draw(20, 30), 2, false);
    const ShoalSpace& space = *scene.space;
    ShoalRandom draws(random.draw(0, 1000));
    const LineOrder order = random_line(space, draws);
    const Walk walk(space, order);
    std::vector<std::pair<uint64_t, std::vector<uint32_t>>> points;  // every point of the space
    std::vector<uint32_t> point(space.columns(), 0);
    for (size_t j = 0; j < point.size();) {
      points.emplace_back(walk.key(point.data()), point);
      for (j = 0; j < point.size() && ++point[j] == space.leaves(j); ++j) point[j] = 0;
    }
    std::sort(points.begin(), points.end());
    for (size_t length = 1; length <= order.size(); ++length) {
      std::set<std::vector<uint32_t>> seen;
      std::vector<uint32_t> before;
      for (const auto& [key, codes] : points) {
        std::vector<uint32_t> digits;
        for (size_t i = 0; i < length; ++i) {
          digits.push_back(space.digits(order[i].column)[order[i].digit].of_leaf[codes[order[i].column]]);
        }
        if (digits != before) {
          ASSERT_TRUE(seen.insert(digits).second);
        }
        before = std::move(digits);
      }
    }
  }
}

TEST(JoinFloors, are_never_above_the_price_and_seldom_far_below) {
  RandomTables random(22);
  for (int round = 0; round < 200; ++round) {
    Scene scene(random, random.draw(10, 80), random.draw(1, 4), false);
    const ShoalSpace& space = *scene.space;
    std::vector<uint32_t> rows(scene.groups.rows.size()), codes(rows.size() * space.columns());
    std::iota(rows.begin(), rows.end(), 0);
    space.gather(rows, codes.data());
    JoinFloors floors(space);
    floors.load(codes.data(), rows.size());
    for (uint32_t g = 0; g < scene.groups.size(); ++g) {
      floors.set_groups(g + 1);  // one by one: the table grows on the way
      double price = 0;
      for (size_t j = 0; j < space.columns(); ++j) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (uint32_t row : scene.groups.group(g)) {
          lo = std::min(lo, codes[row * space.columns() + j]);
          hi = std::max(hi, codes[row * space.columns() + j]);
        }
        floors.set_box(g, j, lo, hi);
        price += space.cost(j, lo, hi);
      }
      floors.set_group(g, scene.groups.rows_in(g), price);
    }
    ShoalWindow window(space, scene.k);
    window.load(scene.groups, scene.all_groups());
    // The window numbers its rows group by group.
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const auto found = floors.of_row(scene.groups.rows[i]);
      for (uint32_t g = 0; g < scene.groups.size(); ++g) {
        const double exact = window.cost_to_add(g, i);
        ASSERT_LE(found[g], exact);
        ASSERT_NEAR(found[g], exact, 1e-4 * (1 + exact));  // few values: every one has a slot of its own
      }
    }
  }
}

// Every single step, and all of them together: cheaper or the same, groups >= k, no row lost.
TEST(ShoalRefiner, never_makes_a_partition_dearer) {
  RandomTables random(16);
  RefineCounts counts;
  for (int round = 0; round < 400; ++round) {
    Scene scene(random, random.draw(4, 60), random.draw(2, 6), round % 2 == 0);
    ShoalWindow window(*scene.space, scene.k);
    ShoalRefiner refiner(window);
    window.load(scene.groups, scene.all_groups());
    ShoalRandom draws(random.draw(0, 1000));
    double cost = window.total_cost();
    for (int step = 0; step < 8; ++step) {
      const LineOrder order = random_line(*scene.space, draws);
      bool better = false;
      if (step == 0) better = refiner.recut(2, order);
      if (step == 1) better = refiner.move_rows(false);
      if (step == 2) better = refiner.move_rows(true);
      if (step == 3) better = refiner.peel_slabs();
      if (step == 4) better = refiner.dissolve_groups();
      if (step == 5) better = refiner.open_boxes_along(order);
      if (step == 6) better = refiner.open_mutated_boxes(10, draws);
      if (step == 7) refiner.refine({2, 2, 5, 3, true}, draws);
      const double now = shoal_cost(*scene.space, stored(window));
      ASSERT_NEAR(window.total_cost(), now, kClose);
      ASSERT_TRUE(is_partition(stored(window), window.rows(), scene.k)) << "step " << step;
      ASSERT_LE(now, cost + kClose) << "step " << step;
      if (step < 7) {
        ASSERT_EQ(better, now < cost - 1e-10) << "step " << step;
      }
      cost = now;
    }
    counts += refiner.take_counts();
  }
  // None of the steps is idle.
  EXPECT_GT(counts.moves, 0u);
  EXPECT_GT(counts.chains, 0u);
  EXPECT_GT(counts.slabs, 0u);
  EXPECT_GT(counts.dissolved, 0u);
  EXPECT_GT(counts.recuts, 0u);
  EXPECT_GT(counts.opened, 0u);
}

// Least NCP over all partitions into groups of >= k rows: the group of the first free row is tried in all ways.
double exhaustive_best(const ShoalSpace& space, uint64_t k) {
  const auto rows = static_cast<uint32_t>(space.rows());
  std::vector<double> price(size_t{1} << rows, 0), best(size_t{1} << rows, std::numeric_limits<double>::infinity());
  for (uint32_t set = 1; set < price.size(); ++set) {
    RowGroups group;
    for (uint32_t row = 0; row < rows; ++row) {
      if (set >> row & 1) group.rows.push_back(row);
    }
    group.starts.push_back(static_cast<uint32_t>(group.rows.size()));
    price[set] = group.rows.size() >= k ? shoal_cost(space, group) : std::numeric_limits<double>::infinity();
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

TEST(ShoalBound, is_below_the_optimum_and_the_optimum_below_our_answer) {
  RandomTables random(17);
  Progress progress;
  int reached = 0, rounds = 60;
  for (int round = 0; round < rounds; ++round) {
    Scene scene(random, random.draw(4, 9), random.draw(2, 4), false);
    const double optimum = exhaustive_best(*scene.space, scene.k);
    const double bound = shoal_lower_bound(*scene.space, scene.k, scene.groups, {1'000'000, 2}, progress);
    EXPECT_LE(bound, optimum + kClose);
    const ShoalPlan plan = shoal_plan(1, scene.table.table.rows, scene.columns.size(), scene.k);
    ShoalSearch search(*scene.space, scene.k, plan, 1, 1, progress);
    search.start();
    for (int pass = 0; pass < 10; ++pass) search.pass();
    const double answer = shoal_cost(*scene.space, search.partition());
    EXPECT_LE(optimum, answer + kClose);
    reached += answer <= optimum + kClose;
  }
  EXPECT_GT(reached, rounds * 8 / 10);  // small tables are mostly solved to the end
}

// The bound of every row by looking at all pairs.
double plain_bound(const ShoalSpace& space, uint64_t k) {
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
double plain_cheapest_box(const ShoalSpace& space, const DistinctTuples& tuples, size_t tuple, uint64_t k) {
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

TEST(CheapestBoxes, are_those_of_trying_all_boxes_or_below) {
  RandomTables random(23);
  Progress progress;
  size_t exact = 0, bounds = 0, tight = 0;
  for (int round = 0; round < 300; ++round) {
    Scene scene(random, random.draw(4, 25), random.draw(2, 5), false);
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

TEST(NeighbourPrices, tree_finds_the_same_neighbours_as_all_pairs) {
  RandomTables random(18);
  Progress progress;
  for (int round = 0; round < 150; ++round) {
    Scene scene(random, random.draw(2, 120), random.draw(1, 8), false);
    const double plain = plain_bound(*scene.space, scene.k);
    const DistinctTuples tuples = distinct_tuples_of(*scene.space);
    auto sum = [&](uint64_t work, int threads) {
      const auto prices = neighbour_prices(*scene.space, tuples, scene.k, work, threads, progress);
      double ncp = 0;
      for (size_t t = 0; t < tuples.size(); ++t) ncp += double(tuples.counts[t]) * prices[t];
      return ncp;
    };
    ASSERT_NEAR(sum(1'000'000'000, 2), plain, 1e-7);
    ASSERT_LE(sum(200, 1), plain + 1e-7);
  }
}

}  // namespace
}  // namespace shoal
