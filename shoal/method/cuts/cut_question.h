// What optimal-cut asks of a cut: its tuples, its loss, and which requirements it breaks.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "shoal/method/cuts/cut_clauses.h"
#include "shoal/method/cuts/cut_objective.h"
#include "shoal/method/cuts/cut_space.h"
#include "shoal/method/cuts/tuple_table.h"
#include "shoal/method/method.h"

namespace shoal {

// Immutable; safe to share between threads, each with a KeyIndex of its own.
class CutQuestion {
 public:
  using Tables = std::vector<TupleTable>;  // one per set of columns that a requirement or the objective looks at
  // A requirement that does not hold, and a tuple in a group that breaks it; kAllGroups: all groups together do.
  struct Violation {
    size_t requirement, tuple;
  };
  static constexpr size_t kAllGroups = SIZE_MAX;

  // `problem`, `space` and `objective` must outlive this. `requirements`: places of those that are needed.
  CutQuestion(const Problem& problem, const std::vector<size_t>& requirements, const CutSpace& space,
              const CutObjective& objective);

  const CutSpace& space() const { return space_; }
  const CutObjective& objective() const { return objective_; }
  size_t requirements() const { return requirements_.size(); }
  Tables first_tables() const { return first_; }  // as the input is

  // Requires that the cut raises at least what the tables' cut raises. However many steps lie between, tuples come in
  // the same order.
  Tables rolled(const Tables& tables, const Cut& cut, KeyIndex& index) const;
  double loss_of(const Cut& cut, const Tables& tables) const { return objective_.loss(cut, counted(tables)); }
  // What the objective counts on; nullptr: no tuples.
  const TupleTable* counted(const Tables& tables) const {
    return view_of_objective_ ? &tables[*view_of_objective_] : nullptr;
  }
  // The first one, if any.
  std::optional<Violation> violation(const Tables& tables, KeyIndex& index) const;
  // One of each group that violates, ascending; kAllGroups last, where all groups together do.
  std::vector<size_t> violating_tuples(size_t requirement, const Tables& tables, KeyIndex& index) const;

  // A cut with its tuples.
  struct Place {
    Cut cut;
    Tables tables;
    size_t bytes() const;  // about
  };
  // The clause of a violation at a place; boxes are counted on the tuples of `low`, which may be finer.
  Clause clause(const Violation& violation, const Place& place, const Tables& low,
                const std::vector<double>& price) const;

 private:
  const CutSpace& space_;
  const CutObjective& objective_;
  std::vector<Requirement> requirements_;
  std::vector<std::shared_ptr<const GroupRule>> rules_;  // one per requirement
  std::vector<size_t> view_of_requirement_;
  std::optional<size_t> view_of_objective_;
  Tables first_;
};

}  // namespace shoal
