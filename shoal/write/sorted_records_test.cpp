#include "shoal/write/sorted_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

namespace shoal {
namespace SHOAL_THIS_FILE {

std::vector<std::vector<uint64_t>> all_of(const SpilledRecords& records) {
  std::vector<std::vector<uint64_t>> all;
  records.each([&](const uint64_t* record) { all.emplace_back(record, record + records.words()); });
  return all;
}

TEST(SortedRecords, ComeBackSortedFromMemoryAndFromFiles) {
  Progress progress;
  std::mt19937_64 random(7);
  const std::string folder = ::testing::TempDir();
  for (const size_t words : {1UL, 2UL, 5UL}) {
    for (const size_t count : {0UL, 1UL, 63UL, 64UL, 65UL, 1000UL, 5000UL}) {
      std::vector<std::vector<uint64_t>> expected(count, std::vector<uint64_t>(words));
      SortedRecords sorting(words, folder, 2048, progress);  // 64 records at a time
      for (auto& record : expected) {
        for (uint64_t& word : record) word = random() % 4 == 0 ? random() : random() % 3;  // many ties
        sorting.add(record.data());
      }
      std::sort(expected.begin(), expected.end());
      const SpilledRecords sorted = sorting.sorted();
      EXPECT_EQ(sorted.size(), count);
      EXPECT_EQ(all_of(sorted), expected);
      EXPECT_EQ(all_of(sorted), expected) << "a second time";
    }
  }
}

TEST(SortedRecords, LongFilesAreReadInBlocks) {
  Progress progress;
  SpilledRecords records(3, ::testing::TempDir(), progress);
  constexpr uint64_t kCount = 150'000;  // 3.6 MB
  for (uint64_t i = 0; i < kCount; ++i) {
    const uint64_t record[] = {i, i * i, ~i};
    records.add(record);
  }
  uint64_t next = 0;
  records.each([&](const uint64_t* record) {
    ASSERT_EQ(record[0], next);
    ASSERT_EQ(record[1], next * next);
    ASSERT_EQ(record[2], ~next);
    ++next;
  });
  EXPECT_EQ(next, kCount);
}

TEST(SortedRecords, StopWhenAsked) {
  Progress progress;
  SortedRecords sorting(1, ::testing::TempDir(), 1, progress);
  progress.cancel();
  EXPECT_THROW(
      {
        for (uint64_t i = 0; i < 1000; ++i) sorting.add(&i);
        sorting.sorted();
      },
      Error);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
