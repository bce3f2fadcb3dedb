// Digits, lines and the best way to cut a line, against plain versions.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "shoal/method/shoal/keyed_rows.h"
#include "shoal/method/shoal/shoal_order.h"
#include "testing/shoal_scene.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::is_partition;
using testing::RandomTables;
using testing::ShoalScene;

constexpr double kClose = 1e-9;

// Least cost of cutting the line into runs of k or more rows, of any length, by trying every last run.
double plain_best_cut(const NcpSpace& space, const std::vector<uint32_t>& line, uint64_t k) {
  std::vector<double> best(line.size() + 1, std::numeric_limits<double>::infinity());
  best[0] = 0;
  for (size_t end = k; end <= line.size(); ++end) {
    for (size_t begin = 0; begin + k <= end; ++begin) {
      RowGroups run;
      run.rows.assign(line.begin() + static_cast<ptrdiff_t>(begin), line.begin() + static_cast<ptrdiff_t>(end));
      run.starts.push_back(static_cast<uint32_t>(end - begin));
      best[end] = std::min(best[end], best[begin] + partition_cost(space, run));
    }
  }
  return best.back();
}

TEST(LineCutter, FindsTheBestCut) {
  RandomTables random(14);
  for (int round = 0; round < 300; ++round) {
    ShoalScene scene(random, random.draw(1, 25), random.draw(1, 5), round % 2 == 0);
    const NcpSpace& space = *scene.space;
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
    ASSERT_NEAR(partition_cost(space, groups), cost, kClose);
  }
}

// From k = 20 on lines are cut at some places only: the runs are long enough and cost what they are said to cost.
TEST(LineCutter, CoarseCutsKeepKRows) {
  RandomTables random(19);
  for (int round = 0; round < 60; ++round) {
    ShoalScene scene(random, random.draw(20, 400), random.draw(20, 45), round % 2 == 0);
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
    ASSERT_NEAR(partition_cost(*scene.space, groups), cost, kClose);
    ASSERT_GE(cost, plain_best_cut(*scene.space, scene.groups.rows, scene.k) - kClose);
  }
}

// Read one after the other, a column's digits put its leaves in their own order.
TEST(LeafDigits, TellLeavesApartInTheirOrder) {
  RandomTables random(20);
  for (int round = 0; round < 300; ++round) {
    ShoalScene scene(random, random.draw(20, 60), 2, false);
    for (size_t j = 0; j < scene.space->columns(); ++j) {
      std::vector<uint32_t> before;
      for (uint32_t leaf = 0; leaf < scene.space->leaves(j); ++leaf) {
        std::vector<uint32_t> digits;
        for (const LeafDigit& digit : scene.space->digits(j)) {
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

bool is_line(const NcpSpace& space, const LineOrder& order) {
  std::vector<uint32_t> next(space.columns(), 0);
  for (const LineDigit& place : order) {
    if (place.digit != next[place.column]++) return false;
  }
  for (size_t j = 0; j < next.size(); ++j) {
    if (next[j] != space.digits(j).size()) return false;
  }
  return true;
}

TEST(LineOrder, HasEveryDigitOnceAndInItsColumnsOrder) {
  RandomTables random(21);
  for (int round = 0; round < 100; ++round) {
    ShoalScene scene(random, random.draw(20, 60), 2, false);
    SeededRandom draws(random.draw(0, 1000));
    ASSERT_TRUE(is_line(*scene.space, worthiest_line(*scene.space)));
    LineOrder order = random_line(*scene.space, draws);
    for (int step = 0; step < 20 && !order.empty(); ++step) {
      ASSERT_TRUE(is_line(*scene.space, order));
      order = varied_line(order, draws);
    }
  }
}

// Points that agree on the first digits stand together, however far one looks.
TEST(Walk, KeepsPointsTogetherThatShareTheFirstDigits) {
  RandomTables random(15);
  for (int round = 0; round < 20; ++round) {
    ShoalScene scene(random, random.draw(20, 30), 2, false);
    const NcpSpace& space = *scene.space;
    SeededRandom draws(random.draw(0, 1000));
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

TEST(Walk, KeysOfManyPointsAreThoseOfEach) {
  RandomTables random(23);
  for (int round = 0; round < 100; ++round) {
    ShoalScene scene(random, random.draw(1, 60), random.draw(1, 4), false);
    const NcpSpace& space = *scene.space;
    SeededRandom draws(round);
    const Walk walk(space, random_line(space, draws));
    std::vector<uint32_t> rows(space.rows()), codes(rows.size() * space.columns());
    std::iota(rows.begin(), rows.end(), 0u);
    space.gather(rows, codes.data());
    std::vector<uint64_t> keys(rows.size());
    walk.keys(codes.data(), space.columns(), keys);
    for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(keys[i], walk.key(codes.data() + i * space.columns()));
  }
}

TEST(KeyedRows, AreSortedAsByComparing) {
  SeededRandom random(24);
  KeyedRows spare;
  for (int round = 0; round < 300; ++round) {
    KeyedRows rows;
    const uint64_t size = random.below(600);
    const int unused_bits = static_cast<int>(random.below(64));
    for (uint32_t i = 0; i < size; ++i)
      rows.emplace_back(random() >> unused_bits, round % 3 == 0 ? random.below(99) : 7 * i);
    KeyedRows expected = rows;
    std::sort(expected.begin(), expected.end());
    sort_keyed(rows, spare);
    ASSERT_EQ(rows, expected) << "round " << round;
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
