// The tries that kaca's index asks: they hold the groups that were put in and not taken out, in order, and what an
// entry says of the groups below is true of each of them.
#include <gtest/gtest.h>

#include <set>

#include "shoal/method/kaca/kaca_trie.h"
#include "testing/flat_numbers.h"
#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

using testing::RandomTable;
using testing::RandomTables;

struct Look {
  const KacaGroups& groups;
  const KacaLevels& levels;
  const KacaTrie& trie;

  void expect_true(const KacaEntry& entry, size_t level, uint32_t group) const {
    ASSERT_LE(entry.first_group, group);
    ASSERT_LE(entry.least_kept, groups.plain_kept(group));
    ASSERT_GE(entry.greatest_kept, groups.plain_kept(group));
    const uint64_t marks = levels.marks(group, level + 1);
    ASSERT_EQ(entry.marks & marks, marks);
  }

  // The groups below; level: of the entry.
  std::set<uint32_t> walk(const KacaEntry& entry, size_t level) {
    if (entry.is_group()) {
      EXPECT_EQ(entry.cell, levels.ids(entry.below)[level]);
      EXPECT_EQ(entry.least_kept, entry.greatest_kept);
      expect_true(entry, level, entry.below);
      return {entry.below};
    }
    std::set<uint32_t> all;
    const auto node = trie.below(entry);
    const size_t next = level + 1;  // the root stands above level 0
    for (size_t i = 0; i < node.size(); ++i) {
      EXPECT_TRUE(i == 0 || levels[next].before(node[i - 1].cell, node[i].cell));
      EXPECT_EQ(trie.find(node, next, node[i].cell), i);
      for (uint32_t group : walk(node[i], next)) {
        EXPECT_EQ(levels.ids(group)[next], node[i].cell);
        expect_true(entry, level, group);
        all.insert(group);
      }
    }
    EXPECT_TRUE(level == SIZE_MAX || all.size() > 1) << "a single group stands in the entry above";
    return all;
  }
};

std::set<uint32_t> contents(const KacaGroups& groups, const KacaLevels& levels, const KacaTrie& trie) {
  if (trie.empty()) return {};
  return Look{groups, levels, trie}.walk(trie.root(), SIZE_MAX);
}

TEST(KacaTrie, HoldsWhatWasPutInAndNotTakenOut) {
  RandomTables random(47);
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    RandomTable table = random.table({random.draw(1, 120), random.draw(1, 5), random.draw(2, 40), true, true, 0});
    testing::flatten_numbers(random, table);
    std::vector<size_t> columns(table.hierarchies.size());
    for (size_t j = 0; j < columns.size(); ++j) columns[j] = j;
    const Problem problem = table.problem({{columns, 2}});
    const KacaSpace space(problem, columns, 0, 2);
    const KacaGroups groups(space, problem);
    const Progress progress;
    const KacaLevels levels(groups, progress);
    KacaTrie built(groups, levels), grown(groups, levels);
    built.build(levels.sorted_distinct(progress), progress);
    std::set<uint32_t> all;
    for (uint32_t group = 0; group < groups.size(); ++group) all.insert(group);
    ASSERT_EQ(contents(groups, levels, built), all);
    // In and out in any order; the built one only loses.
    std::set<uint32_t> left = all, held;
    for (int step = 0; step < 200; ++step) {
      const auto group = static_cast<uint32_t>(random.draw(0, groups.size() - 1));
      if (left.erase(group) > 0) built.erase(group);
      if (held.erase(group) > 0) {
        grown.erase(group);
      } else {
        held.insert(group);
        grown.insert(group);
      }
      if (step % 20 != 0) continue;
      ASSERT_EQ(contents(groups, levels, built), left);
      ASSERT_EQ(contents(groups, levels, grown), held);
      if (HasFailure()) return;
    }
    for (uint32_t group : held) grown.erase(group);
    ASSERT_TRUE(grown.empty());
  }
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
