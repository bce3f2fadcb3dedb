// What is released on shared columns, whoever found it; what that leaves to pay on own columns; and the whole answer.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "shoal/method/blocks/overlap.h"
#include "shoal/method/blocks/tide.h"
#include "shoal/method/space/released_part.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/run/progress.h"

namespace shoal {

// Rows with the same cells on every shared column stand together. For every requirement, rows with equal cells on its
// shared columns are its classes, of k rows or more each.
struct SharedCells {
  RowGroups rows;
  std::vector<Released> cells;  // [group * places of the shared space + place]
};

// Blocks without rows are left out.
SharedCells cells_of_blocks(const Overlap& overlap, const std::vector<Block>& blocks);
// The cells that a release of the overlap's columns has on the shared ones. The release must keep every requirement.
SharedCells cells_of_release(const Overlap& overlap, const ReleasedPart& release);

// The part's classes, numbered by first appearance.
RowGroups classes_of(const Overlap& overlap, size_t part, const SharedCells& cells);

// What shared cells are expected to cost in the end: weighted NCP on shared columns, and on own ones what OwnCutter
// expects of all classes. Remembers classes: those that a few blocks more or less have not changed cost no time.
class ExpectedCost {
 public:
  // `lines`: see OwnCutter::cut. Both must outlive it.
  ExpectedCost(const Overlap& overlap, size_t lines, Progress& progress);
  double of(const SharedCells& cells);

 private:
  double own_cost(size_t part, const RowGroups& classes);

  const Overlap& overlap_;
  const size_t lines_;
  Progress& progress_;
  std::vector<std::unordered_map<uint64_t, double>> known_;  // [part]: by a fingerprint of the class's rows
};

// Parts classes into groups on own columns.
class ClassSolver {
 public:
  virtual ~ClassSolver() = default;
  // How hard to search for blocks with these settings: 0 fast, 1 normal, 2 best.
  virtual int effort(const Params& /*params*/) const { return 1; }
  // What of the settings does not reach requirements that share columns; "" if all do.
  virtual std::string notice(const Params& /*params*/) const { return ""; }
  // Groups of the part's k or more rows on its own columns, each inside one class. Requires a part that has some, and
  // classes of k rows or more. Deterministic, whatever the number of threads.
  virtual RowGroups solve(const Overlap& overlap, size_t part, const RowGroups& classes, Progress& progress) const = 0;
};

// The whole answer: own columns parted by the solver, shared cells shrunk to what the groups still need.
ReleasedPart finished(const Overlap& overlap, const SharedCells& cells, const ClassSolver& solver, Progress& progress);

}  // namespace shoal
