// For every row and group of a window: at least how much the group's cost grows when the row joins. Read off a table,
// many groups at a time, so that the exact price is only asked for where it can matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/space/ncp_space.h"

namespace shoal {

// Values of the window's rows are put into at most kSlots slots per column; the table has what each slot adds at least
// to the price of each group. Not safe to share between threads; memory is kept between loads.
class JoinFloors {
 public:
  explicit JoinFloors(const NcpSpace& space) : space_(space), width_(space.columns()) {}

  // Begins anew with these rows (columns() codes each) and no groups. Cost: rows x columns.
  void load(const uint32_t* codes, size_t rows);
  void set_groups(size_t groups);
  // The group's box on this column is now lo..hi. Cost: the column's slots, when that is news.
  void set_box(uint32_t group, size_t column, uint32_t lo, uint32_t hi);
  // Rows and price per row of the group; 0 rows: nobody joins it.
  void set_group(uint32_t group, size_t rows, double price);

  // By how much each group's cost grows at least when the row joins, the mixing of classes left out. Valid until the
  // next call. Cost: groups x columns / (floats per instruction).
  std::span<const float> of_row(uint32_t row);

 private:
  static constexpr size_t kSlots = 64;
  static constexpr size_t kLane = 16;  // groups summed at a time
  struct Interval {
    uint32_t lo = UINT32_MAX, hi = 0;
  };
  void make_slots(size_t column, const uint32_t* codes, size_t rows);

  const NcpSpace& space_;
  const size_t width_;
  size_t groups_ = 0, stride_ = 0;  // groups, and room for groups
  std::vector<uint32_t> slots_;     // [row * width + column]
  std::vector<Interval> slot_;      // codes of each slot
  std::vector<size_t> first_slot_;  // [column], and the end
  std::vector<Interval> boxes_;     // [group * width + column] as the table has them
  std::vector<float> added_;        // [slot * stride + group]
  std::vector<float> price_, joined_rows_, floors_;
  std::vector<uint32_t> distinct_, slot_of_leaf_;
};

}  // namespace shoal
