// kactus with inside=shoal on random tables: a refinement of kactus' own groups, each of k rows, released tightly.
#include "shoal/method/trees/kactus_inside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "shoal/measure/cell_loss.h"
#include "testing/random_problem.h"
#include "testing/run_method.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTables;

SearchResult run(const testing::RandomTable& drawn, uint64_t k, const std::string& inside, int threads = 1) {
  Problem problem = drawn.problem({{{0, 1, 2}, k}});
  problem.params["inside"] = inside;
  problem.threads = threads;
  return testing::run_method("kactus", problem);
}

double loss_of(const GroupRecoding& groups, const std::vector<Hierarchy>& hierarchies) {
  const auto losses = group_losses(groups, hierarchies);
  double sum = 0;
  for (uint32_t group : groups.group_of_row) sum += losses[group];
  return sum;
}

TEST(KactusInside, SplitsTheTreesGroupsAndLosesLess) {
  RandomTables random(31);
  size_t split = 0;
  for (int round = 0; round < 1000; ++round) {
    const auto drawn = random.table({.rows = random.draw(6, 60), .columns = 3, .max_values = 6});
    const uint64_t k = random.draw(1, 4);
    const SearchResult plain = run(drawn, k, "none"), inside = run(drawn, k, "shoal");
    ASSERT_TRUE(plain.recoding() && inside.recoding());
    EXPECT_TRUE(inside.recoding()->dropped_rows.empty());
    const GroupRecoding &whole = plain.recoding()->by_group(), &parts = inside.recoding()->by_group();
    std::map<uint32_t, uint32_t> group_of_part;
    std::map<uint32_t, size_t> sizes;
    for (size_t row = 0; row < drawn.table.rows; ++row) {
      const uint32_t part = parts.group_of_row[row];
      ++sizes[part];
      // Groups of kactus that are released alike count as one there.
      ASSERT_EQ(group_of_part.emplace(part, whole.group_of_row[row]).first->second, whole.group_of_row[row]) << round;
      for (size_t i = 0; i < 3; ++i) {
        const Released& cell = parts.group_releases[part * 3 + i];
        const uint32_t leaf = drawn.table.quasi[i].codes[row];
        ASSERT_TRUE(cell.first <= leaf && leaf <= cell.last);
      }
    }
    for (const auto& [part, rows] : sizes) ASSERT_GE(rows, k) << round;
    split += sizes.size() > whole.groups();
    EXPECT_LE(loss_of(parts, drawn.hierarchies), loss_of(whole, drawn.hierarchies) + 1e-9) << round;
  }
  EXPECT_GT(split, 300U);
}

TEST(KactusInside, SameWhateverTheThreads) {
  RandomTables random(33);
  for (int round = 0; round < 50; ++round) {
    const auto drawn = random.table({.rows = 120, .columns = 3, .max_values = 8});
    const SearchResult one = run(drawn, 3, "shoal", 1);
    for (int threads : {2, 8}) {
      const SearchResult many = run(drawn, 3, "shoal", threads);
      ASSERT_EQ(one.recoding()->by_group().group_of_row, many.recoding()->by_group().group_of_row);
      ASSERT_EQ(one.recoding()->by_group().group_releases, many.recoding()->by_group().group_releases);
    }
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
