// A cut that is refined from the top: what every value is masked to, and which refinements are open.
//
// Each column that some requirement names starts as one cell, the root. A cell is a masked value (a node, an interval,
// the leaves still suppressed); refining it replaces it by smaller cells. Three kinds of columns:
//   tree      a node is replaced by its children;
//   interval  numeric, all leaves directly under the root: an interval is replaced by the two of its best binary split
//             by information gain; a missing leaf is a part of its own when the root is split;
//   flat      not numeric, all leaves directly under the root: either one suppressed value at a time is disclosed, or
//             all at once (the root is refined like a tree node).
// Information gains depend on the column alone, so they come from its class counts and never need the rows.
// Not safe to share between threads, except that kill() and live() may be called from several at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/refine/class_counts.h"

namespace shoal {

// Whether a flat column discloses one suppressed value at a time (tdr.txt 3.1.2), or all its values together.
enum class FlatColumns { disclose_one, refine_all };

// A masked value. `parts` is how its rows fall apart when it is refined: part i is children[i]; in a cell that
// discloses one value at a time part 0 is empty, and part i >= 1 is the value children[i - 1].
struct Cell {
  uint32_t column = 0;
  Released release;
  bool one_by_one = false;
  std::vector<Released> children;
  uint32_t parts = 0;            // 0: nothing to refine
  uint32_t first_candidate = 0;  // its candidates are numbered from here: one, or (one_by_one) one per child
  uint32_t candidates = 0;
};

// A refinement that could be done.
struct Candidate {
  uint32_t cell = 0;
  uint32_t part = 0;  // one_by_one: the part that would be disclosed
  double info_gain = 0;
};

// What refine() did: `cell` was replaced by the cells first .. first + count - 1, or (one_by_one) gave its one
// disclosed value to the cell `first` and keeps the others.
struct Refined {
  uint32_t cell = 0;
  uint32_t first = 0;
  uint32_t count = 0;
};

class MaskedCut {
 public:
  // Requires: the problem has a target and outlives the cut. Cost: rows x columns.
  MaskedCut(const Problem& problem, FlatColumns flat_columns);

  // Columns some requirement names; the others are released as they are and have no cells.
  bool masked(size_t column) const { return !columns_[column].cell_of_leaf.empty(); }
  const std::vector<Cell>& cells() const { return cells_; }
  const std::vector<Candidate>& candidates() const { return candidates_; }
  // Per leaf of a masked column: its cell, and the part of that cell it is in (0 where the cell has no parts).
  std::span<const uint32_t> cell_of_leaf(size_t column) const { return columns_[column].cell_of_leaf; }
  std::span<const uint32_t> part_of_leaf(size_t column) const { return columns_[column].part_of_leaf; }

  // A candidate is live until it is refined or found invalid. Only beneficial ones (rows of more than one class) are
  // live at all. A cell is live while it has a live candidate.
  bool live(uint32_t candidate) const { return live_[candidate].load(std::memory_order_relaxed); }
  bool cell_live(uint32_t cell) const { return live_candidates_[cell].load(std::memory_order_relaxed) > 0; }
  // The candidate would break a requirement. Refining only makes groups smaller, so it stays invalid for good.
  void kill(uint32_t candidate);
  uint64_t invalid() const { return invalid_.load(std::memory_order_relaxed); }  // how many were live and are not valid

  // Requires: live(candidate). New cells get new numbers; the order of children is that of their leaves.
  Refined refine(uint32_t candidate);

  // "column: value -> part, part, ..." with the texts that would be released.
  std::string describe(uint32_t candidate) const;
  Recoding recoding() const;
  // One tree per column whose intervals were grown and split at least once.
  std::vector<std::pair<size_t, Tree>> grown_trees() const;

 private:
  enum class Kind { tree, interval, flat };
  struct ColumnState {
    Kind kind = Kind::tree;
    std::vector<ClassCounts> counts;  // one, or none when the column is not masked
    std::vector<uint32_t> cell_of_leaf, part_of_leaf;
  };
  struct Split {  // of a grown interval tree
    uint32_t parent, first, count;
  };

  uint32_t add_cell(uint32_t column, const Released& release);
  uint32_t add_candidate(uint32_t cell, uint32_t part, double info_gain);
  void open_whole(uint32_t cell, std::vector<Released> children);
  void open_disclosures(uint32_t cell);
  void score_disclosures(uint32_t cell);
  bool close(uint32_t candidate);
  std::vector<Released> best_split(const Cell& cell) const;
  std::vector<Released> tree_children(const Cell& cell) const;
  void open(uint32_t cell);
  Refined refine_whole(uint32_t cell);
  Refined disclose(uint32_t candidate);
  std::vector<uint64_t> class_counts(const Cell& cell) const;
  std::string text(uint32_t column, const Released& release) const;

  const Problem& problem_;
  FlatColumns flat_columns_;
  std::vector<ColumnState> columns_;
  std::vector<Cell> cells_;
  std::vector<Candidate> candidates_;
  std::deque<std::atomic<bool>> live_;                 // [candidate]
  std::deque<std::atomic<uint32_t>> live_candidates_;  // [cell]
  std::vector<Split> splits_;
  std::atomic<uint64_t> invalid_{0};
};

}  // namespace shoal
