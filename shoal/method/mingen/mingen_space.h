// What method `mingen` chooses among: the distinct rows of a small table, and the boxes that k or more rows fit into.
//
// A box is a release of all recoded columns (a node or range each). Only closed boxes matter: those that are the
// closest common generalisation of the rows they cover, since any other could be made tighter at no cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/method/kaca/kaca_groups.h"
#include "shoal/run/progress.h"

namespace shoal {

class MinGenSpace {
 public:
  struct Option {
    KacaCost cost;  // lost by one row of the tuple, in units of KacaSpace (the loss of Prec)
    uint32_t box;
  };

  // Lists the boxes, unless there are so many that boxes x tuples would exceed `most`: then complete() is false.
  MinGenSpace(const Problem& problem, uint64_t most, const Progress& progress);

  bool complete() const { return complete_; }
  const KacaSpace& cells() const { return *cells_; }
  uint64_t k() const { return k_; }
  size_t tuples() const { return counts_.size(); }
  uint32_t rows_of(size_t tuple) const { return counts_[tuple]; }
  // In order of first appearance; which distinct row a row is.
  const std::vector<uint32_t>& tuple_of_row() const { return tuple_of_row_; }
  size_t boxes() const { return box_tuples_.size(); }
  const KacaCell* box(size_t box) const { return box_cells_.data() + box * cells_->columns(); }
  // Boxes that cover the tuple, cheapest first.
  const std::vector<Option>& options(size_t tuple) const { return options_[tuple]; }
  // Tuples that the box covers, with what each would lose.
  struct Covered {
    uint32_t tuple;
    KacaCost cost;
  };
  const std::vector<Covered>& tuples_in(size_t box) const { return box_tuples_[box]; }
  // Greatest common divisor of all costs: releases that differ in cost differ by this much at least.
  KacaCost step() const { return step_; }
  // Tuples covered, over all boxes.
  uint64_t pairs() const { return pairs_; }
  // The box with exactly these cells. Requires: there is one.
  uint32_t find_box(const KacaCell* cells) const;

  // log10 of how many ways there are to raise every cell (alike: of every distinct row).
  double digits_of_recodings(bool alike) const;

 private:
  void enumerate(uint64_t most, const Progress& progress);
  void list_options();
  KacaCost cost(size_t tuple, const KacaCell* box) const;

  std::vector<double> ones_;
  std::unique_ptr<KacaSpace> cells_;
  uint64_t k_;
  bool complete_ = false;
  KacaCost step_ = 0;
  uint64_t pairs_ = 0;
  std::vector<uint32_t> counts_, tuple_of_row_;
  std::vector<uint32_t> leaves_;  // [tuple * columns + column]
  std::vector<KacaCell> box_cells_;
  std::vector<std::vector<Covered>> box_tuples_;
  std::vector<std::vector<Option>> options_;
};

}  // namespace shoal
