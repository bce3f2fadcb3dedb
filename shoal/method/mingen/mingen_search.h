// The exact search of method `mingen`: which boxes to use, and which rows go where, at the least loss of Prec.
//
// Branch and bound over the boxes. A state says of some boxes that they are used (k rows or more) or not used at all.
// The bound: every row in its cheapest box, with k rows in each box that must be used; whether the other boxes get k
// rows is left open. That is a flow problem, solved exactly. Before it, boxes are closed that cannot be part of a
// better release: were one used, k rows would be in it, and even the k that mind least would mind too much. When no box
// of its answer is short of rows, the answer is a release and the best one of the state; else one that is short is
// branched on. Where equal rows must be treated alike a tuple that the flow splits is branched on too: in its largest
// box as a whole, or not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "shoal/method/mingen/mingen_space.h"
#include "shoal/run/progress.h"
#include "shoal/run/seeded_random.h"

namespace shoal {

// How many rows of a tuple go to which box.
struct MinGenPart {
  uint32_t tuple, box, rows;
};
struct MinGenAnswer {
  KacaCost cost = 0;
  std::vector<MinGenPart> parts;
};

class MinGenSearch {
 public:
  // `alike`: all rows of a tuple go to the same box. space and progress must outlive the search.
  MinGenSearch(const MinGenSpace& space, bool alike, Progress& progress);

  // A release to start from; the search looks for better ones only. Requires: a release.
  void start_from(MinGenAnswer answer) { best_ = std::move(answer); }
  // About how many states the search will look at, by random dives (Knuth 1975). When that is surely more than `most`
  // and takes long to find out, what was counted so far.
  double estimate(double most);
  // True: best() is proven. False: stopped, after `most` states or because time was up.
  bool run(uint64_t most);

  const MinGenAnswer& best() const { return best_; }
  uint64_t states() const { return states_; }
  uint64_t pruned() const { return pruned_; }
  KacaCost first_bound() const { return first_bound_; }

 private:
  enum class Use : uint8_t { open, must, never };
  struct Branch {  // one of: a box that must or must never be used; a tuple that must or must never be in a box
    uint32_t tuple, box;
    bool wanted;
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  static constexpr int kDives = 16;
  static constexpr uint64_t kPriceWork = 200'000;  // bids looked at per state, about
  static constexpr uint64_t kLongDives = 60;       // states after which an estimate that is too high already may stop
  struct Child {
    Branch branch;
    MinGenAnswer relaxed;
    std::vector<uint32_t> closed;  // boxes of no use there
  };

  std::optional<MinGenAnswer> relax();
  bool priced_out();
  double price_boxes(std::vector<double>& taken);
  bool close_hopeless_boxes();
  KacaCost cheapest_places();
  KacaCost price_of_use(uint32_t box, KacaCost enough);
  bool fill(uint32_t box);
  bool allowed(uint32_t tuple, uint32_t box) const;
  uint32_t rows_in(uint32_t tuple, uint32_t box) const;
  void move(uint32_t tuple, uint32_t from, uint32_t to, uint32_t rows);
  std::optional<Branch> branch_of(const MinGenAnswer& answer) const;
  void decide(const Branch& branch);
  void undo(const Branch& branch);
  void close(const std::vector<uint32_t>& boxes);
  void reopen(size_t closed);  // those closed after the first so many
  std::vector<Child> children(Branch branch);
  bool explore(const MinGenAnswer& relaxed, uint64_t most);
  double dive(double most, uint64_t enough);

  const MinGenSpace& space_;
  const bool alike_;
  Progress& progress_;
  MinGenAnswer best_;
  bool time_is_up_ = false;
  uint64_t states_ = 0, pruned_ = 0;
  KacaCost first_bound_ = 0;

  // The state: what is decided. A box that is found to be of no use in a state is closed there, and below it.
  std::vector<Use> use_;                            // [box]
  std::vector<uint32_t> closed_;                    // boxes closed so, in order
  std::vector<uint32_t> only_box_;                  // [tuple]: kNone: any
  std::vector<std::vector<uint32_t>> never_boxes_;  // [tuple]

  std::vector<KacaCost> cheapest_;                      // [tuple]: cost per row in the cheapest box it may be in
  std::vector<std::pair<KacaCost, uint32_t>> regrets_;  // of tuples in a box, with their rows

  std::vector<double> price_, box_value_;          // [tuple] what a row pays; [box] what use of it adds
  std::vector<std::pair<double, uint32_t>> bids_;  // of tuples in a box: what a row costs above its price

  // The flow of the state in hand.
  struct Share {
    uint32_t box, rows;
    KacaCost cost;
  };
  std::vector<std::vector<Share>> flow_;  // [tuple]
  std::vector<uint32_t> load_;            // [box]
  std::vector<uint8_t> filled_;           // [box]: must keep k rows from now on
  struct Step {
    KacaCost distance;
    uint32_t towards, tuple;
  };
  std::vector<Step> steps_;  // [box], while filling
  std::vector<uint32_t> reached_, must_;
  LongRandom random_{1};
};

}  // namespace shoal
