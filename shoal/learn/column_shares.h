// The values of a column of a locally recoded table, as shares of all its rows: what learners spread half-known cells
// by.
//
// Which cells such a release still shows, and how finely, was decided by looking at the rows: in a kactus group only
// those columns that its path asks about. What the known cells of one class say is then no sample of that class. The
// column as a whole is known better: its marginal is estimated from all cells that say something (Turnbull's
// self-consistent estimate, by EM), and every cell is spread by it within what the cell covers, `*` over all of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/learn/dataset.h"

namespace shoal {

class ColumnShares {
 public:
  // Numbers are put into at most this many bins of about equal share, unless another number is asked for.
  static constexpr size_t kMostBins = 16;

  // Cost: 25 rounds over the column's different cells.
  ColumnShares(const Attribute& attribute, std::span<const double> weights, size_t most_bins = kMostBins);

  // Categories, or bins of numbers. 0: no cell says anything.
  size_t bins() const { return shares_.size(); }
  // The share of each bin; they sum to 1. 0 for a category that no training cell can stand for.
  const std::vector<double>& shares() const { return shares_; }

  // The share of what a cell (of any table read like this one) covers in each bin: at most shares(). A missing cell
  // covers everything; a number that the column does not have counts as one of its bin.
  void covered(const Attribute& attribute, uint32_t code, std::vector<double>& result) const;

 private:
  void find_categories(const Attribute& attribute, std::span<const double> weights);
  void find_numbers(const Attribute& attribute, std::span<const double> weights, size_t most_bins);
  size_t bin_of(double number) const;

  std::vector<double> shares_;
  std::vector<double> points_;          // numbers: ends of cells, ascending
  std::vector<double> point_shares_;    // of each
  std::vector<uint32_t> bin_of_point_;  // ascending
  std::vector<double> cuts_;            // between bins
};

}  // namespace shoal
