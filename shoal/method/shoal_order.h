// Rows in a line along the trees, and the best way to cut the line into groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/shoal_space.h"

namespace shoal {

// An order of the space's columns; the first one matters most.
using ColumnOrder = std::vector<uint32_t>;

// A random order in which columns that tell rows apart at greater cost tend to come first.
ColumnOrder random_column_order(const ShoalSpace& space, ShoalRandom& random);

// Where a point lies on a walk through the whole space that steps from each leaf tuple to a neighbouring one
// (boustrophedon: a column is walked up or down by the parity of the positions before it). Columns that no longer fit
// into 64 bits are left out.
uint64_t walk_key(const ShoalSpace& space, const ColumnOrder& order, const uint32_t* codes);

// Cuts lines of rows; keeps its working memory between calls. One per thread.
class LineCutter {
 public:
  explicit LineCutter(const ShoalSpace& space) : space_(space) {}

  // Cuts the line into runs of k .. 2k-1 rows of least total cost (no cheaper cut into runs of k or more exists, for
  // splitting a run never costs). `codes` holds columns() per row, `classes` one per row (unused without mixing);
  // `line` is the order. Returns that cost, and ends() says where each run ends. Requires line.size() >= k >= 1.
  // Cost: at most rows x k x columns, in practice a small part of it.
  double cut(const uint32_t* codes, const uint32_t* classes, std::span<const uint32_t> line, uint64_t k);
  const std::vector<uint32_t>& ends() const { return ends_; }

 private:
  struct Run;
  void slide_boxes(size_t k);
  void begin_run(Run& run, size_t end, size_t k, const uint32_t* classes, std::span<const uint32_t> line);
  void extend(Run& run, size_t first, const uint32_t* classes, std::span<const uint32_t> line);

  const ShoalSpace& space_;
  std::vector<double> best_;        // [rows cut so far]
  std::vector<uint32_t> last_run_;  // its size
  std::vector<uint32_t> least_;     // positions of a sliding minimum of best_
  std::vector<uint32_t> codes_;     // in line order
  // Bounds of every k consecutive rows, from running bounds forwards and backwards inside blocks of k rows.
  std::vector<uint32_t> ahead_lo_, ahead_hi_, back_lo_, back_hi_;
  std::vector<uint32_t> lo_, hi_;
  std::vector<double> column_cost_;
  std::vector<uint64_t> class_counts_;
  std::vector<uint32_t> ends_;
};

}  // namespace shoal
