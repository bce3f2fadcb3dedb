// The columns that method `shoal` recodes, as one space: rows are points of leaf positions, groups are boxes, and a
// box has a price per row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/measure/interval_cost.h"
#include "shoal/method/method.h"
#include "shoal/method/shoal_digits.h"
#include "shoal/table/groups.h"

namespace shoal {

// The same numbers for the same seed on every machine (splitmix64); small enough to start one per window.
class ShoalRandom {
 public:
  explicit ShoalRandom(uint64_t seed) : state_(seed) {}
  uint64_t operator()() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  // 0 .. bound-1. Requires bound > 0. The bias is below bound / 2^64.
  uint64_t below(uint64_t bound) { return (*this)() % bound; }
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

// Columns are kept dearest first (by what two rows drawn at random would pay together), so that a sum of costs passes
// a limit early. Immutable: safe to share between threads.
class ShoalSpace {
 public:
  // `columns`: indices into the quasi columns. `mixing`: price of class mixing (see ShoalWindow); 0 ignores classes.
  // The problem's table and hierarchies must outlive the space. Memory: codes are not copied; columns of up to
  // kDenseLeaves leaves get a table of all intervals, larger ones the IntervalCost.
  ShoalSpace(const Problem& problem, const std::vector<size_t>& columns, double mixing);

  size_t rows() const { return rows_; }
  size_t columns() const { return columns_.size(); }
  size_t classes() const { return classes_; }
  double mixing() const { return mixing_; }
  // Which quasi column stands at this place.
  size_t quasi(size_t column) const { return columns_[column].quasi; }
  const Hierarchy& hierarchy(size_t column) const { return *columns_[column].hierarchy; }
  uint32_t leaves(size_t column) const { return columns_[column].leaves; }

  // The column's leaves as digits, coarse to fine.
  const std::vector<ShoalDigit>& digits(size_t column) const { return columns_[column].digits; }

  // What one row pays on this column in a group whose values span leaves lo..hi. Requires lo <= hi.
  double cost(size_t column, uint32_t lo, uint32_t hi) const {
    const Place& place = columns_[column];
    if (!place.dense.empty()) return place.dense[size_t{lo} * place.leaves + hi];
    return place.interval(lo, hi);
  }
  // The largest interval that costs the same for certain: the leaves of the closest common ancestor, or lo..hi itself
  // where ranges are released.
  void widen(size_t column, uint32_t& lo, uint32_t& hi) const;

  // The columns as keys for group_rows().
  std::vector<GroupKey> group_keys() const;

  // Codes of the given rows, row by row, columns() each.
  void gather(std::span<const uint32_t> rows, uint32_t* codes) const;
  void gather_classes(std::span<const uint32_t> rows, uint32_t* classes) const;

 private:
  static constexpr uint32_t kDenseLeaves = 160;  // 200 kB of table at most per column
  struct Place {
    size_t quasi;
    const Hierarchy* hierarchy;
    const Codes* codes;
    uint32_t leaves;
    IntervalCost interval;
    std::vector<double> dense;
    double spread;  // mean cost of two rows drawn at random: how much this column tells rows apart
    std::vector<ShoalDigit> digits;
  };
  std::vector<Place> columns_;
  size_t rows_ = 0;
  const Codes* target_ = nullptr;
  size_t classes_ = 0;
  double mixing_ = 0;
};

// A partition of (some) rows: group g has rows[starts[g]] .. rows[starts[g+1]-1].
struct RowGroups {
  std::vector<uint32_t> rows;
  std::vector<uint32_t> starts{0};
  size_t size() const { return starts.size() - 1; }
  size_t rows_in(size_t group) const { return starts[group + 1] - starts[group]; }
  std::span<const uint32_t> group(size_t group) const { return {rows.data() + starts[group], rows_in(group)}; }
};

// What a partition costs, from scratch: sum over groups of rows x price of the box, plus the mixing penalty.
// Cost: linear in rows x columns.
double shoal_cost(const ShoalSpace& space, const RowGroups& groups);

}  // namespace shoal
