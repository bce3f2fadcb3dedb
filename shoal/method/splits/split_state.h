// One state of k-optimize: all sets that have certain splits and lack others; what they cost at least, and which of the
// open splits no good set of them has, or lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/method/splits/split_scene.h"
#include "shoal/run/progress.h"

namespace shoal {

enum class Fate : uint8_t { open, in, out };
using Fates = std::vector<Fate>;  // one per split

struct FoundSet {
  SplitSet splits;
  uint64_t cost = UINT64_MAX;
};

// What an examination found out about a state.
struct ExaminedState {
  bool finished = true;  // else: out of time, nothing below is known
  bool dead = false;     // no set of it is better than what is known
  Fates fates;           // narrowed
  uint64_t bound = 0;    // no set of it costs less
  uint32_t branch = 0;   // the split to decide next, and what both sides then cost at least
  uint64_t in_bound = 0, out_bound = 0;
  FoundSet found;  // the best set seen on the way
};

// Examines states; keeps memory between them. One per thread. Costs are dm or cm.
//
// The head of a state has the splits that are in, its tail also the open ones: every set of the state lies between.
// What the head drops every set drops (that is why models allow no dropping here). A cell is a group of the tail; it
// stays whole in every set, so that a kept row costs what its cell costs, or more (Bayardo and Agrawal, section 5).
class StateExaminer {
 public:
  // `scene` must outlive this. `tuples`, `ruled`: the scene's, or rolled to the tail of a state that all others lie in;
  // must outlive the calls.
  explicit StateExaminer(const SplitScene& scene) : scene_(scene), space_(scene.space()) {}

  // `best`: only sets that cost less are of interest.
  ExaminedState examine(Fates fates, uint64_t best, const TupleTable& tuples, const TupleTable* ruled,
                        const Progress& progress);

 private:
  bool look(ExaminedState& state, uint64_t& best, const TupleTable& tuples, const TupleTable* ruled);
  bool head_holds(const TupleTable* ruled);
  void offer(const SplitSet& set, const std::vector<TupleTable::NodeMap>& maps, std::span<const uint8_t> dropped,
             ExaminedState& state, uint64_t& best);
  void price_cells();
  void probe_merges(const Fates& fates);
  void merge(uint32_t split, std::span<const uint32_t> cells, const TupleTable::Field& field);
  void sum_merges(const Fates& fates);
  void probe_parts(const Fates& fates);
  void part_group(std::span<const uint32_t> cells, const Fates& fates);
  void part_column(size_t column, std::span<const uint32_t> cells, const Fates& fates);
  void probe_parts_one_by_one(const Fates& fates);
  bool decide(ExaminedState& state, uint64_t best) const;
  void choose_branch(ExaminedState& state) const;
  uint64_t minority(size_t tuple) const;
  uint32_t leaf(size_t tuple, size_t column) const;

  const SplitScene& scene_;
  const SplitSpace& space_;
  SplitMemory memory_;
  KeyIndex index_;

  // Of the state at hand.
  SplitSet head_, tail_;
  std::vector<TupleTable::NodeMap> head_maps_;
  std::optional<TupleTable> cells_, ruled_cells_;
  std::vector<uint8_t> head_dropped_;  // [cell]
  uint64_t head_dropped_rows_ = 0;
  std::vector<uint32_t> kept_;                   // cells that the head does not drop, in order
  std::vector<uint64_t> kept_cost_, drop_cost_;  // [cell]: at least, and exactly
  uint64_t bound_ = 0;
  struct Merged {  // a cell that a split keeps small, and the rows around it once the split is out
    uint32_t split, cell, rows;
  };
  std::vector<Merged> merged_;
  std::vector<uint64_t> out_more_, in_more_;  // [split]: by how much the bound rises when it is out, in
  std::vector<uint64_t> in_dropped_;          // [split]: further rows dropped when it is in
  std::vector<uint8_t> useful_;               // [split]: parts a group so that something of it can stay
  std::vector<uint64_t> count_, weight_;      // scratch of part_column
};

}  // namespace shoal
