// A window of groups and the steps that improve it, against prices computed from scratch.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "shoal/method/shoal/shoal_refine.h"
#include "testing/shoal_scene.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::is_partition;
using testing::RandomTables;
using testing::ShoalScene;
using testing::stored;

constexpr double kClose = 1e-9;

TEST(ShoalWindow, IncrementalCostsEqualRecomputation) {
  RandomTables random(11);
  for (int round = 0; round < 300; ++round) {
    ShoalScene scene(random, random.draw(4, 40), random.draw(1, 4), round % 2 == 0);
    ShoalWindow window(*scene.space, scene.k);
    window.load(scene.groups, scene.all_groups());
    ASSERT_NEAR(window.total_cost(), partition_cost(*scene.space, scene.groups), kClose);
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
      ASSERT_NEAR(window.total_cost(), partition_cost(*scene.space, stored(window)), kClose);
    }
    ASSERT_TRUE(is_partition(stored(window), window.rows(), 1));
  }
}

void expect_same_groups(const ShoalWindow& window, const ShoalWindow& other) {
  ASSERT_EQ(window.groups(), other.groups());
  for (uint32_t group = 0; group < window.groups(); ++group) {
    ASSERT_EQ(window.members(group), other.members(group));
    ASSERT_EQ(window.price(group), other.price(group));
    ASSERT_EQ(window.cost(group), other.cost(group));
    for (size_t j = 0; j < window.space().columns() && window.size(group) > 0; ++j) {
      ASSERT_EQ(window.lo(group, j), other.lo(group, j));
      ASSERT_EQ(window.hi(group, j), other.hi(group, j));
    }
    for (uint32_t row : window.members(group)) {
      ASSERT_EQ(window.holds_border(group, row), other.holds_border(group, row));
    }
  }
}

TEST(ShoalWindow, ManyMovesAtOnceAreAsOneByOne) {
  RandomTables random(14);
  for (int round = 0; round < 300; ++round) {
    ShoalScene scene(random, random.draw(4, 60), random.draw(1, 4), round % 2 == 0);
    ShoalWindow together(*scene.space, scene.k), one_by_one(*scene.space, scene.k);
    together.load(scene.groups, scene.all_groups());
    one_by_one.load(scene.groups, scene.all_groups());
    for (int step = 0; step < 5; ++step) {
      std::vector<std::pair<uint32_t, uint32_t>> moves;
      for (size_t i = random.draw(0, 20); i > 0; --i) {
        moves.emplace_back(random.draw(0, together.rows() - 1), random.draw(0, together.groups() - 1));
      }
      together.move(moves);
      for (const auto& [row, group] : moves) one_by_one.move(row, group);
      expect_same_groups(together, one_by_one);
      std::set<uint32_t> drawn;
      for (size_t i = random.draw(1, 10); i > 0; --i)
        drawn.insert(static_cast<uint32_t>(random.draw(0, together.rows() - 1)));
      const std::vector<uint32_t> rows(drawn.begin(), drawn.end());
      together.remove(rows);
      for (uint32_t row : rows) one_by_one.remove(row);
      expect_same_groups(together, one_by_one);
      for (uint32_t row : rows) {
        together.add(0, row);
        one_by_one.add(0, row);
      }
    }
  }
}

TEST(ShoalWindow, CheapestPlaceIsTheCheapest) {
  RandomTables random(12);
  for (int round = 0; round < 300; ++round) {
    ShoalScene scene(random, random.draw(4, 40), random.draw(1, 4), round % 2 == 0);
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

TEST(ShoalWindow, BorderHoldersAreThoseWithoutWhomTheBoxIsSmaller) {
  RandomTables random(13);
  for (int round = 0; round < 200; ++round) {
    ShoalScene scene(random, random.draw(4, 30), 2, false);
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

TEST(JoinFloors, AreNeverAboveThePriceAndSeldomFarBelow) {
  RandomTables random(22);
  for (int round = 0; round < 200; ++round) {
    ShoalScene scene(random, random.draw(10, 80), random.draw(1, 4), false);
    const NcpSpace& space = *scene.space;
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
TEST(ShoalRefiner, NeverMakesAPartitionDearer) {
  RandomTables random(16);
  RefineCounts counts;
  for (int round = 0; round < 400; ++round) {
    ShoalScene scene(random, random.draw(4, 60), random.draw(2, 6), round % 2 == 0);
    ShoalWindow window(*scene.space, scene.k);
    ShoalRefiner refiner(window);
    window.load(scene.groups, scene.all_groups());
    SeededRandom draws(random.draw(0, 1000));
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
      const double now = partition_cost(*scene.space, stored(window));
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

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
