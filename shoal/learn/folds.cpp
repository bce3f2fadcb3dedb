#include "shoal/learn/folds.h"

#include <algorithm>
#include <numeric>

#include "shoal/run/seeded_random.h"

namespace shoal {

std::vector<uint32_t> stratified_folds(std::span<const uint32_t> class_of, size_t folds, uint64_t seed) {
  std::vector<uint32_t> order(class_of.size());
  std::iota(order.begin(), order.end(), 0U);
  LongRandom random(seed);
  shuffle(order, random);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return class_of[a] < class_of[b]; });
  std::vector<uint32_t> fold_of(class_of.size());
  for (size_t i = 0; i < order.size(); ++i) fold_of[order[i]] = static_cast<uint32_t>(i % folds);
  return fold_of;
}

std::vector<FoldSplit> k_fold(std::span<const uint32_t> class_of, size_t folds, uint64_t seed) {
  const auto fold_of = stratified_folds(class_of, folds, seed);
  std::vector<FoldSplit> splits(folds);
  for (uint32_t row = 0; row < fold_of.size(); ++row) {
    for (size_t fold = 0; fold < folds; ++fold) {
      (fold_of[row] == fold ? splits[fold].test : splits[fold].train).push_back(row);
    }
  }
  return splits;
}

std::vector<FoldSplit> five_by_two(std::span<const uint32_t> class_of, uint64_t seed) {
  std::vector<FoldSplit> splits;
  for (uint64_t replication = 0; replication < 5; ++replication) {
    // Far-apart seeds, so that replications of neighbouring seeds are not the same ones.
    for (FoldSplit& split : k_fold(class_of, 2, seed * 0x9E3779B97F4A7C15ULL + replication)) {
      splits.push_back(std::move(split));
    }
  }
  return splits;
}

}  // namespace shoal
