#include "shoal/table/groups.h"

#include <gtest/gtest.h>

#include <map>

#include "testing/random_problem.h"

namespace shoal {
namespace {

TEST(Groups, AgreesWithAMapOfTuples) {
  testing::RandomTables random(7);
  for (int round = 0; round < 300; ++round) {
    const auto drawn = random.table({.rows = random.draw(1, 60), .columns = random.draw(1, 6)});
    std::vector<GroupKey> keys;
    for (size_t j = 0; j < drawn.table.quasi.size(); ++j) {
      // A cardinality far above the truth must not matter, also when the packed key overflows 64 bits.
      keys.push_back({&drawn.table.quasi[j].codes, round % 2 ? drawn.hierarchies[j].leaves() : size_t{1} << 20});
    }
    std::vector<uint32_t> without;
    for (uint32_t row = 0; row < drawn.table.rows; ++row) {
      if (round % 3 == 0 && random.draw(0, 4) == 0) without.push_back(row);
    }
    const Groups groups = group_rows(drawn.table.rows, keys, without);
    std::map<std::vector<uint32_t>, uint32_t> ids;
    std::vector<uint32_t> sizes;
    for (uint32_t row = 0; row < drawn.table.rows; ++row) {
      if (std::binary_search(without.begin(), without.end(), row)) {
        EXPECT_EQ(groups.group_of_row[row], kNoGroup);
        continue;
      }
      std::vector<uint32_t> tuple;
      for (const GroupKey& key : keys) tuple.push_back((*key.codes)[row]);
      const auto [it, fresh] = ids.emplace(tuple, static_cast<uint32_t>(ids.size()));
      if (fresh) sizes.push_back(0);
      ++sizes[it->second];
      EXPECT_EQ(groups.group_of_row[row], it->second);
    }
    EXPECT_EQ(groups.sizes, sizes);
  }
}

TEST(Groups, DistinctTuplesKeepValuesAndCounts) {
  testing::RandomTables random(8);
  for (int round = 0; round < 100; ++round) {
    const auto drawn = random.table({.rows = random.draw(1, 60), .columns = 3});
    std::vector<GroupKey> keys;
    for (size_t j = 0; j < 3; ++j) keys.push_back({&drawn.table.quasi[j].codes, drawn.hierarchies[j].leaves()});
    const Tuples tuples = distinct_tuples(drawn.table.rows, keys);
    std::vector<uint32_t> counts(tuples.size(), 0);
    for (size_t row = 0; row < drawn.table.rows; ++row) {
      const uint32_t tuple = tuples.tuple_of_row[row];
      ++counts[tuple];
      for (size_t j = 0; j < 3; ++j) EXPECT_EQ(tuples.columns[j][tuple], drawn.table.quasi[j].codes[row]);
    }
    EXPECT_EQ(tuples.counts, counts);
  }
}

}  // namespace
}  // namespace shoal
