// The groups that method `kaca` merges: rows that look alike, from distinct rows to the released groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "shoal/method/kaca/kaca_space.h"

namespace shoal {

// Groups are numbered in order of creation and never renumbered; those without rows are gone. No two groups have the
// same cells: rows that come to look alike are one group, as in the paper's definition. Not safe to share between
// threads while merging. Memory: 4 bytes per row, 8 per column and about 60 more per group ever created.
class KacaGroups {
 public:
  // The distinct rows, numbered in order of first appearance. space must outlive the groups.
  KacaGroups(const KacaSpace& space, const Problem& problem);

  const KacaSpace& space() const { return space_; }
  size_t size() const { return rows_.size(); }     // ever created
  uint32_t distinct() const { return distinct_; }  // the first ones: distinct rows as they were
  uint32_t rows(uint32_t group) const { return rows_[group]; }
  std::span<const KacaCell> cells(uint32_t group) const {
    return {cells_.data() + group * space_.columns(), space_.columns()};
  }
  // Mean shares of the rows, one for each uneven tree.
  std::span<const KacaCost> shares(uint32_t group) const {
    return {shares_.data() + group * space_.uneven_trees(), space_.uneven_trees()};
  }
  // What a row of the group still tells: sum over columns of share x kept.
  KacaCost kept(uint32_t group) const { return kept_[group]; }
  // The same without the uneven trees.
  KacaCost plain_kept(uint32_t group) const { return plain_kept_[group]; }

  // Rows that a group of `small` rows takes from one of `other` rows: all, or, when both together have 2k rows or more,
  // just enough for k (the stub; the trunk stays).
  static uint64_t rows_taken(uint64_t small, uint64_t other, uint64_t k) {
    return small + other < 2 * k ? other : k - small;
  }
  // Dist(a, b) of the paper, counted on the rows taken from b. Cost: columns x tree depth.
  KacaCost distance(uint32_t a, uint32_t b, uint64_t k) const;

  // Moves group a and `taken` rows of group b (the first ones in the order in which they came) to the closest common
  // generalisation, which is a group that looks like that already, or else a new one; returns it.
  uint32_t merge(uint32_t a, uint32_t b, uint64_t taken);
  // Takes the group out; its rows are to be dropped.
  std::vector<uint32_t> drop(uint32_t group);

  // The rows of a group, in the order in which they came.
  std::vector<uint32_t> rows_of(uint32_t group) const;

 private:
  struct Look {  // groups by their cells
    const KacaGroups* groups;
    size_t operator()(uint32_t group) const;
    bool operator()(uint32_t a, uint32_t b) const;
  };
  static constexpr uint32_t kEnd = UINT32_MAX;
  uint32_t open_group();
  void settle(uint32_t group);           // sums up kept
  uint32_t settle_look(uint32_t group);  // the group that looks like this newest one: itself, or an older one
  void vacate(uint32_t group);
  void append_rows(uint32_t group, uint32_t head, uint32_t tail, uint32_t count);

  const KacaSpace& space_;
  uint32_t distinct_ = 0;  // groups before this one are distinct rows as they were
  std::vector<KacaCell> cells_;
  std::vector<KacaCost> shares_;
  std::vector<KacaCost> kept_, plain_kept_;
  std::vector<uint32_t> rows_, head_, tail_;          // tail_ means nothing where there are no rows
  std::vector<uint32_t> next_;                        // [row]
  std::unordered_set<uint32_t, Look, Look> by_look_;  // merged groups only: none looks like a row as it was
};

}  // namespace shoal
