// Boxes, and how many rows share each box's shadow on a requirement's columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/method/method.h"
#include "shoal/method/mondrian/mondrian_rows.h"

namespace shoal::mondrian {

// Leaf positions first .. last of one column.
struct Interval {
  uint32_t first = 0, last = 0;
  bool operator==(const Interval&) const = default;
};

// Where boxes end when rows part between two leaves of a column: at the end of the largest subtree that has the left
// one and not the right, so that cuts of different regions meet; a numeric column has no subtrees that count, only
// missing stands apart. Requires last_left < first_right.
uint32_t border(const Hierarchy& hierarchy, uint32_t last_left, uint32_t first_right);

// What a cut makes of the interval of its column, left and right. Rows with the same leaf on both sides: both have it.
std::pair<Interval, Interval> sides(const Hierarchy& hierarchy, Interval interval, const Cut& cut);

// For one requirement: every projection of a box on its columns that was ever seen, with a number and the rows of the
// regions that have it. Compared exactly; hashing only finds them. Memory: 24 bytes + 8 a column for each.
class Projections {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  explicit Projections(Requirement requirement);

  const Requirement& requirement() const { return requirement_; }
  bool contains(size_t column) const { return column < contains_.size() && contains_[column]; }
  size_t size() const { return rows_.size(); }

  // The number of this box's projection, a new one with no rows when it is new. `box` has an interval per column.
  uint32_t number_of(std::span<const Interval> box);
  // The same for the box with `interval` on `column` (one of the requirement's), without adding it: kNone when new.
  // `others` is hash_without(box, column), which need not be computed again for every interval.
  uint32_t find(std::span<const Interval> box, size_t column, Interval interval, uint64_t others) const;
  uint64_t hash_without(std::span<const Interval> box, size_t column) const;

  uint64_t rows(uint32_t number) const { return rows_[number]; }
  void add_rows(uint32_t number, uint64_t rows) { rows_[number] += rows; }
  void take_rows(uint32_t number, uint64_t rows) { rows_[number] -= rows; }

 private:
  size_t slot_of(uint64_t hash) const;
  void grow();

  Requirement requirement_;
  std::vector<bool> contains_;       // [column], up to the last one contained
  std::vector<uint32_t> slots_;      // open addressing, at most half full; kNone where free
  std::vector<uint64_t> hashes_;     // [number]
  std::vector<Interval> intervals_;  // [number * columns + i]
  std::vector<uint64_t> rows_;       // [number]
};

}  // namespace shoal::mondrian
