#include <gtest/gtest.h>

#include "shoal/method/local/row_boxes.h"
#include "shoal/method/method.h"
#include "testing/plain_groups.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::LocalProblem;
using testing::PlainGroups;
using testing::RandomTables;
using testing::Rows;

// Figure 3 word for word: every group is compared with every other, from the rows.
std::vector<Rows> plain_bottom_up(const LocalProblem& local, Nearness nearness) {
  const NcpSpace space(local.problem, local.columns(), 0);
  const PlainGroups plain(local.problem, space);
  std::vector<Rows> groups;
  for (uint32_t row = 0; row < local.problem.table.rows; ++row) groups.push_back({row});
  for (size_t round = 0;; ++round) {
    std::vector<uint32_t> order;
    for (uint32_t g = 0; g < groups.size(); ++g) {
      if (groups[g].size() < local.k()) order.push_back(g);
    }
    if (order.empty()) return groups;
    SeededRandom random(local.problem.seed * 0x9E3779B97F4A7C15ULL + round);
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::vector<bool> merged(groups.size(), false);
    for (uint32_t group : order) {
      if (merged[group]) continue;
      const size_t other = plain.nearest(groups, group, nearness);
      const auto [into, gone] = std::minmax<size_t>({group, other});
      groups[into] = PlainGroups::together(groups[into], groups[gone]);
      groups[gone].clear();
      merged[into] = merged[gone] = true;
    }
    std::vector<Rows> next;
    for (const Rows& rows : groups) {
      if (rows.empty()) continue;
      const size_t parts = rows.size() < 2 * local.k() ? 1 : rows.size() / local.k();
      for (Rows& part : plain.split(rows, parts)) next.push_back(std::move(part));
    }
    groups = std::move(next);
    std::sort(groups.begin(), groups.end());
  }
}

Recoding run(const Problem& problem) {
  Progress progress;
  return *testing::run_method("bottom-up", problem, progress).recoding();
}

TEST(BottomUp, MakesTheGroupsOfThePlainScan) {
  RandomTables random(31);
  for (int round = 0; round < 2000; ++round) {
    const size_t rows = random.draw(1, 40);
    LocalProblem local(random, random.table({rows, random.draw(1, 4), random.draw(1, 9), true, true, 0}),
                       random.draw(1, (rows + 1) / 2));
    const bool growth = round % 2 == 0;
    local.problem.params = {{"nearest", growth ? "growth" : "union"},
                            {"neighbours", round % 5 == 0 ? "scan" : "index"}};
    local.problem.threads = round % 3 + 1;
    const auto expected = plain_bottom_up(local, growth ? Nearness::least_growth : Nearness::least_union);
    ASSERT_EQ(testing::groups_of(run(local.problem)), expected) << "round " << round;
  }
}

TEST(BottomUp, IndexAndScanAgreeOnLargerTables) {
  RandomTables random(32);
  for (int round = 0; round < 6; ++round) {
    LocalProblem local(random, random.table({1500, 5, 40, true, true, 0}), random.draw(2, 30));
    local.problem.params = {{"nearest", round % 2 ? "growth" : "union"}, {"neighbours", "scan"}};
    const auto by_scan = testing::groups_of(run(local.problem));
    local.problem.params["neighbours"] = "index";
    for (int threads : {1, 2, 8}) {
      local.problem.threads = threads;
      ASSERT_EQ(testing::groups_of(run(local.problem)), by_scan) << "round " << round << ", threads " << threads;
    }
  }
}

TEST(BottomUp, GroupsHaveKTo2kMinus1RowsAlsoWhenTimeIsUp) {
  RandomTables random(33);
  for (int round = 0; round < 400; ++round) {
    const size_t rows = random.draw(1, 300);
    LocalProblem local(random, random.table({rows, 3, 6, true, true, 0}), random.draw(1, rows));
    local.problem.params = {{"nearest", "growth"}, {"neighbours", "index"}};
    Progress progress;
    if (round % 2 == 0) progress.set_deadline(Clock::now() - std::chrono::seconds(1));
    const SearchResult result = testing::run_method("bottom-up", local.problem, progress);
    for (const Rows& group : testing::groups_of(*result.recoding())) {
      ASSERT_GE(group.size(), local.k());
      ASSERT_LE(group.size(), 2 * local.k() - 1);
    }
    if (round % 2 == 0 && local.k() > 1) {
      ASSERT_EQ(result.notices.size(), 1u);
    }
  }
}

std::vector<Rows> split_rows(const RowCodes& codes, Rows rows, size_t parts) {
  std::vector<Rows> result;
  uint32_t from = 0;
  for (uint32_t end : split_evenly(codes, rows, parts)) {
    result.emplace_back(rows.begin() + from, rows.begin() + end);
    std::sort(result.back().begin(), result.back().end());
    from = end;
  }
  return result;
}

// Splitting is what the plain version does; it keeps all rows, makes parts of sizes that differ by one at most, and
// never raises the penalty.
TEST(SplitEvenly, PartsAreThoseOfThePlainSplitEvenAndNoDearer) {
  RandomTables random(34);
  for (int round = 0; round < 500; ++round) {
    const size_t rows = random.draw(1, 60);
    const LocalProblem local(random, random.table({rows, random.draw(1, 4), 8, true, true, 0}), 1);
    const NcpSpace space(local.problem, local.columns(), 0);
    const RowCodes codes(space);
    const PlainGroups plain(local.problem, space);
    Rows all(rows);
    for (uint32_t row = 0; row < rows; ++row) all[row] = row;
    const size_t parts = random.draw(1, rows);
    Rows seen;
    double penalty = 0;
    const std::vector<Rows> split = split_rows(codes, all, parts);
    ASSERT_EQ(split, plain.split(all, parts)) << "round " << round;
    for (const Rows& part : split) {
      ASSERT_GE(part.size(), rows / parts);
      ASSERT_LE(part.size(), (rows + parts - 1) / parts);
      penalty += plain.penalty(part);
      seen = PlainGroups::together(seen, part);
    }
    ASSERT_EQ(seen, all);
    ASSERT_LE(penalty, plain.penalty(all) * (1 + 1e-12));
  }
}

// Too many rows to try every column: along the dearest, which is the one whose whole box costs most.
TEST(SplitEvenly, ManyRowsAreHalvedAlongTheDearestColumn) {
  RandomTables random(35);
  for (int round = 0; round < 3; ++round) {
    const size_t rows = kSplitSorted + 1 + random.draw(0, 50);
    const LocalProblem local(random, random.table({rows, 3, 8, true, true, 0}), 1);
    const NcpSpace space(local.problem, local.columns(), 0);
    const RowCodes codes(space);
    Rows all(rows);
    for (uint32_t row = 0; row < rows; ++row) all[row] = row;
    size_t dearest = 0;
    double most = -1;
    for (size_t place = 0; place < space.columns(); ++place) {
      const double cost = space.cost(place, 0, space.leaves(place) - 1);  // every leaf occurs
      if (cost > most) dearest = space.quasi(place), most = cost;
    }
    auto before = [&](uint32_t a, uint32_t b) {
      const Codes& leaves = local.problem.table.quasi[dearest].codes;
      return std::pair(leaves[a], a) < std::pair(leaves[b], b);
    };
    const std::vector<Rows> split = split_rows(codes, all, 2);
    ASSERT_EQ(split.size(), 2u);
    EXPECT_TRUE(before(*std::max_element(split[0].begin(), split[0].end(), before),
                       *std::min_element(split[1].begin(), split[1].end(), before)));
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
