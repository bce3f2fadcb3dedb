// What every satisfying cut must raise: learned from violating rows, used to steer and to prune optimal-cut.
//
// Take a violating tuple and one node per column of its requirement, each covering the tuple's value: a box. If fewer
// than k rows lie in the box, then a cut that keeps the tuple inside it leaves its group too small. So every satisfying
// cut raises, in at least one column, the parent of the box's node: that is a clause, true for the whole problem. The
// larger the box, the fewer and higher its raises, and the stronger the clause.
//
// The same for any rule of closure A or U, with "breaks the rule" for "has fewer than k rows": under a cut that has
// none of the clause's raises no group reaches beyond the box, so the box is made of whole groups, and if all of them
// held, so would the box. Nor do more groups than an average risk allows become fewer without a raise that the cut at
// hand does not have: the lowest of those are a clause, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "shoal/method/cuts/cut_space.h"
#include "shoal/method/cuts/tuple_table.h"
#include "shoal/model/group_rule.h"

namespace shoal {

// Raises, ascending, of which every satisfying cut has at least one.
using Clause = std::vector<uint32_t>;

// Grows the box of a violating tuple while it breaks the rule, each time in the column whose next raise has the least
// price (raises priced infinite come last), and returns its clause: what stays in it is dear. `table` holds the tuples
// of the requirement's columns under some cut (and what rules count, where k rows are not all); `nodes` is the box to
// begin with, one per field of the table, at or above that cut. Requires: the first box breaks the rule. Cost: tuples x
// columns x height at most.
Clause grow_clause(const CutSpace& space, const TupleTable& table, std::span<const Hierarchy::Node> nodes,
                   const GroupRule& rule, const std::vector<double>& price);

// The lowest raises on `columns` that the cut does not have: every cut that raises more there has one of them.
Clause beyond(const CutSpace& space, const Cut& cut, const std::vector<size_t>& columns);

// A set of clauses. Safe to share between threads while nothing is added.
class ClauseStore {
 public:
  // False when it is there already.
  bool add(Clause clause);
  size_t size() const { return begin_.size() - 1; }
  std::span<const uint32_t> clause(size_t i) const {
    return {raises_.data() + begin_[i], raises_.data() + begin_[i + 1]};
  }
  // Adds to `low` what every satisfying cut between low and high must raise, by these clauses and `more`. False: there
  // is no such cut.
  bool propagate(const CutSpace& space, Cut& low, const Cut& high, std::span<const Clause> more = {}) const;
  size_t bytes() const { return raises_.size() * 8 + begin_.size() * 80; }

 private:
  std::vector<uint32_t> raises_;
  std::vector<size_t> begin_{0};
  std::set<Clause> known_;
};

}  // namespace shoal
