#include "shoal/learn/folds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace shoal {
namespace SHOAL_THIS_FILE {

std::vector<uint32_t> random_classes(size_t rows, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint32_t> classes;
  for (size_t i = 0; i < rows; ++i) classes.push_back(static_cast<uint32_t>(random() % 7 / 3));
  return classes;
}

TEST(Folds, EveryRowIsTestedOnceAndClassesAreShared) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    const auto classes = random_classes(20 + 11 * seed, seed);
    for (size_t folds : {2, 3, 10}) {
      const auto splits = k_fold(classes, folds, seed);
      ASSERT_EQ(splits.size(), folds);
      std::vector<int> tested(classes.size(), 0);
      std::vector<std::vector<size_t>> counts(3);
      size_t least = SIZE_MAX, most = 0;
      for (const FoldSplit& split : splits) {
        EXPECT_EQ(split.train.size() + split.test.size(), classes.size());
        EXPECT_TRUE(std::is_sorted(split.train.begin(), split.train.end()));
        std::vector<size_t> count(3, 0);
        for (uint32_t row : split.test) {
          ++tested[row];
          ++count[classes[row]];
          EXPECT_FALSE(std::binary_search(split.train.begin(), split.train.end(), row));
        }
        for (size_t c = 0; c < 3; ++c) counts[c].push_back(count[c]);
        least = std::min(least, split.test.size());
        most = std::max(most, split.test.size());
      }
      EXPECT_TRUE(std::all_of(tested.begin(), tested.end(), [](int times) { return times == 1; }));
      EXPECT_LE(most - least, 1U);
      for (const auto& count : counts) {
        EXPECT_LE(*std::max_element(count.begin(), count.end()) - *std::min_element(count.begin(), count.end()), 1U);
      }
    }
  }
}

TEST(Folds, SameSeedSameFolds) {
  const auto classes = random_classes(100, 5);
  EXPECT_EQ(stratified_folds(classes, 10, 3), stratified_folds(classes, 10, 3));
  EXPECT_NE(stratified_folds(classes, 10, 3), stratified_folds(classes, 10, 4));
}

TEST(Folds, FiveTimesTwo) {
  const auto classes = random_classes(101, 5);
  const auto splits = five_by_two(classes, 1);
  ASSERT_EQ(splits.size(), 10U);
  std::set<std::vector<uint32_t>> tests;
  for (size_t i = 0; i < 10; i += 2) {
    EXPECT_EQ(splits[i].train, splits[i + 1].test);
    EXPECT_EQ(splits[i].test, splits[i + 1].train);
    tests.insert(splits[i].test);
  }
  EXPECT_EQ(tests.size(), 5U);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
