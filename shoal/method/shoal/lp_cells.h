// The boxes that the linear-programming bound goes through: on every column a set of cells such that the values of any
// group lie in one of them, and the cell is charged no more than the group pays on that column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "shoal/method/space/ncp_space.h"

namespace shoal {

// A column as a tree of cells (its nodes), or as runs of bins (numbers: a bin is a value or some neighbouring ones).
struct CellColumn {
  struct Cell {
    double charge = 0;
    uint32_t depth = 0;
    uint32_t first_leaf = 0, last_leaf = 0;
    std::vector<uint32_t> children;  // cells; a leaf of the tree has none
  };
  size_t column = 0;                            // of the space
  std::vector<Cell> cells;                      // trees: the root first, parents before children
  std::vector<std::vector<uint32_t>> child_at;  // [depth][leaf]: which child of the leaf's cell of that depth it is in
  uint32_t bins = 0;                            // 0: a tree
  std::vector<uint32_t> bin_of;                 // [leaf]
  std::vector<double> charge;                   // [first bin * bins + last bin]

  bool is_tree() const { return bins == 0; }
};

// How finely columns are looked at. Coarser: fewer boxes, a weaker bound that holds all the same.
struct CellFineness {
  uint32_t bins = 64;    // at most, of a column of numbers
  uint32_t levels = 64;  // levels of a tree, counted from its deepest one, that are looked at one by one
};

struct BoxCells {
  std::vector<CellColumn> columns;  // those that cost anything, dearest first, the slid one left out
  std::optional<size_t> slid;       // the column of numbers with most values: every range of it is looked at
  bool exact = true;                // every box is charged what it costs
};

BoxCells box_cells(const NcpSpace& space, const CellFineness& fineness);
// The next coarser one, or nothing when everything is as coarse as can be.
std::optional<CellFineness> coarser(const NcpSpace& space, const CellFineness& fineness);

}  // namespace shoal
