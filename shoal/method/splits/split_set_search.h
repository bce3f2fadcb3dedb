// Branch and bound over all sets of splits: the search behind k-optimize.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "shoal/method/splits/split_scene.h"
#include "shoal/method/splits/split_state.h"
#include "shoal/run/progress.h"
#include "shoal/run/seeded_random.h"

namespace shoal {

// Finds the set of least cost. States wait by their bounds; a fixed number of the best are examined at a time, on all
// threads, and what they found comes in in their order: the same search whatever the threads.
class SplitSetSearch {
 public:
  struct Counts {
    uint64_t generated = 1, examined = 0, dead = 0, depth_first = 0;
    uint64_t judged = 0, coarse = 0, near = 0;  // sets and states looked at for a first answer and for better ones
  };

  // `scene` must outlive this; its cost is dm or cm. `queue_bytes`: beyond it the search goes depth-first. Requires
  // that the set without splits can be released.
  SplitSetSearch(const SplitScene& scene, size_t queue_bytes);

  // An answer that is known already, with its cost. Before run().
  void start_from(SplitSet splits, uint64_t cost) { offer({std::move(splits), cost}); }
  // Runs until proven, out of time, or so many states were examined. Throws Error(cancelled).
  void run(Progress& progress, uint64_t most_states = UINT64_MAX);

  const SplitSet& best() const { return best_.splits; }
  uint64_t best_cost() const { return best_.cost; }
  // No set that can be released costs less.
  uint64_t bound() const;
  bool proven() const { return bound() >= best_.cost; }
  const Counts& counts() const { return counts_; }

 private:
  struct State {
    Fates fates;
    uint64_t bound = 0;
    uint64_t order = 0;  // when it was made
  };
  static bool worse(const State& a, const State& b) {  // newest first among equals: it is nearer to an answer
    return a.bound != b.bound ? a.bound > b.bound : a.order < b.order;
  }

  void begin(Progress& progress);
  void branch(uint64_t most_states, Progress& progress);
  Fates coarse_borders(size_t parts) const;
  void climb(FoundSet from, Progress& progress);
  std::vector<SplitSet> steps_from(const SplitSet& set) const;
  bool try_steps(FoundSet& set, std::vector<SplitSet>& steps, Progress& progress);
  void search_near(Progress& progress);
  FoundSet dive(StateExaminer& examiner, ExaminedState state, uint64_t best, const Progress& progress) const;
  ExaminedState examine(StateExaminer& examiner, Fates fates, uint64_t best, const Progress& progress) const;
  Fates decided(const ExaminedState& state, bool in) const;
  void look_at_all(Progress& progress);
  std::vector<State> take();
  void put(State state);
  bool meet_root(Fates& fates) const;
  void take_in(const State& state, const ExaminedState& examined);
  void offer(const FoundSet& found);

  const SplitScene& scene_;
  size_t queue_bytes_;
  std::vector<State> heap_, stack_;
  State root_;              // what holds for every set that is better than the best
  uint64_t root_cost_ = 0;  // the best cost it was examined with
  TupleTable tuples_;       // rolled to the root's tail
  std::optional<TupleTable> ruled_;
  FoundSet best_;
  uint64_t made_ = 0;
  SeededRandom random_;
  bool near_another_ = false;  // a search of a few columns, for another one
  Counts counts_;
};

}  // namespace shoal
