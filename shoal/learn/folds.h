// Rows into folds, so that every fold has about the same share of each class. The same seed, the same folds,
// everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shoal {

// Row numbers, ascending; together all rows, each once.
struct FoldSplit {
  std::vector<uint32_t> train, test;
};

// The fold of every row, 0 .. folds-1: rows are shuffled, sorted by class, and dealt out one by one, so that fold sizes
// differ by at most one and so do the counts of every class. Requires: folds >= 2.
std::vector<uint32_t> stratified_folds(std::span<const uint32_t> class_of, size_t folds, uint64_t seed);

// k-fold cross-validation: fold i is split i's test set.
std::vector<FoldSplit> k_fold(std::span<const uint32_t> class_of, size_t folds, uint64_t seed);

// Five times two folds: splits 2i and 2i+1 are replication i, each the other's mirror image.
std::vector<FoldSplit> five_by_two(std::span<const uint32_t> class_of, uint64_t seed);

}  // namespace shoal
