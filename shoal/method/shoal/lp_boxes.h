// Goes through every box that k rows overpay: rows carry a price each (a dual value), and a box is overpaid when the k
// dearest rows inside it carry more on average than the box costs per row.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/method/shoal/lp_cells.h"
#include "shoal/method/shoal/shoal_boxes.h"
#include "shoal/run/progress.h"

namespace shoal {

// The distinct tuples by falling dual value, ties by number: a tuple's place here is its rank. In ascending ranks, the
// dearest rows of any set come first.
struct RankedTuples {
  // rows: [tuple], how many of its rows count; tuples with none are left out.
  RankedTuples(const NcpSpace& space, const DistinctTuples& tuples, const std::vector<uint32_t>& rows,
               const std::vector<double>& dual);
  std::vector<uint32_t> tuple;               // [rank]
  std::vector<double> dual;                  // [rank], falling
  std::vector<uint32_t> rows;                // [rank]: how many rows are like this
  std::vector<std::vector<uint32_t>> codes;  // [column][rank]
  size_t size() const { return tuple.size(); }
};

// A box in a cell: the tuples whose value on the slid column lies in first .. last (no slid column: all).
struct OverpaidBox {
  uint32_t first = 0, last = UINT32_MAX;
  double price = 0;   // per row
  double excess = 0;  // by how much the mean of its k dearest rows is above the price
};

class BoxVisitor {
 public:
  virtual ~BoxVisitor() = default;
  // `inside`: ranks, ascending, of the tuples of one cell (one choice of a cell on every other column) that can be
  // among k rows that overpay; `boxes`: at least one.
  virtual void cell(std::span<const uint32_t> inside, std::span<const OverpaidBox> boxes) = 0;
};

// Which boxes are shown. Both: only boxes with k rows whose mean is above the price by more than the tolerance.
enum class BoxChoice {
  dearest,  // leaves out boxes whose k dearest rows lie in a smaller box that is shown as well
  all       // every box that any overpaying k rows span tightly: enough to lower duals until none is left
};

// One per thread.
class BoxWalk {
 public:
  struct Settings {
    uint64_t k = 1;
    double tolerance = 0;
    BoxChoice choice = BoxChoice::dearest;
    uint64_t most_looked_at = UINT64_MAX;  // tuples, in one part; see gave_up()
    // By all walks that share it, now and then brought up to date: beyond most_looked_at each of them gives up. That a
    // whole walk is too much work is the same for any number of threads, since what all parts take does not depend on
    // it.
    std::atomic<uint64_t>* looked_at_by_all = nullptr;
  };
  // All must outlive the walk.
  BoxWalk(const NcpSpace& space, const BoxCells& cells, const RankedTuples& tuples, const Settings& settings,
          const Progress& progress);

  // The work in parts, to share between threads: one part per cell of the first column.
  static size_t parts(const BoxCells& cells);
  void walk(size_t part, BoxVisitor& visitor);
  // Tuples looked at so far: the cost of the walk, the same on every machine.
  uint64_t looked_at() const { return looked_at_; }
  // A part was too much work or the time ran out: boxes were left out.
  bool gave_up() const { return gave_up_; }

 private:
  struct Level {
    std::vector<uint32_t> sorted, begins;
  };
  void sort_by_leaf();
  bool promising(std::span<const uint32_t>& inside, double price);
  void enter(size_t place, std::span<const uint32_t> inside, double price);
  void visit_tree(size_t place, uint32_t cell, std::span<const uint32_t> inside, double price);
  void visit_runs(size_t place, std::span<const uint32_t> inside, double price);
  void visit_run(size_t place, uint32_t first, uint32_t last, std::span<const uint32_t> inside, double price);
  void sort_by_child(Level& level, std::span<const uint32_t> inside, size_t children,
                     const std::vector<uint32_t>& codes, const std::vector<uint32_t>& child_of);
  void finish(std::span<const uint32_t> inside, double price);
  void lay_out(std::span<const uint32_t> inside);
  void slide(std::span<const uint32_t> inside, double price);
  bool worth_sliding(size_t run, double price);
  bool mean_of_dearest(size_t run, size_t end, double least);
  void slide_from(size_t run, double price);

  const NcpSpace& space_;
  const BoxCells& cells_;
  const RankedTuples& tuples_;
  const Settings settings_;
  const Progress& progress_;
  BoxVisitor* visitor_ = nullptr;
  uint64_t looked_at_ = 0, checked_at_ = 0, part_began_at_ = 0;
  bool gave_up_ = false;
  std::vector<uint32_t> by_leaf_, leaf_begins_;  // ranks by their leaf on the first column, where that is a tree
  std::vector<Level> levels_;                    // memory for every depth of the recursion
  size_t depth_ = 0;
  double top_mean_ = 0;             // of the list that was last found promising
  std::vector<OverpaidBox> boxes_;  // of the cell at hand
  // The cell at hand; a place is one in the list of its tuples, which come by falling dual value.
  struct Run {  // of places with the same value on the slid column
    uint32_t value, begin;
    uint64_t rows_before;
  };
  std::vector<Run> runs_;                     // by value; one behind the last
  std::vector<uint32_t> by_value_;            // places by value, then place
  std::vector<uint32_t> value_of_, rows_of_;  // [place]
  std::vector<double> dual_of_;               // [place]
  std::vector<uint32_t> dearest_;             // heap of places: the k dearest rows, cheapest on top
  std::vector<uint32_t> counts_, few_;        // memory
};

}  // namespace shoal
