// A cut along a line makes small boxes and ruins the mix of values; dealing rows at random keeps the mix and shrinks no
// box. Between the two: each kind v of row sends its first L_v rows on the line to the left, where L_v goes from what
// lies left of a pure cut to the kind's fair share of the left side. The fair share copies the pool's own mix, so where
// the pool holds, the halves of a large pool hold too (every model here survives that up to rounding). Shares are
// rounded one after the other, each with the fraction that the ones before it left over: that keeps the sizes, and for
// kinds that are neighbours in an order or a tree also their sum.
#include "shoal/method/shoal/rules/fair_cut.h"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr double kPurities[] = {1, 0.8, 0.6, 0.4, 0.2, 0, 0};

}  // namespace

FairCutter::FairCutter(const NcpSpace& space, const GroupRule& rule, const RowKinds& kinds)
    : space_(space),
      rule_(rule),
      kinds_(kinds),
      total_(kinds.kinds(), 0),
      pure_(kinds.kinds(), 0),
      take_(kinds.kinds(), 0),
      lo_(space.columns()),
      hi_(space.columns()),
      class_counts_(space.classes()) {}

void FairCutter::line_up(Pool& pool, const LineOrder& order) {
  keys_.clear();
  const Walk walk(space_, order);
  for (uint32_t row : pool.rows) keys_.push_back({0, walk.key(pool.codes + row * space_.columns()), row});
  std::sort(keys_.begin(), keys_.end());
  for (size_t i = 0; i < keys_.size(); ++i) pool.rows[i] = keys_[i].row;
}

void FairCutter::line_up(Pool& pool, const LineOrder& order, size_t column) {
  keys_.clear();
  const Walk walk(space_, order);
  for (uint32_t row : pool.rows) {
    const uint32_t* const codes = pool.codes + row * space_.columns();
    keys_.push_back({codes[column], walk.key(codes), row});
  }
  std::sort(keys_.begin(), keys_.end());
  for (size_t i = 0; i < keys_.size(); ++i) pool.rows[i] = keys_[i].row;
}

double FairCutter::cost(const Pool& pool, std::span<const uint32_t> rows) {
  const size_t width = space_.columns();
  std::copy_n(pool.codes + rows.front() * width, width, lo_.data());
  std::copy_n(lo_.data(), width, hi_.data());
  for (uint32_t row : rows) {
    const uint32_t* const codes = pool.codes + row * width;
    for (size_t j = 0; j < width; ++j) {
      lo_[j] = std::min(lo_[j], codes[j]);
      hi_[j] = std::max(hi_[j], codes[j]);
    }
  }
  double price = 0;
  for (size_t j = 0; j < width; ++j) price += space_.cost(j, lo_[j], hi_[j]);
  double squares = 0;
  if (space_.mixing() > 0) {
    std::fill(class_counts_.begin(), class_counts_.end(), 0);
    for (uint32_t row : rows) squares += double(2 * class_counts_[pool.classes[row]]++ + 1);
  }
  return double(rows.size()) * price + mixing_penalty(space_.mixing(), double(rows.size()), squares);
}

void FairCutter::count_kinds(const Pool& pool) {
  for (uint32_t kind : present_) total_[kind] = pure_[kind] = 0;
  present_.clear();
  for (uint32_t row : pool.rows) {
    const uint32_t kind = kinds_.of(pool.table_rows[row]);
    if (total_[kind]++ == 0) present_.push_back(kind);
  }
  std::sort(present_.begin(), present_.end());
}

// Gives the left side take_[kind] rows of each kind, the first on the line. Whether both sides hold.
bool FairCutter::part(const Pool& pool) {
  left_.clear();
  right_.clear();
  for (uint32_t row : pool.rows) {
    uint32_t& wanted = take_[kinds_.of(pool.table_rows[row])];
    if (wanted > 0) {
      --wanted;
      left_.push_back(row);
    } else {
      right_.push_back(row);
    }
  }
  for (const auto* side : {&left_, &right_}) {
    if (side->empty() || side->size() < rule_.k()) return false;
    counted_rows_.clear();
    for (uint32_t row : *side) counted_rows_.push_back(pool.table_rows[row]);
    if (!rule_.holds(counted_rows_)) return false;
  }
  return true;
}

double FairCutter::cut(const Pool& pool, size_t left, SeededRandom& random, double purest) {
  if (pool.rows.size() < 2 * rule_.k()) return kNever;
  count_kinds(pool);
  for (size_t i = 0; i < left; ++i) ++pure_[kinds_.of(pool.table_rows[pool.rows[i]])];
  const double share = double(left) / double(pool.rows.size());
  for (double purity : kPurities) {
    if (purity > purest) continue;
    double before = purity < 1 ? random.unit() : 0;
    for (uint32_t kind : present_) {
      take_[kind] = pure_[kind];
      if (purity == 1) continue;
      const double after = before + (1 - purity) * share * total_[kind] + purity * pure_[kind];
      take_[kind] = std::min(total_[kind], static_cast<uint32_t>(std::floor(after) - std::floor(before)));
      before = after;
    }
    if (part(pool)) return cost(pool, left_) + cost(pool, right_);
  }
  return kNever;
}

double FairCutter::deal(const Pool& pool, std::span<const uint32_t> like) {
  count_kinds(pool);
  for (uint32_t kind : present_) take_[kind] = 0;
  for (uint32_t row : like) ++take_[kinds_.of(pool.table_rows[row])];
  return part(pool) ? cost(pool, left_) + cost(pool, right_) : kNever;
}

}  // namespace shoal
