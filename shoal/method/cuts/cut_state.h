// One state of optimal-cut's search: narrowing it and splitting it, without touching any other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "shoal/method/cuts/cut_clauses.h"
#include "shoal/method/cuts/cut_question.h"
#include "shoal/method/cuts/cut_space.h"
#include "shoal/run/progress.h"

namespace shoal {

// All cuts between `low` and `high`.
struct CutState {
  Cut low, high;
  double bound;                                    // no satisfying cut of the state has a smaller loss
  std::shared_ptr<const CutQuestion::Place> from;  // tuples to begin with, at low or below it
  uint64_t order = 0;                              // when it was made
};

// A satisfying cut and its loss.
struct CutAnswer {
  Cut cut;
  double loss;
};

// What came of looking at a state. Nothing in it depends on who looked, or on what is looked at meanwhile.
struct CutLook {
  bool begun = false;                               // false: time was up before
  bool dead = false;                                // no cut in it is worth looking at
  uint64_t steps = 0;                               // states on the way, for a dive
  std::optional<CutAnswer> answer;                  // better than what was known
  std::vector<Clause> learned;                      // in the order they were found
  std::vector<CutState> children;                   // dear ones first; all of them begin at `place`
  std::shared_ptr<const CutQuestion::Place> place;  // low, narrowed
};

// Looks at states, one after the other. Has the memory to do so: one per thread.
class CutLooker {
 public:
  // What is known before the look. Must not change during it.
  struct Known {
    const ClauseStore& clauses;
    double best_loss;
  };

  // `question` and `progress` must outlive this.
  CutLooker(const CutQuestion& question, const Progress& progress);

  // Narrows a state and splits it. Throws Error(cancelled).
  CutLook expand(CutState state, const Known& known);
  // Goes down from a state to an answer by always taking the least loss, forbidding nothing. Throws Error(cancelled).
  CutLook dive(CutState state, const Known& known);
  // Narrows alone; afterwards price() is about the narrowed low. Throws Error(cancelled).
  CutLook narrow_only(CutState& state, const Known& known);

  // The loss of low with one more raise; infinite for raises that are not open.
  const std::vector<double>& price() const { return price_; }

  // Losses this large or larger are no improvement on `best_loss`; the margin takes up rounding in sums over cells.
  static double cutoff(double best_loss);

 private:
  void begin(const CutState& state, const Known& known);
  CutLook end();
  double cutoff() const { return cutoff(best_loss_); }
  bool narrow(CutState& state);
  bool narrow_high(CutState& state);
  void learn_from_low();
  std::vector<uint32_t> choose_clause(const CutState& state) const;
  void split(const CutState& state);
  void move_to(const Cut& low);
  std::vector<uint32_t> open_raises(const CutState& state) const;
  void offer(const Cut& cut, double loss);

  const CutQuestion& question_;
  const CutSpace& space_;
  const Progress& progress_;
  KeyIndex index_;
  std::vector<double> price_;

  // Of the present look:
  const ClauseStore* clauses_ = nullptr;
  double best_loss_ = 0;
  std::shared_ptr<const CutQuestion::Place> place_;
  CutLook look_;
};

}  // namespace shoal
