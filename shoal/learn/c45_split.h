// C4.5's choice of a split at one node, and the way of rows through it. Used by the tree and by PART.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "shoal/learn/dataset.h"

namespace shoal {

// The rows at a node, each with the part of its weight that came there.
struct NodeRows {
  std::vector<uint32_t> rows;
  std::vector<double> weights;
  size_t size() const { return rows.size(); }
  void add(uint32_t row, double weight) {
    rows.push_back(row);
    weights.push_back(weight);
  }
};
NodeRows all_rows(const Dataset& data);

// Weight per class.
std::vector<double> class_weights(const Dataset& data, const NodeRows& rows);

// What the tests above a node say: numbers lie in (low, high], a categorical column was already split on.
struct PathLimits {
  static constexpr double kAny = std::numeric_limits<double>::infinity();
  struct Limit {
    double low = -kAny, high = kAny;
    bool used = false;
  };
  std::vector<Limit> limits;  // one per attribute
  explicit PathLimits(const Dataset& data) : limits(data.attributes.size()) {}
};

struct C45Split {
  uint32_t attribute = 0;
  double threshold = 0;             // numeric: branch 0 is value <= threshold, branch 1 the rest
  std::vector<double> branches;     // weight of the rows known to go down each branch; all branches, also empty ones
  double gain = 0, gain_ratio = 0;  // gain after the numeric correction
};

// The limits below branch `branch` of a split; restores them when it goes.
class BranchLimits {
 public:
  BranchLimits(PathLimits& path, const Dataset& data, uint32_t attribute, double threshold, size_t branch);
  BranchLimits(const BranchLimits&) = delete;
  BranchLimits& operator=(const BranchLimits&) = delete;
  ~BranchLimits() { limit_ = saved_; }

 private:
  PathLimits::Limit& limit_;
  PathLimits::Limit saved_;
};

// How much of a cell goes down each branch, summing to 1: all of it down one branch when the cell is exact; a vague
// number by the part of its extent (within the path's limits) on each side; a set of categories like the weights in
// `branches` within the set (evenly when they are all 0 there); a missing cell like `branches`. `branches` may be any
// weights, one per branch.
void branch_shares(const Attribute& attribute, uint32_t code, double threshold, const PathLimits::Limit& limit,
                   std::span<const double> branches, std::span<double> shares);

// The rows of every branch. Parts of less than a millionth of a row are lost.
std::vector<NodeRows> split_rows(const Dataset& data, const C45Split& split, const NodeRows& rows,
                                 const PathLimits& path);

// Finds splits at the nodes of one training table. Keeps scratch space: one per thread. Cost of one search: rows x
// columns, times log rows in numeric columns with many more values than rows.
class SplitSearch {
 public:
  // Requires: data outlives this.
  SplitSearch(const Dataset& data, double min_objects);

  // The best split of these rows; nothing when they are too few, of one class, or no split has a gain.
  std::optional<C45Split> best(const NodeRows& rows, const PathLimits& path);
  // The same with the columns shared out: a thread for each of `workers`, copies of this.
  std::optional<C45Split> best(const NodeRows& rows, const PathLimits& path, std::span<SplitSearch> workers);

 private:
  // Whether rows of these classes may be split at all; sets the weight at the node.
  bool begin(const NodeRows& rows);
  std::optional<C45Split> of_column(uint32_t attribute, const NodeRows& rows, const PathLimits& path);
  // The best of the columns' splits.
  std::optional<C45Split> choose(std::vector<std::optional<C45Split>> splits) const;
  std::optional<C45Split> categorical(uint32_t attribute, const NodeRows& rows);
  std::optional<C45Split> numeric(uint32_t attribute, const NodeRows& rows, const PathLimits::Limit& limit);
  void group_exact(const Attribute& attribute, const NodeRows& rows);
  void group_by_sorting(const Attribute& attribute, const NodeRows& rows);
  std::optional<C45Split> cut_groups(uint32_t attribute);
  std::optional<C45Split> cut_extents(uint32_t attribute, const NodeRows& rows, const PathLimits::Limit& limit);
  std::optional<C45Split> numeric_split(uint32_t attribute, double threshold, double gain, size_t tried);
  double least_branch(double known) const;
  double x_log2_x(double x) const;
  double bag_entropy(const double* weights) const;

  const Dataset& data_;
  double min_objects_;
  size_t classes_;
  double data_weight_ = 0;             // of the whole table
  double total_ = 0;                   // at the node
  std::vector<double> log_table_;      // x log2 x of whole x
  std::vector<double> numbers_;        // ascending: the groups' numbers
  std::vector<double> group_weights_;  // [group * classes + class]
  std::vector<double> counts_;         // [value * classes + class], all 0 between calls
  std::vector<uint64_t> order_;
  std::vector<double> known_, left_, right_, best_left_;
};

}  // namespace shoal
