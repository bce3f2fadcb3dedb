// The lattice of level vectors: one full-domain level for each of some quasi columns, ordered by "coarser everywhere".
//
// Vectors are numbered in lexicographic order (the first column counts most), so that the least number is the
// lexicographically smallest vector. A column's values are renumbered: its "digits" at a level are 0, 1, ... in an
// order in which the values that a coarser level joins are neighbours. Immutable; safe to share between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/table/table.h"

namespace shoal {

// One column of the lattice.
struct LevelColumn {
  size_t quasi = 0;                                // index of the quasi column
  std::vector<uint32_t> digit_of_leaf;             // at level 0
  std::vector<std::vector<uint32_t>> digits;       // [level][digit at level 0] -> digit at that level; never descending
  std::vector<std::vector<uint32_t>> first_digit;  // [level][digit] -> its first digit at level 0
  std::vector<std::vector<Hierarchy::Node>> nodes;  // [level][digit] -> the hierarchy node it is released as

  int height() const { return static_cast<int>(digits.size()) - 1; }
  // How many different values there are at a level.
  uint32_t values(int level) const { return static_cast<uint32_t>(nodes[static_cast<size_t>(level)].size()); }
  // The map from digits at level `from` to digits at level `to`. Requires from <= to.
  std::vector<uint32_t> raise(int from, int to) const;
};

// Throws Error(input) when the hierarchy's levels do not nest (two values released alike at one level and differently
// at a higher one), since nothing below could then be trusted.
LevelColumn level_column(const Table& table, const Hierarchy& hierarchy, size_t quasi);

using VectorIndex = uint32_t;

// Which vectors there are, and how they are numbered.
class Lattice {
 public:
  // Requires: the number of vectors, product of (height + 1), fits VectorIndex.
  explicit Lattice(std::vector<int> heights);

  size_t columns() const { return heights_.size(); }
  int height(size_t column) const { return heights_[column]; }
  int total_height() const { return total_height_; }
  VectorIndex size() const { return size_; }
  VectorIndex top() const { return size_ - 1; }

  int level(VectorIndex vector, size_t column) const {
    return static_cast<int>(vector / strides_[column] % (static_cast<VectorIndex>(heights_[column]) + 1));
  }
  // One level higher on `column` is this much further.
  VectorIndex stride(size_t column) const { return strides_[column]; }
  std::vector<int> levels(VectorIndex vector) const;
  int sum_of_levels(VectorIndex vector) const;
  VectorIndex index(std::span<const int> levels) const;

 private:
  std::vector<int> heights_;
  std::vector<VectorIndex> strides_;
  VectorIndex size_ = 1;
  int total_height_ = 0;
};

// What is known about each vector of a lattice. Satisfying is inherited upwards, failing downwards.
enum class VectorVerdict : uint8_t { unknown, fails, satisfies };
void inherit_verdicts(const Lattice& lattice, std::vector<VectorVerdict>& verdicts);

}  // namespace shoal
