// Rows in a line along the trees, and the best way to cut the line into groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/space/ncp_space.h"

namespace shoal {

// Which digits (leaf_digits.h) a line looks at, the first one matters most; a column's digits stand in their order.
struct LineDigit {
  uint32_t column, digit;
  bool operator==(const LineDigit&) const = default;
};
using LineOrder = std::vector<LineDigit>;

// All digits of all columns, always the one that is worth most next.
LineOrder worthiest_line(const NcpSpace& space);
// A random order in which digits of greater worth tend to come first.
LineOrder random_line(const NcpSpace& space, SeededRandom& random);
// The order with one digit in another place (as far as its column's other digits let it). Requires a non-empty order.
LineOrder varied_line(const LineOrder& order, SeededRandom& random);

// A walk through the whole space along these digits (boustrophedon: a digit is walked up or down by the parity of the
// digits before it, so that the walk tends to step to neighbours). Digits that no longer fit into 64 bits are left out.
class Walk {
 public:
  // The space must outlive the walk.
  Walk(const NcpSpace& space, const LineOrder& order);
  // Where a point (one code per column) lies on the walk.
  uint64_t key(const uint32_t* codes) const {
    uint64_t key = 0;
    uint32_t parity = 0;
    for (const Step& step : steps_) {
      const uint32_t value = step.of_leaf[codes[step.column]];
      key = key * step.radix + (parity & 1 ? step.radix - 1 - value : value);
      parity += value;
    }
    return key;
  }
  // The same for many points one after the other, `width` codes each. Faster: steps of several points overlap.
  void keys(const uint32_t* codes, size_t width, std::span<uint64_t> keys) const;

 private:
  struct Step {
    const uint32_t* of_leaf;
    uint32_t column, radix;
  };
  std::vector<Step> steps_;
};

// Cuts lines of rows; keeps its working memory between calls. One per thread.
class LineCutter {
 public:
  explicit LineCutter(const NcpSpace& space) : space_(space) {}

  // Cuts the line into runs of k or more rows of least total cost. Runs have k .. 2k-1 rows: splitting a longer one
  // never costs. From k = 20 on the line is cut only at every (k/10)-th row, which is hardly dearer and much faster.
  // `codes` holds columns() per row, `classes` one per row (unused without mixing); `line` is the order. Returns the
  // cost, and ends() says where each run ends. Requires line.size() >= k >= 1.
  // Cost: at most rows x min(k, 20) x columns, in practice a small part of it.
  double cut(const uint32_t* codes, const uint32_t* classes, std::span<const uint32_t> line, uint64_t k);
  const std::vector<uint32_t>& ends() const { return ends_; }

 private:
  struct Run;
  void make_stretches(const uint32_t* codes, std::span<const uint32_t> line, size_t rows_each);
  void slide_boxes(size_t least);
  void begin_run(Run& run, size_t end, size_t least);
  void extend(Run& run, size_t first);
  void count_classes(Run& run, size_t stretch);

  const NcpSpace& space_;
  std::vector<double> best_;        // [stretches cut so far]
  std::vector<uint32_t> last_run_;  // its size in stretches
  std::vector<uint32_t> least_;     // positions of a sliding minimum of best_
  // Stretches: rows that are not cut apart. Where each begins in the line (and the end), its bounds.
  std::vector<uint32_t> begins_, stretch_lo_, stretch_hi_;
  // Bounds of every so many consecutive stretches, from running bounds forwards and backwards inside blocks of them.
  std::vector<uint32_t> ahead_lo_, ahead_hi_, back_lo_, back_hi_;
  std::vector<uint32_t> lo_, hi_;
  std::vector<double> column_cost_;
  std::vector<uint32_t> classes_;  // in line order
  std::vector<uint64_t> class_counts_;
  std::vector<uint32_t> ends_;
};

}  // namespace shoal
