// The columns to recode as one space, for methods that keep the weighted NCP low: rows are points of leaf positions,
// groups are boxes, and a box has a price per row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/measure/interval_cost.h"
#include "shoal/method/method.h"
#include "shoal/method/space/leaf_digits.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/run/seeded_random.h"
#include "shoal/table/groups.h"

namespace shoal {

// What a group of `rows` rows pays for mixing classes: mixing x rows x Gini impurity. Like the NCP it only grows when
// groups are united. `squares` is the sum of squared class counts. No rows, no penalty.
inline double mixing_penalty(double mixing, double rows, double squares) {
  return mixing == 0 || rows == 0 ? 0 : mixing * (rows - squares / rows);
}

// Columns are kept dearest first (by what two rows drawn at random would pay together), so that a sum of costs passes
// a limit early. Immutable: safe to share between threads.
class NcpSpace {
 public:
  // `columns`: indices into the quasi columns. `mixing`: price of class mixing (see mixing_penalty); 0 ignores classes.
  // The problem's table and hierarchies must outlive the space. Memory: codes are not copied; columns of up to
  // kDenseLeaves leaves get a table of all intervals, larger ones the IntervalCost.
  NcpSpace(const Problem& problem, const std::vector<size_t>& columns, double mixing);
  // The same with prices of its own: one per column, in their order.
  NcpSpace(const Problem& problem, const std::vector<size_t>& columns, double mixing, std::vector<IntervalCost> prices);

  // Tables are pointed at.
  NcpSpace(const NcpSpace&) = delete;
  NcpSpace& operator=(const NcpSpace&) = delete;
  NcpSpace(NcpSpace&&) = default;
  NcpSpace& operator=(NcpSpace&&) = default;

  size_t rows() const { return rows_; }
  size_t columns() const { return columns_.size(); }
  size_t classes() const { return classes_; }
  double mixing() const { return mixing_; }
  // Which quasi column stands at this place.
  size_t quasi(size_t column) const { return columns_[column].quasi; }
  const Hierarchy& hierarchy(size_t column) const { return *columns_[column].hierarchy; }
  uint32_t leaves(size_t column) const { return columns_[column].leaves; }

  // The column's leaves as digits, coarse to fine.
  const std::vector<LeafDigit>& digits(size_t column) const { return columns_[column].digits; }

  // What one row pays on this column in a group whose values span leaves lo..hi. Requires lo <= hi.
  double cost(size_t column, uint32_t lo, uint32_t hi) const {
    const CostTable& table = tables_[column];
    if (table.costs) [[likely]]
      return table.costs[size_t{lo} * table.leaves + hi];
    return untabled_cost(column, lo, hi);
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
    std::vector<LeafDigit> digits;
  };
  // All that cost() needs to know of a column, so that it is short enough to be inlined wherever it is called.
  struct CostTable {
    const double* costs = nullptr;  // null: there is none
    size_t leaves = 0;
  };
  double untabled_cost(size_t column, uint32_t lo, uint32_t hi) const;

  std::vector<Place> columns_;
  std::vector<CostTable> tables_;  // [column]
  size_t rows_ = 0;
  const Codes* target_ = nullptr;
  size_t classes_ = 0;
  double mixing_ = 0;
};

// What a partition costs, from scratch: sum over groups of rows x price of the box, plus the mixing penalty.
// Cost: linear in rows x columns.
double partition_cost(const NcpSpace& space, const RowGroups& groups);

}  // namespace shoal
