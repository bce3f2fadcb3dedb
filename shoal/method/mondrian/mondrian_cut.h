// Which cut a region gets. A different choice of cut (by a target's information gain, say) is another CutRule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/method/mondrian/mondrian_rows.h"

namespace shoal::mondrian {

// What a cut on one column would part.
struct Scope {
  std::span<const Region> regions;  // the region at hand, and those that must be cut with it; must outlive the choice
  uint64_t enough = 0;              // a cut that leaves this many rows on both sides is allowable whatever else
};

// What makes a cut of the region at hand allowable.
class Permission {
 public:
  virtual ~Permission() = default;
  // Nothing when no cut on this column is allowable. Asked before the column's cuts.
  virtual std::optional<Scope> scope(size_t column) = 0;
  // Whether a cut with a smaller side is allowable all the same. Asked about the column of the last scope only.
  virtual bool allows(const Cut& cut) = 0;
};

// Chooses cuts, one region at a time. Keeps scratch memory: one rule per thread.
class CutRule {
 public:
  virtual ~CutRule() = default;
  // The cut to make, or nothing when none is allowable. The choice depends on the set of rows, not on their order.
  // Requires a region that is not empty.
  virtual std::optional<Cut> choose(const Rows& rows, Region region, Permission& permission) = 0;
  // How many cuts were looked for: one for each region and column tried.
  uint64_t tried() const { return tried_; }

 protected:
  uint64_t tried_ = 0;
};

struct CutColumn {
  const Hierarchy* hierarchy;
  double weight;
};

// Columns by weighted NCP of the region, widest first; of columns equally wide the one whose cut leaves the least NCP
// a row, then the first. On a numeric column the allowable cut nearest the median (the lower of two), but missing
// values are cut off from numbers first; on a categorical one the allowable cut that leaves the least NCP, then nearest
// the median, then the lower.
// With `relaxed`, a region without such a cut is cut at the median row of its widest column, rows with equal values
// dealt to both sides in input order; its scopes must be the region alone.
class MedianRule final : public CutRule {
 public:
  // `columns` are those of Rows, in the same order; they must outlive the rule.
  MedianRule(std::span<const CutColumn> columns, bool relaxed);
  std::optional<Cut> choose(const Rows& rows, Region region, Permission& permission) override;

 private:
  struct Candidate {
    Cut cut;
    double loss = 0;  // weighted NCP left on the cut's column, mean of the rows
  };
  std::optional<Cut> first_allowed(const Rows& rows, Region region, Permission& permission, bool deal);
  std::optional<Candidate> strict_cut(size_t column, uint64_t enough, Permission& permission);
  std::optional<Candidate> dealt_cut(size_t column, uint64_t enough, Permission& permission);
  Candidate candidate(size_t column, uint64_t left_rows, size_t last, size_t first) const;
  void list_values(const Rows& rows, std::span<const Region> regions, size_t column);
  void list_right_leaves(const Hierarchy& hierarchy);

  std::span<const CutColumn> columns_;
  bool relaxed_;
  std::vector<uint32_t> least_, greatest_;  // the region's extent, by column
  std::vector<double> width_;
  std::vector<size_t> order_;                 // columns that can be cut, widest first
  std::vector<uint32_t> histogram_, leaves_;  // scratch of list_values
  std::vector<uint64_t> sorted_;
  std::vector<uint32_t> scope_least_, scope_greatest_;
  uint64_t rows_ = 0;                      // of the scope
  std::vector<uint32_t> values_, counts_;  // the leaves of one column that occur in the scope, ascending
  std::vector<uint64_t> right_leaves_;     // leaves released for values_[i] .. values_.back(), 0 for one leaf
  std::vector<uint32_t> equal_rows_;
};

}  // namespace shoal::mondrian
