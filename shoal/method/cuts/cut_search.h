// Branch and bound over all cuts: the search behind optimal-cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/method/cuts/cut_clauses.h"
#include "shoal/method/cuts/cut_objective.h"
#include "shoal/method/cuts/cut_question.h"
#include "shoal/method/cuts/cut_space.h"
#include "shoal/method/cuts/cut_state.h"
#include "shoal/method/method.h"

namespace shoal {

// Finds the satisfying cut of least loss. A state of the search stands for all cuts between `low` and `high`. By
// monotony the loss of low bounds them all, and there is a satisfying one exactly when high satisfies. A state is
// narrowed (clauses force raises into low, the best loss so far forbids raises in high), then split: of a clause that
// low does not meet, child i takes raise i and does without raises 1 .. i-1. So no cut is looked at twice. Rules of
// requirements change none of this: no row is dropped, so that what satisfies does so however it is raised (rules.h).
//
// The best states are looked at in batches, on problem.threads threads. What is in a batch, and in which order its
// findings are put together, does not depend on the threads; so neither do the answer and the counts.
class CutSearch {
 public:
  struct Limits {
    size_t queue_bytes;   // waiting states; beyond it the search goes depth-first
    size_t clause_bytes;  // beyond it clauses are used once and forgotten
    size_t tuple_bytes;   // tuples that waiting states begin with; beyond it they begin with those of the root
  };
  struct Counts {
    uint64_t generated = 0, expanded = 0, bounded = 0, dead = 0, depth_first = 0, dived = 0;
    bool operator==(const Counts&) const = default;
  };

  // `problem`, `space` and `objective` must outlive this. `requirements`: places of those that are needed. Requires
  // that everything at the root satisfies.
  CutSearch(const Problem& problem, const std::vector<size_t>& requirements, const CutSpace& space,
            const CutObjective& objective, Limits limits);

  // Runs until proven or out of time. Throws Error(cancelled).
  void run(Progress& progress);

  const Cut& best() const { return best_.cut; }
  double best_loss() const { return best_.loss; }
  // No satisfying cut has a smaller loss than this.
  double bound() const;
  bool proven() const { return proven_; }
  const Counts& counts() const { return counts_; }
  size_t clauses() const { return clauses_.size(); }

 private:
  using Place = CutQuestion::Place;
  static bool worse(const CutState& a, const CutState& b) {  // newest first among equals: it is nearer to an answer
    return a.bound != b.bound ? a.bound > b.bound : a.order < b.order;
  }

  CutState take();
  void put(CutState&& state);
  bool waiting() const { return !heap_.empty() || !stack_.empty(); }
  bool depth_first() const;
  size_t state_bytes() const;
  double cutoff() const { return CutLooker::cutoff(best_.loss); }
  CutLooker::Known known() const { return {clauses_, best_.loss}; }
  CutLooker& looker(size_t worker, const Progress& progress);

  bool narrow_root(CutState& root, Progress& progress);
  void learn_at_root(const CutState& root, Progress& progress);
  std::vector<CutState> next_batch();
  void look_at(std::vector<CutState> batch, Progress& progress);
  void merge(CutLook&& look);
  std::shared_ptr<const Place> kept(std::shared_ptr<const Place> place);
  void refine(Progress& progress);

  const CutQuestion question_;
  const CutSpace& space_;
  const Limits limits_;
  const int threads_;

  size_t tuple_bytes_ = 0;              // of kept places; outlives all that holds them
  std::shared_ptr<const Place> first_;  // nothing raised
  std::shared_ptr<const Place> base_;   // raises what every cut better than "all at the root" raises
  ClauseStore clauses_;
  std::vector<std::unique_ptr<CutLooker>> lookers_;  // one per worker, once it is needed
  std::vector<CutState> heap_, stack_;
  uint64_t next_dive_ = 0;  // when so many states are expanded
  bool proven_ = false;
  CutAnswer best_;
  Counts counts_;
};

}  // namespace shoal
