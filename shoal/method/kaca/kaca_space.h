// What raising a cell costs in method `kaca`: the paper's weighted hierarchical distance, in whole numbers, so that
// equal distances are equal whatever the order of adding up.
//
// A cell is the interval of leaves it covers. In a tree column it is a node's interval (always the deepest node that
// covers the group's values); in a numeric column without inner nodes it is a range of numbers, or everything when
// missing is among them. Every cell has a `kept` value, 0 at the root: raising a cell from x to y costs
//   share x (kept(x) - kept(y)),
// where share is the column's weight over the whole path's length. In an uneven tree a leaf's own path counts, so that
// share differs from leaf to leaf; a merged group has the mean share of its rows, rounded down.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/method/method.h"

namespace shoal {

struct KacaCell {
  uint32_t first = 0, last = 0;  // leaves covered
  bool operator==(const KacaCell&) const = default;
};

using KacaCost = int64_t;

// Immutable: safe to share between threads. Columns are kept in three runs: even trees, uneven trees, ranges.
class KacaSpace {
 public:
  // `columns`: indices into the quasi columns. beta 0: all steps weigh the same; else the step down to depth d weighs
  // 1/d^beta. k bounds the sizes that are multiplied with costs: units are chosen so that no sum overflows. The
  // problem's table and hierarchies must outlive the space. Memory: up to kDenseCells numbers per column.
  KacaSpace(const Problem& problem, const std::vector<size_t>& columns, double beta, uint64_t k);

  size_t columns() const { return columns_.size(); }
  size_t even_trees() const { return even_trees_; }             // columns 0 .. even_trees()-1
  size_t uneven_trees() const { return uneven_trees_; }         // the next ones
  size_t trees() const { return even_trees_ + uneven_trees_; }  // from here on: ranges
  bool uneven(size_t column) const { return column >= even_trees_ && column < trees(); }
  size_t quasi(size_t column) const { return columns_[column].quasi; }  // which quasi column this is
  const Hierarchy& hierarchy(size_t column) const { return *columns_[column].hierarchy; }
  uint32_t leaves(size_t column) const { return columns_[column].leaves; }

  // The tightest cell that covers both.
  KacaCell join(size_t column, KacaCell a, KacaCell b) const;
  // What the cell still tells, 0 at the root. Multiplied by the share already, except in uneven trees.
  KacaCost kept(size_t column, KacaCell cell) const;
  // Uneven trees only: the factor of kept() for rows with this value.
  KacaCost share(size_t column, uint32_t leaf) const { return columns_[column].share_of_leaf[leaf]; }
  // The cheapest first step up from a leaf, shares counted; 0 for ranges.
  KacaCost least_step(size_t column) const;
  // Trees only: the deepest node that covers the cell, and what a node keeps.
  uint32_t node_of(size_t column, KacaCell cell) const { return node_of(columns_[column], cell); }
  KacaCost kept_of_node(size_t column, uint32_t node) const { return columns_[column].kept_of_node[node]; }
  // What a row loses when all its cells are raised to the root.
  KacaCost whole_row() const { return whole_row_; }

  // Trees only: kept(join(node, other)) for every other node, or nullptr for large trees, which have no such table.
  const KacaCost* kept_of_joined(size_t column, uint32_t node) const {
    const Place& place = columns_[column];
    return place.dense.empty() ? nullptr : place.dense.data() + node * place.kept_of_node.size();
  }

  // The cell as it is released: the leaf, the node, or the range.
  Released released(size_t column, KacaCell cell) const;

  // Leaves of the given row, in the order of this space's columns.
  void gather(uint32_t row, uint32_t* leaves) const;

 private:
  static constexpr size_t kDenseCells = size_t{1} << 18;
  struct Place {
    size_t quasi;
    const Hierarchy* hierarchy;
    const Codes* codes;
    uint32_t leaves;
    bool range;                           // numbers without inner nodes
    std::vector<KacaCost> kept_of_node;   // trees
    std::vector<KacaCost> share_of_leaf;  // uneven trees
    std::vector<KacaCost> position;       // ranges: of each number, 0 .. kept of a single number
    std::vector<KacaCost> dense;          // [node * nodes + node]: kept of the two joined
  };
  void place_range(Place& place, double unit) const;
  bool place_tree(Place& place, double unit, double beta) const;  // false: the tree is uneven
  uint32_t node_of(const Place& place, KacaCell cell) const {
    return place.hierarchy->common_ancestor(cell.first, cell.last);
  }

  std::vector<Place> columns_;
  size_t even_trees_ = 0, uneven_trees_ = 0;
  KacaCost whole_row_ = 0;
};

}  // namespace shoal
