// Small regression trees on half-known rows, for boosting.
//
// A column is a list of bins (ColumnShares: categories, or bins of numbers). A cell that says which bin it lies in goes
// down one branch; a vague or missing one goes down both, by the column's marginal within what it covers and within
// what the tests above left of it. So a `*` is never a value of its own: which cells a release hides depends on the
// row, and rows to be predicted hide none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/learn/column_shares.h"
#include "shoal/learn/dataset.h"

namespace shoal {

// A training table in bins.
class BinnedRows {
 public:
  static constexpr uint32_t kSpread = UINT32_MAX;  // a cell in no bin of its own

  explicit BinnedRows(const Dataset& data);
  size_t columns() const { return columns_.size(); }
  size_t rows() const { return rows_; }
  const ColumnShares& shares(size_t column) const { return columns_[column].shares; }
  bool numeric(size_t column) const { return columns_[column].numeric; }
  // The cell's number among the column's different cells, missing included.
  uint32_t cell(size_t column, size_t row) const { return columns_[column].cells[row]; }
  size_t cells(size_t column) const { return columns_[column].bins.size(); }
  // The bin of a cell, or kSpread; then the share of each bin that it covers.
  uint32_t bin(size_t column, uint32_t cell) const { return columns_[column].bins[cell]; }
  std::span<const double> spread(size_t column, uint32_t cell) const { return columns_[column].spreads[cell]; }

 private:
  struct BinnedColumn {
    ColumnShares shares;
    bool numeric = false;
    std::vector<uint32_t> cells{};               // [row]
    std::vector<uint32_t> bins{};                // [cell]
    std::vector<std::vector<double>> spreads{};  // [cell]; empty where the bin is known
  };
  size_t rows_ = 0;
  std::vector<BinnedColumn> columns_;
};

// What the rows pull towards: minus the slope of the loss, and its curvature, times the row's weight.
struct Pull {
  double slope = 0, curvature = 0, weight = 0;
  Pull& operator+=(const Pull& other);
};

struct TreeSettings {
  int depth = 3;
  double least_rows = 10;  // weight on either side of a split
  double ridge = 1;        // added to the curvature
};

class BoostedTree {
 public:
  // Grows on the pulls of all rows, adds the tree's answer for each row to `answers`, and the loss won by each column's
  // splits to `gains`. Cost: rows x columns a level, and the different vague cells times bins.
  BoostedTree(const BinnedRows& rows, std::span<const Pull> pulls, const TreeSettings& settings,
              std::span<double> answers, std::span<double> gains);

  // The answer for a row of which each column covers these shares of its bins (all 0: nothing known). `covered` is
  // worked with, and left as it was.
  double answer(std::span<std::vector<double>> covered) const { return answer_below(0, covered); }
  size_t leaves() const;

 private:
  struct TreeNode {
    uint32_t column = 0;
    std::vector<uint8_t> goes_left;  // [bin]; empty: a leaf
    double left_share = 0;           // of what says nothing
    uint32_t left = 0, right = 0;
    double value = 0;
  };
  class Growth;
  double answer_below(uint32_t node, std::span<std::vector<double>> covered) const;
  std::vector<TreeNode> nodes_;
};

}  // namespace shoal
