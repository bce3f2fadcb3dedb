// What rules say about the two sides of a cut, for requirements that ask for more than k rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "shoal/method/mondrian/mondrian_cut.h"
#include "shoal/method/mondrian/mondrian_rows.h"
#include "shoal/model/group_rule.h"

namespace shoal::mondrian {

// The rows of one region in the order of one column's leaves, of equal ones by number, and what some rules count left
// and right of a border between them. A cut's left side is always a front part of this order, dealt cuts included.
// Where rows stand for several (Rows::times) borders lie between such bundles. Moving the border costs the rows between
// the old place and the new one, so that a column's cuts tried one after the other cost about one pass over the region.
// One per thread.
class SideTallies {
 public:
  // The rules must outlive it.
  explicit SideTallies(std::vector<const GroupRule*> rules);

  // All rows on the right side. Nothing is counted before the first move.
  void start(const Rows& rows, Region region, size_t column);
  // So many rows of the input to the left. Requires a front part that ends between two leaves, or (dealt cuts) within
  // one.
  void move_to(uint64_t left_rows);

  const GroupRule& rule(size_t i) const { return *rules_[i]; }
  const GroupTally& left(size_t i) const { return left_[i]; }
  const GroupTally& right(size_t i) const { return right_[i]; }
  // Both sides hold under every rule. Moves the border.
  bool both_hold(uint64_t left_rows);

  // After start(): the rows in order, as leaf << 32 | number.
  std::span<const uint64_t> order() const { return order_; }
  uint32_t times(size_t place) const { return times_.empty() ? 1 : times_[static_cast<uint32_t>(order_[place])]; }

 private:
  void count_all();

  std::vector<const GroupRule*> rules_;
  std::vector<GroupTally> left_, right_;  // [rule]
  std::vector<uint64_t> order_;
  std::vector<uint32_t> leaves_, numbers_;  // scratch
  std::span<const uint32_t> times_;         // Rows::times
  size_t border_ = 0;                       // in `order_`
  uint64_t rows_ = 0, left_rows_ = 0;       // of the input: of the region, and left of the border
  bool counted_ = false;
};

// Cuts of a region are allowable when both sides hold under one rule. The region is the caller's, who may change it
// between choices.
class SidesHold final : public Permission {
 public:
  SidesHold(const GroupRule& rule, const Rows& rows, const Region& region)
      : rule_(rule), rows_(rows), region_(region), tallies_({&rule}) {}
  std::optional<Scope> scope(size_t column) override;
  bool allows(const Cut& cut) override;

 private:
  const GroupRule& rule_;
  const Rows& rows_;
  const Region& region_;
  SideTallies tallies_;
};

}  // namespace shoal::mondrian
