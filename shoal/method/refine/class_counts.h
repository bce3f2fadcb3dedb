// How the classes of the target spread over the values of one column, and what a refinement tells about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/table/table.h"

namespace shoal {

// Scores of equal worth may differ in the last bits, by this share of themselves.
inline constexpr double kSameScore = 1e-12;

// Rows per (leaf, class) of a quasi column, summed along the leaves. Immutable; safe to share between threads.
// Memory: 8 bytes x (leaves + 1) x classes.
class ClassCounts {
 public:
  // Cost: linear in rows. Requires a table with a target.
  ClassCounts(const Table& table, size_t quasi, size_t leaves);

  size_t classes() const { return classes_; }
  // Adds the rows of each class among leaves first..last to `into` (one entry per class). Cost: classes.
  void add(uint32_t first, uint32_t last, std::span<uint64_t> into) const;

 private:
  size_t classes_;
  std::vector<uint64_t> before_;  // [leaf * classes + class]: rows with a smaller leaf
};

// I(R) in bits (tdr.txt eq. 3), from the rows of each class. 0 for no rows.
double entropy(std::span<const uint64_t> classes);

// I(R) - sum over parts |part|/|R| I(part) in bits (tdr.txt eq. 2 and 5). `parts` holds the class counts of one part
// after the other; parts may be empty. What is not distinguishable from 0 in doubles is 0.
double information_gain(std::span<const uint64_t> parts, size_t classes);

// True when rows of at least two classes are there.
bool mixed(std::span<const uint64_t> classes);

}  // namespace shoal
