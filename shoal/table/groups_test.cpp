#include "shoal/table/groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "testing/random_problem.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

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

// Rows enough for several blocks and for the hash table to grow many times, with left-out rows at the borders of
// blocks.
TEST(Groups, AgreesWithAMapOfTuplesOnManyRows) {
  testing::RandomTables random(9);
  struct Case {
    std::vector<size_t> cardinalities;
    size_t most_code;  // codes are drawn up to here: few groups, or nearly as many as rows
    uint32_t rows;
  };
  for (const Case& drawn :
       {Case{{300, 70'000, 1, 9}, 8, 10'007}, Case{{300, 70'000, 1, 9}, UINT32_MAX, 80'003},
        Case{{60'000, 70'000, 300, 60'000, 70'000, 300}, 2, 10'007}, Case{{64, 64, 64}, 63, 40'001}}) {
    const uint32_t rows = drawn.rows;
    std::vector<Codes> columns;
    std::vector<GroupKey> keys;
    for (size_t cardinality : drawn.cardinalities) {
      columns.emplace_back(rows, cardinality);
      const size_t most = std::min(cardinality - 1, drawn.most_code);
      for (size_t row = 0; row < rows; ++row) columns.back().set(row, static_cast<uint32_t>(random.draw(0, most)));
    }
    for (size_t j = 0; j < columns.size(); ++j) keys.push_back({&columns[j], drawn.cardinalities[j]});
    const std::vector<uint32_t> without = {0, 1, 1023, 1024, 2047, 3071, 3072, 3073, rows - 1};

    const Groups groups = group_rows(rows, keys, without);
    std::map<std::vector<uint32_t>, uint32_t> ids;
    std::vector<uint32_t> expected(rows, kNoGroup), sizes;
    for (uint32_t row = 0; row < rows; ++row) {
      if (std::binary_search(without.begin(), without.end(), row)) continue;
      std::vector<uint32_t> tuple;
      for (const Codes& column : columns) tuple.push_back(column[row]);
      const auto [it, fresh] = ids.emplace(std::move(tuple), static_cast<uint32_t>(ids.size()));
      if (fresh) sizes.push_back(0);
      ++sizes[expected[row] = it->second];
    }
    EXPECT_EQ(groups.group_of_row, expected);
    EXPECT_EQ(groups.sizes, sizes);
  }
}

// So many different tuples that some share their 32-bit hash: they must still be told apart.
TEST(Groups, EqualHashesAreNotEqualRows) {
  const uint32_t rows = 400'000;
  const size_t most = size_t{1} << 32, half = size_t{1} << 17;  // a word of the key each
  Codes same(rows, most), low(rows, half), high(rows, half);
  for (uint32_t row = 0; row < rows; ++row) {
    uint32_t mixed = row;  // one to one: no tuple comes twice
    for (int step = 0; step < 3; ++step) mixed = (mixed ^ (mixed >> 15)) * 0x2C1B3C6DU;
    low.set(row, mixed & 0xFFFF);
    high.set(row, mixed >> 16);
  }
  const std::vector<GroupKey> keys = {{&same, most}, {&low, half}, {&high, half}};
  const Groups groups = group_rows(rows, keys);
  EXPECT_EQ(groups.sizes, std::vector<uint32_t>(rows, 1));
  for (uint32_t row = 0; row < rows; ++row) ASSERT_EQ(groups.group_of_row[row], row);
}

TEST(Groups, NoKeysNoRows) {
  EXPECT_EQ(group_rows(3, {}).sizes, std::vector<uint32_t>{3});
  EXPECT_TRUE(group_rows(0, {}).sizes.empty());
  const std::vector<uint32_t> all = {0, 1, 2};
  EXPECT_TRUE(group_rows(3, {}, all).sizes.empty());
}

// Groups by the thousand and few large ones, fingerprints that differ in the lowest or the highest bits only.
TEST(Groups, SortsByGroupAndCountsPairs) {
  testing::RandomTables random(10);
  for (size_t round = 0; round < 60; ++round) {
    const size_t rows = round == 0 ? 0 : random.draw(1, 3000), values = random.draw(1, round % 2 ? 10 : 2000);
    Codes codes(rows, values);
    std::vector<uint64_t> fingerprints;
    std::vector<uint32_t> without;
    for (uint32_t row = 0; row < rows; ++row) {
      codes.set(row, static_cast<uint32_t>(random.draw(0, values - 1)));
      fingerprints.push_back(random.draw(0, 40) << (row % 2 ? 58 : 0));
      if (random.draw(0, 9) == 0) without.push_back(row);
    }
    const std::vector<GroupKey> keys = {{&codes, values}};
    const Groups groups = group_rows(rows, keys, without);
    std::set<std::pair<uint32_t, uint64_t>> pairs;
    std::vector<std::vector<uint64_t>> lists(groups.sizes.size());
    for (size_t row = 0; row < rows; ++row) {
      if (groups.group_of_row[row] == kNoGroup) continue;
      pairs.insert({groups.group_of_row[row], fingerprints[row]});
      lists[groups.group_of_row[row]].push_back(fingerprints[row]);
    }
    std::vector<uint64_t> sorted;
    for (const auto& list : lists) sorted.insert(sorted.end(), list.begin(), list.end());
    EXPECT_EQ(sorted_by_group<uint64_t>(groups, fingerprints), sorted);
    EXPECT_EQ(count_pairs(groups, fingerprints), pairs.size());
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

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
