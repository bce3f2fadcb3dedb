// What the methods over the level lattice share: the problem as a lattice, what is known about its vectors, counting
// vectors on all threads, comparing those that satisfy, and the answer.
//
// The lattice has the columns of all requirements; other quasi columns stay at level 0. A vector satisfies when at most
// `limit` rows have to be dropped for all requirements to hold (see Sweep). When no row may be dropped that is the case
// exactly when each requirement holds by itself, so each has a lattice of its own columns: a part. Otherwise the
// requirements act on each other, and the whole lattice is the only part. What the rules of requirements count is the
// tail of all tuples.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/method/levels/lattice.h"
#include "shoal/method/levels/lattice_tuples.h"
#include "shoal/method/levels/level_drop.h"
#include "shoal/method/levels/level_loss.h"
#include "shoal/method/levels/level_population.h"
#include "shoal/method/levels/sweep.h"
#include "shoal/method/method.h"

namespace shoal {

// Why this problem's lattice is too large to search, with numbers and what to do instead; nothing when it is not.
std::optional<std::string> lattice_too_large(const Problem& problem);

// Why no level vector can obey the rules while no row may be dropped: the vector of all tops does not. Nothing when it
// does, or when rows may be dropped.
std::optional<std::string> top_breaks(const Problem& problem);

// The columns of all requirements, and the requirements in terms of these.
std::vector<LevelColumn> level_columns(const Problem& problem);
std::vector<SweepRequirement> sweep_requirements(const Problem& problem, std::span<const LevelColumn> columns);

// The vectors over some columns, with requirements that can be decided on these alone.
struct PartLattice {
  std::vector<size_t> columns;  // of the whole lattice, ascending
  std::vector<SweepRequirement> requirements;
  Lattice lattice;
  std::vector<VectorVerdict> verdicts;
  std::optional<LatticeTuples> own_tuples;         // unless the part has all columns
  std::optional<LevelPopulation> population = {};  // where its requirement asks about one; no row may be dropped then
};

// The best of many vectors, whatever the order in which they come: least loss, then least sum of levels, then
// lexicographically smallest. Losses within `tolerance` of the least are equal.
class BestVector {
 public:
  BestVector(const Lattice& lattice, double tolerance) : lattice_(&lattice), tolerance_(tolerance) {}
  void add(VectorIndex vector, double loss);
  void add(const BestVector& other);
  bool empty() const { return by_loss_.empty(); }
  struct Choice {
    VectorIndex vector = 0;
    double loss = 0;
  };
  // Requires !empty().
  Choice choice() const;

 private:
  bool precedes(VectorIndex a, VectorIndex b) const;
  const Lattice* lattice_;
  double tolerance_;
  std::map<double, VectorIndex> by_loss_;  // the first of each loss that may still be the least
};

class LevelSearch {
 public:
  // Keeps references to both. Requires: lattice_too_large(problem) is nothing. Cost: linear in rows.
  LevelSearch(const Problem& problem, Progress& progress);

  const Lattice& lattice() const { return lattice_; }
  std::span<const LevelColumn> columns() const { return columns_; }
  uint64_t limit() const { return limit_; }
  // Whether what is coarser than a satisfying vector satisfies: always while no row may be dropped (see Sweep).
  bool inherits() const { return inherits_; }
  std::vector<PartLattice>& parts() { return parts_; }
  const LatticeTuples& tuples(const PartLattice& part) const { return part.own_tuples ? *part.own_tuples : tuples_; }
  // Before the part's tuples are projected.
  void unpack_tuples(PartLattice& part) { (part.own_tuples ? *part.own_tuples : tuples_).unpack_digits(); }

  // Whether the groups of a vector of the part keep its models of the population; true where it has none.
  bool population_holds(const PartLattice& part, VectorIndex own) const;

  bool satisfies(VectorIndex vector) const { return verdict(vector) == VectorVerdict::satisfies; }
  VectorVerdict verdict(VectorIndex vector) const;
  // Counts what is not known about the given vectors (unless time runs out), and marks what follows for others where
  // verdicts are inherited.
  void decide(std::span<const VectorIndex> vectors);
  // All vectors known to satisfy, ascending. Cost: linear in the lattice.
  std::vector<VectorIndex> satisfying() const;
  // Those of them that are not coarser than another one.
  std::vector<VectorIndex> minimal() const;
  // Compares vectors by the measure. When no row may be dropped, all of them must satisfy; otherwise they are counted,
  // which also decides them. Nothing when none satisfies or time ran out before the first.
  std::optional<BestVector::Choice> best(std::span<const VectorIndex> vectors);

  // Calls visit(worker, vector, outcome, sweep) for each vector of `lattice`, whose columns are the table's; workers
  // are numbered below threads. Stops early when time runs out. Throws Error(cancelled).
  using Visit = std::function<void(size_t worker, VectorIndex vector, Sweep::Outcome outcome, const Sweep& sweep)>;
  void evaluate(const LatticeTuples& table, std::span<const SweepRequirement> requirements, const Lattice& lattice,
                std::span<const VectorIndex> vectors, const Visit& visit, const SweepGains* gains = nullptr);

  const Problem& problem() const { return problem_; }
  Progress& progress() { return progress_; }
  // True once time ran out, and from then on; what is unknown then stays unknown.
  bool out_of_time();
  // Vectors whose groups were counted so far.
  std::atomic<uint64_t>& counted() { return counted_; }

  // The levels of all quasi columns.
  std::vector<int> all_levels(VectorIndex vector) const;
  // "[1,0,2] [2,0,0] and 7 more": at most 20.
  std::string text(std::span<const VectorIndex> vectors) const;
  // The chosen vector as a result, its loss in stats.details. No choice: when time ran out, all columns at the top with
  // a notice; else nothing, with the reason. The rest of the stats is the method's.
  SearchResult answer(const std::optional<BestVector::Choice>& choice) const;

 private:
  void add_part(std::vector<size_t> columns, std::vector<SweepRequirement> requirements);
  // The vector's levels on the part's columns, as a vector of the part's lattice.
  VectorIndex in_part(const PartLattice& part, VectorIndex vector) const;
  void count_losses(std::span<const VectorIndex> vectors, std::vector<BestVector>& best);

  const Problem& problem_;
  Progress& progress_;
  uint64_t limit_;
  std::vector<LevelColumn> columns_;
  Lattice lattice_;
  std::optional<Tail> rule_tail_;  // where some requirement asks for more than k rows
  bool inherits_ = true;
  LatticeTuples tuples_;
  std::vector<SweepRequirement> requirements_;
  std::vector<PartLattice> parts_;
  std::string measure_;
  std::optional<LevelLoss> loss_;
  std::atomic<uint64_t> counted_{0};
  std::atomic<bool> out_of_time_{false};
};

}  // namespace shoal
