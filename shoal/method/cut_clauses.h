// What every satisfying cut must raise: learned from violating rows, used to steer and to prune optimal-cut.
//
// Take a violating tuple and one node per column of its requirement, each covering the tuple's value: a box. If fewer
// than k rows lie in the box, then a cut that keeps the tuple inside it leaves its group too small. So every satisfying
// cut raises, in at least one column, the parent of the box's node: that is a clause, true for the whole problem. The
// larger the box, the fewer and higher its raises, and the stronger the clause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "shoal/method/cut_space.h"
#include "shoal/method/tuple_table.h"

namespace shoal {

// Raises, ascending, of which every satisfying cut has at least one.
using Clause = std::vector<uint32_t>;

// Grows the box of a violating tuple while it has fewer than k rows, each time in the column whose next raise has the
// least price (raises priced infinite come last), and returns its clause: what stays in it is dear. `table` holds the
// tuples of the requirement's columns under some cut; `nodes` is the box to begin with, one per field of the table, at
// or above that cut. Requires: the first box has fewer than k rows. Cost: tuples x columns x height at most.
Clause grow_clause(const CutSpace& space, const TupleTable& table, std::span<const Hierarchy::Node> nodes, uint64_t k,
                   const std::vector<double>& price);

// A set of clauses. Not safe to share between threads.
class ClauseStore {
 public:
  // False when it is there already.
  bool add(Clause clause);
  size_t size() const { return begin_.size() - 1; }
  std::span<const uint32_t> clause(size_t i) const {
    return {raises_.data() + begin_[i], raises_.data() + begin_[i + 1]};
  }
  // Adds to `low` what every satisfying cut between low and high must raise. False: there is no such cut.
  bool propagate(const CutSpace& space, Cut& low, const Cut& high) const;
  size_t bytes() const { return raises_.size() * 8 + begin_.size() * 80; }

 private:
  std::vector<uint32_t> raises_;
  std::vector<size_t> begin_{0};
  std::set<Clause> known_;
};

}  // namespace shoal
