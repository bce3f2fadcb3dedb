// Cutting a pool of rows in two so that both sides may be released: along a line, but fairly, so that neither side
// gets too much of one sensitive value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "shoal/method/shoal/rules/row_kinds.h"
#include "shoal/method/shoal/shoal_order.h"
#include "shoal/method/space/ncp_space.h"

namespace shoal {

// Rows to be parted. Numbers in `rows` are places in the other arrays, which must outlive the pool.
struct Pool {
  const uint32_t* codes;       // columns() per row
  const uint32_t* classes;     // one per row; unused without mixing
  const uint32_t* table_rows;  // where each row stands in the table
  std::vector<uint32_t> rows;  // in the order of the line
};

// One per thread; keeps its working memory. Space, rule and kinds must outlive it.
class FairCutter {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  FairCutter(const NcpSpace& space, const GroupRule& rule, const RowKinds& kinds);

  // Sorts the pool along a walk, or by one column (and along the walk where that is equal).
  void line_up(Pool& pool, const LineOrder& order);
  void line_up(Pool& pool, const LineOrder& order, size_t column);

  // Parts the pool at about `left` rows. A pure cut at that place comes first; then each kind's rows are shared out
  // more and more as the pool has them, always its first rows on the line to the left, until both sides hold. Returns
  // what both sides cost together, kNever where nothing holds. Requires 0 < left < pool.rows.size(). `purest`: how pure
  // the purest cut tried is, from 1 (pure) to 0 (every kind shared out as the pool has it).
  double cut(const Pool& pool, size_t left, SeededRandom& random, double purest = 1);
  // Deals the pool anew: the left side gets as many rows of each kind as `like` has, the first on the line. Requires
  // that `like` is a part of the pool. kNever where a side does not hold, which is only when kinds are coarse.
  double deal(const Pool& pool, std::span<const uint32_t> like);

  // The sides of the latest cut or deal that did not return kNever.
  const std::vector<uint32_t>& left() const { return left_; }
  const std::vector<uint32_t>& right() const { return right_; }

  // What rows cost as one group.
  double cost(const Pool& pool, std::span<const uint32_t> rows);

 private:
  bool part(const Pool& pool);
  void count_kinds(const Pool& pool);

  const NcpSpace& space_;
  const GroupRule& rule_;
  const RowKinds& kinds_;
  struct Key {
    uint32_t code;
    uint64_t place;
    uint32_t row;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::vector<Key> keys_;
  std::vector<uint32_t> total_, pure_, take_;  // [kind]
  std::vector<uint32_t> present_;              // kinds of the pool, ascending
  std::vector<uint32_t> left_, right_, counted_rows_;
  std::vector<uint32_t> lo_, hi_;
  std::vector<uint64_t> class_counts_;
};

}  // namespace shoal
