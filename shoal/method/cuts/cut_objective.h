// What optimal-cut minimises: a loss that can only grow when values are raised.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/method/cuts/cut_space.h"
#include "shoal/method/cuts/tuple_table.h"
#include "shoal/method/method.h"

namespace shoal {

// One of the measures by name (shoal/measure/measures.h), smaller is better. All of them only grow when values are
// raised, for two reasons. prec, gcp, ncp, lm, distortion, modification_rate and entropy are sums over cells, and each
// cell's loss grows along its path to the root. rows, c_avg, dm and cm are counted on groups, and raising only merges
// groups; where a requirement has all columns, rows, c_avg and dm count what its k leaves of groups that are too small.
// Immutable; safe to share between threads.
class CutObjective {
 public:
  static std::vector<std::string> names();

  // `problem` and `space` must outlive this. Throws Error(job) for cm without a target.
  CutObjective(const std::string& name, const Problem& problem, const CutSpace& space);

  const std::string& name() const { return name_; }
  // The tuples that loss() and probe() count on; nothing for sums over cells.
  const std::optional<TupleTable::View>& view() const { return view_; }

  // The loss of a cut that satisfies, and for any other cut a bound: no satisfying cut that raises as much or more has
  // a smaller loss. `tuples` are those of view() under the cut (nullptr when there is no view).
  double loss(const Cut& cut, const TupleTable* tuples) const;

  // losses[raise] = the loss of the cut with this raise added, for each raise in `open` (not in the cut); other entries
  // are left alone. Once time is up, the loss of the cut itself in its place. Cost: for each raise, the tuples that it
  // changes.
  void probe(const Cut& cut, const TupleTable* tuples, const std::vector<uint32_t>& open, KeyIndex& index,
             std::vector<double>& losses, const Progress& progress) const;

  // A loss in the measure's own units and direction (rows: a count, prec: 1 is best).
  double shown(double loss) const;

 private:
  enum class Kind { cells, rows, groups, squares, classes };
  void set_cell_costs(const Problem& problem);
  double column_loss(const Cut& cut, size_t column) const;
  double merge_loss(const TupleTable& tuples, std::span<const uint32_t> merged, const std::vector<uint32_t>& beside,
                    std::vector<uint32_t>& sums) const;
  double group_value(double rows) const;
  double counted(const TupleTable& tuples) const;
  double group_loss(double counted) const;

  const Problem& problem_;
  const CutSpace& space_;
  std::string name_;
  const double rows_;      // of the input
  double least_rows_ = 1;  // that a requirement asks of every group the objective counts
  Kind kind_ = Kind::cells;
  std::optional<TupleTable::View> view_;
  std::vector<double> raise_cost_;  // sums over cells: loss of all cells below the raise, released as its node
};

}  // namespace shoal
