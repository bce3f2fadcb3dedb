// What a level vector loses by one measure, from its groups alone: no row is looked at again.
//
// Measures that are sums over cells are turned round: the loss is that of a fully suppressed table minus what every
// kept row gains. A kept cell's gain depends on its released node, except for Prec and distortion in an uneven tree,
// where it is depth(node) / depth(leaf): the first factor belongs to the group, the second to the row. Such parts of a
// row that no level changes go into the tuple table's tail: depths of leaves, columns outside every requirement, the
// target, the fingerprint of the other columns. Dropped rows count as in measures.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/method/levels/lattice.h"
#include "shoal/method/levels/lattice_tuples.h"
#include "shoal/method/levels/sweep.h"
#include "shoal/method/method.h"

namespace shoal {

// The parameter `measure` of the methods that compare level vectors; its default is gcp.
Parameter level_measure_parameter();
// Of methods with that parameter: only the measure `rows` looks at more than the table's columns.
AlikeRows level_alike_rows(const Params& params);

// Immutable; safe to share between threads.
class LevelLoss {
 public:
  // `columns`: those of the lattice; other quasi columns are released as they are. Keeps no references.
  // Throws Error(job) when the measure is cm and there is no target. Cost: linear in rows.
  LevelLoss(const Problem& problem, std::span<const LevelColumn> columns, const std::string& measure);

  // True: while no row is dropped the loss is a sum over columns, and needs no groups.
  bool sums_cells() const { return kind_ == Kind::cells; }
  // The loss of a vector when no row is dropped. Requires sums_cells().
  double of_levels(std::span<const int> levels) const;
  // The loss of the groups that remain under a vector, from a Sweep with this tail() and these gains().
  double of_groups(const GroupsView& groups) const;
  const Tail* tail() const { return tail_ ? &*tail_ : nullptr; }
  const SweepGains* gains() const { return sums_cells() ? &gains_ : nullptr; }

  // Losses that differ by no more than this are equal: sums over cells are rounded, counts are not.
  double tolerance() const { return tolerance_; }

 private:
  class CellLoss;
  enum class Kind { cells, squares, group_count, tuple_count, misclassified };
  void prepare_cells(const Problem& problem, std::span<const LevelColumn> columns, const std::string& measure);
  void prepare_groups(const Problem& problem, std::span<const LevelColumn> columns, const std::string& measure);
  void add_column(const LevelColumn& column, const CellLoss& cell, bool uneven);
  void add_classes(const Table& table);
  double of_cells(const GroupsView& groups) const;

  Kind kind_ = Kind::cells;
  double rows_ = 0;
  double k_ = 1;  // the largest, for C_AVG
  double tolerance_ = 0;
  std::optional<Tail> tail_;
  std::vector<uint32_t> tail_without_class_;  // [tail]

  // Sums over cells, in units of one cell; times scale_ they are the measure.
  double scale_ = 1;
  double full_loss_ = 0;                           // every row dropped
  double gain_of_row_ = 0;                         // of a kept row in the columns outside the lattice, where all agree
  std::vector<std::vector<double>> column_loss_;   // [lattice column][level], no row dropped
  SweepGains gains_;                               // component 0: known from nodes alone; one more per uneven column
  std::vector<std::vector<double>> tail_factors_;  // [component][tail]; component 0: added per row
};

}  // namespace shoal
