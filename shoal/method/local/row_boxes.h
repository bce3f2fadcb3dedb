// Rows as points and groups as boxes of leaf positions, for the methods that put rows together by their weighted NCP.
//
// The penalty of a group is rows x price, the price being what one row pays for the group's box: the NCP of the paper
// (Xu, Wang, Pei, Wang, Shi, Fu 2006, section 3) over the group's rows. Sums run over the columns in one order
// everywhere, so that two ways to the same box give the same number to the last bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/space/ncp_space.h"

namespace shoal {

// Least and greatest leaf of some rows on one column.
struct LeafSpan {
  uint32_t lo, hi;
  bool operator==(const LeafSpan&) const = default;
};
using Box = std::vector<LeafSpan>;  // one per column of the space, in its order

// The codes of all rows, row by row. Immutable: safe to share between threads. Memory: 4 bytes per cell.
class RowCodes {
 public:
  explicit RowCodes(const NcpSpace& space);

  const NcpSpace& space() const { return space_; }
  size_t rows() const { return space_.rows(); }
  size_t width() const { return width_; }
  const uint32_t* row(uint32_t row) const { return codes_.data() + size_t{row} * width_; }

  // The least box around some rows. Requires: at least one row.
  void measure(std::span<const uint32_t> rows, LeafSpan* box) const;
  Box box(std::span<const uint32_t> rows) const;

 private:
  const NcpSpace& space_;
  const size_t width_;
  std::vector<uint32_t> codes_;
};

// What one row pays in this box.
double box_price(const NcpSpace& space, const LeafSpan* box);
inline double box_price(const NcpSpace& space, const Box& box) { return box_price(space, box.data()); }
// The same for the box grown to take in one more row.
double price_with_row(const NcpSpace& space, const LeafSpan* box, const uint32_t* row);

inline void grow(LeafSpan& side, LeafSpan by) { side = {std::min(side.lo, by.lo), std::max(side.hi, by.hi)}; }
inline void grow_to_row(LeafSpan* box, const uint32_t* row, size_t width) {
  for (size_t j = 0; j < width; ++j) grow(box[j], {row[j], row[j]});
}

// Splits rows into `parts` groups whose sizes differ by one at most: halves them, again and again, along the column
// whose halves cost least (more than kSplitSorted rows: along the dearest column). Ties: the first column of the space;
// rows alike on the column stay in the order of their numbers. Reorders `rows`; gives where each part ends in them.
// Requires 1 <= parts <= rows. Cost: rows x log(rows) x log(parts) x columns.
inline constexpr size_t kSplitSorted = 4096;
std::vector<uint32_t> split_evenly(const RowCodes& codes, std::span<uint32_t> rows, size_t parts);

}  // namespace shoal
