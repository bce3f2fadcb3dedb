// Ways to part the values of each column into runs of neighbours: the states of genetic and k-optimize.
//
// Leaves stand in order (numbers ascending, categories as their tree has them), so that a way to release a column is a
// set of borders between neighbouring leaves. Numbers without a tree may be parted at every border; where there is a
// tree, the borders between the children of a node come and go together, and only below a parted parent, so that every
// piece is a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/method/cuts/tuple_table.h"
#include "shoal/method/method.h"
#include "shoal/recode/recoding.h"

namespace shoal {

// Which splits are made, one byte each: 1 or 0. With a split, a set that stands for a release has its parent, too.
using SplitSet = std::vector<uint8_t>;

// Immutable; safe to share between threads.
class SplitSpace {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Split {
    uint32_t column;
    uint32_t parent;               // the split without which this one means nothing; kNone: there is none
    uint32_t end;                  // splits below this one are the next ones up to here
    uint32_t first, last;          // the leaves that it parts
    std::vector<uint32_t> starts;  // where its pieces begin, but for the first one; ascending
    bool border;                   // of numbers without a tree: a piece may have such borders left and right
  };

  // Splits of the columns that some requirement names; the others are released as they are. `hierarchies` must outlive
  // this.
  SplitSpace(const std::vector<Hierarchy>& hierarchies, const std::vector<Requirement>& requirements);

  size_t size() const { return splits_.size(); }
  const Split& split(uint32_t split) const { return splits_[split]; }
  const std::vector<Hierarchy>& hierarchies() const { return *hierarchies_; }
  // Columns that some requirement names, ascending; and the splits of a column: first_split(c) .. first_split(c + 1)
  // - 1.
  const std::vector<size_t>& columns() const { return columns_; }
  uint32_t first_split(size_t column) const { return first_split_[column]; }
  // The split that has a border before this leaf; kNone at leaf 0 and in columns without splits.
  uint32_t split_before(size_t column, uint32_t leaf) const { return split_before_[column][leaf]; }

  SplitSet none() const { return SplitSet(size(), 0); }
  SplitSet all() const { return SplitSet(size(), 1); }
  // With all above it; without it and all below it.
  void add(SplitSet& set, uint32_t split) const;
  void remove(SplitSet& set, uint32_t split) const;
  // Takes out what has no parent in the set.
  void close(SplitSet& set) const;

  // first[leaf]: the first leaf of its piece.
  std::vector<uint32_t> pieces(const SplitSet& set, size_t column) const;
  // For TupleTable: the leaf node of a piece's first leaf stands for the piece.
  std::vector<TupleTable::NodeMap> maps(const SplitSet& set) const;
  // What a piece is released as: its leaf, the range of its numbers, the lowest node with its leaves; "*" for all of
  // several.
  Released released(size_t column, uint32_t first, uint32_t last) const;
  Recoding recoding(const SplitSet& set) const;

 private:
  void add_borders(uint32_t column, const Hierarchy& tree);
  void add_nodes(uint32_t column, const Hierarchy& tree);
  void push(Split split);

  const std::vector<Hierarchy>* hierarchies_;
  std::vector<Split> splits_;
  std::vector<size_t> columns_;
  std::vector<uint32_t> first_split_;
  std::vector<std::vector<uint32_t>> split_before_;  // [column][leaf]
};

}  // namespace shoal
