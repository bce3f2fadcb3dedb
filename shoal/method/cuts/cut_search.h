// Branch and bound over all cuts: the search behind optimal-cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "shoal/method/cuts/cut_clauses.h"
#include "shoal/method/cuts/cut_objective.h"
#include "shoal/method/cuts/cut_space.h"
#include "shoal/method/cuts/tuple_table.h"
#include "shoal/method/method.h"

namespace shoal {

// Finds the satisfying cut of least loss. A node of the search stands for all cuts between `low` and `high`. By
// monotony the loss of low bounds them all, and there is a satisfying one exactly when high satisfies. A node is
// narrowed (clauses force raises into low, the best loss so far forbids raises in high), then split: of a clause that
// low does not meet, child i takes raise i and does without raises 1 .. i-1. So no cut is looked at twice. Rules of
// requirements change none of this: no row is dropped, so that what satisfies does so however it is raised (rules.h).
class CutSearch {
 public:
  struct Limits {
    size_t queue_bytes;   // beyond it the search goes depth-first
    size_t clause_bytes;  // beyond it clauses are used once and forgotten
  };
  struct Counts {
    uint64_t generated = 0, expanded = 0, bounded = 0, dead = 0, depth_first = 0, dived = 0;
  };

  // `problem`, `space` and `objective` must outlive this. `requirements`: places of those that are needed. Requires
  // that everything at the root satisfies.
  CutSearch(const Problem& problem, const std::vector<size_t>& requirements, const CutSpace& space,
            const CutObjective& objective, Limits limits);

  // Runs until proven or out of time. Throws Error(cancelled).
  void run(Progress& progress);

  const Cut& best() const { return best_; }
  double best_loss() const { return best_loss_; }
  // No satisfying cut has a smaller loss than this.
  double bound() const;
  bool proven() const { return proven_; }
  const Counts& counts() const { return counts_; }
  size_t clauses() const { return clauses_.size(); }

 private:
  struct Node {
    Cut low, high;
    double bound;    // loss of low, or more
    uint64_t order;  // when it was made
  };
  static bool worse(const Node& a, const Node& b) {  // newest first among equals: it is nearer to an answer
    return a.bound != b.bound ? a.bound > b.bound : a.order < b.order;
  }
  using Tables = std::vector<TupleTable>;  // one per view

  Node take();
  void put(Node&& node);
  bool depth_first() const;
  size_t node_bytes() const;
  double cutoff() const;

  void expand(Node&& node, Progress& progress);
  bool narrow(Node& node);
  bool narrow_high(Node& node);
  bool force_at_root(Node& node, Progress& progress);
  void dive(Node node, Progress& progress);
  std::vector<uint32_t> choose_clause(const Node& node);
  void split(const Node& node);
  void move_tables(const Cut& low);
  std::vector<uint32_t> open_raises(const Node& node) const;
  Tables rolled(const Tables& tables, const Cut& cut);
  double loss_of(const Cut& cut, const Tables& tables) const;
  // A requirement that does not hold, and a tuple in a group that breaks it; kAllGroups: all groups together do.
  struct Violation {
    size_t requirement, tuple;
  };
  static constexpr size_t kAllGroups = SIZE_MAX;
  std::optional<Violation> violation(const Tables& tables);
  std::vector<size_t> violating_tuples(size_t requirement, const Tables& tables);
  void learn(const Violation& violation, const Tables& tables, const Cut& cut);
  void learn_from_low();
  void offer(const Cut& cut, double loss);
  void refine(Progress& progress);

  std::vector<Requirement> requirements_;
  std::vector<std::shared_ptr<const GroupRule>> rules_;  // one per requirement
  const CutSpace& space_;
  const CutObjective& objective_;
  Limits limits_;

  std::vector<size_t> view_of_requirement_;
  std::optional<size_t> view_of_objective_;
  Tables first_;  // as the input is
  Tables base_;   // under base_low_, which every cut better than "all at the root" raises
  Cut base_low_;
  Tables tables_;  // under tables_low_
  Cut tables_low_;
  std::vector<double> price_;  // loss of low with one more raise; infinite for raises that are not open
  ClauseStore clauses_;
  std::vector<Clause> passing_;  // clauses of the present node that are not kept
  KeyIndex index_;
  const Progress* progress_ = nullptr;  // of run()

  std::vector<Node> heap_, stack_;
  bool proven_ = false;
  Cut best_;
  double best_loss_ = 0;
  Counts counts_;
};

}  // namespace shoal
