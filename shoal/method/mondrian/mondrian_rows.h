// The rows Mondrian cuts: one array of packed rows that every cut partitions in place.
//
// A region is a stretch [begin, end) of that array. A row's codes lie side by side in the narrowest width that holds
// all columns, with the row's number beside them, so that a pass over a region reads memory in order. Memory: columns x
// code width + 4 bytes a row (12 bytes for eight columns of up to 256 values). Where rows of the table stand for
// several (Table::times) so do those here: what is counted are rows of the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "shoal/table/table.h"

namespace shoal::mondrian {

struct Region {
  size_t begin = 0, end = 0;
  size_t size() const { return end - begin; }  // of the array: each may stand for several rows (Rows::rows)
};

// Rows with a leaf below `last_left` go left, above it right; of those with exactly this leaf the rows numbered up to
// `last_row` go left. A strict cut has the greatest row number there, so that equal values stay together.
struct Cut {
  static constexpr uint32_t kEveryRow = UINT32_MAX;
  size_t column = 0;         // position among the columns of Rows
  uint32_t last_left = 0;    // greatest leaf on the left side
  uint32_t first_right = 0;  // least leaf on the right side
  uint32_t last_row = kEveryRow;
  uint64_t left_rows = 0;
};

// Safe for several threads on disjoint regions. `column` counts among the columns the rows were packed from.
class Rows {
 public:
  virtual ~Rows() = default;

  // Packs these quasi columns of all rows on up to `threads` threads; the table must outlive them. `order` says which
  // row stands where; empty: input order.
  static std::unique_ptr<Rows> pack(const Table& table, std::span<const size_t> columns,
                                    std::span<const uint32_t> order, int threads);

  size_t size() const { return size_; }
  // How many of `threads` threads are worth starting for work on all rows.
  size_t useful_threads(int threads) const;
  // Row numbers of the input, in no particular order.
  std::span<const uint32_t> numbers(Region region) const { return {numbers_.get() + region.begin, region.size()}; }
  // How many rows of the input a region has. Cost: linear in the region where rows stand for several.
  uint64_t rows(Region region) const;
  // Table::times; empty where each row stands for itself.
  std::span<const uint32_t> times() const { return times_; }

  // Least and greatest leaf of every column. Requires a region that is not empty.
  virtual void extents(Region region, std::span<uint32_t> least, std::span<uint32_t> greatest) const = 0;
  // Adds the rows of each leaf to counts[leaf - least]. Requires all leaves in [least, least + counts.size()).
  virtual void count(Region region, size_t column, uint32_t least, std::span<uint32_t> counts) const = 0;
  // The leaf of everything in the region, as it stands. Requires leaves.size() == region.size().
  virtual void copy(Region region, size_t column, std::span<uint32_t> leaves) const = 0;
  // Appends the numbers of the rows that have this leaf.
  virtual void rows_with(Region region, size_t column, uint32_t leaf, std::vector<uint32_t>& numbers) const = 0;
  // Moves the rows that go left to the front; returns where the right side begins. Which rows go where depends on the
  // cut alone, not on the order the rows stand in.
  virtual size_t partition(Region region, const Cut& cut) = 0;

 protected:
  explicit Rows(const Table& table)
      : size_(table.rows), numbers_(std::make_unique_for_overwrite<uint32_t[]>(table.rows)), times_(table.times) {}

  size_t size_;
  std::unique_ptr<uint32_t[]> numbers_;
  std::span<const uint32_t> times_;
};

}  // namespace shoal::mondrian
