// How ranges of numbers leave: as tight as their group, with ends moved outward, or as nodes of a hierarchy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/decimal.h"
#include "shoal/table/round_number.h"
#include "shoal/table/table.h"

namespace shoal {

// tight    both ends are numbers of the group's own rows
// snapped  both ends moved outward, never inward: to borders of the lowest nodes of the column's hierarchy where it has
//          one, else to round numbers
// nodes    the hierarchy's nodes, as categories are released; columns without a hierarchy: snapped
enum class Ranges { tight, snapped, nodes };
std::string to_string(Ranges ranges);

// Moves the ends of the ranges of one numeric column outward. Round ends are multiples of the largest 1, 2 or 5 times a
// power of ten that is at most half the width of the range, but at least twice the column's unit (the power of ten that
// all its numbers are multiples of); this is done again until nothing changes. So the answer is a function of the
// values between its own ends, and moving the ends of an answer gives the same answer. It covers exactly the values
// that lie between the ends as printed, and two answers that cover the same values print alike. Making one costs time
// linear in the values; a range then a few comparisons. `hierarchy` must outlive it. Safe to share between threads.
class RangeSnapper {
 public:
  // Requires: hierarchy.numeric().
  RangeSnapper(const Hierarchy& hierarchy, const std::vector<std::string>& values);

  // Requires: first < last, none of them missing.
  Released snapped(uint32_t first, uint32_t last) const;
  // The answer of snapped() that prints as [low,high]; nothing when there is none.
  std::optional<Released> with_ends(const Decimal& low, const Decimal& high) const;

 private:
  RoundStep step_of(uint32_t first, uint32_t last) const;

  const Hierarchy& hierarchy_;
  std::vector<Decimal> numbers_;  // of the leaves that are not missing, ascending
  RoundStep least_;
};

// The ends of a range as it prints: the numbers of its first and last value, or these moved outward. Requires:
// released.is_range().
DecimalRange printed_ends(const Released& released, const std::vector<std::string>& values);

// Every range of the recoding as `ranges` asks; other releases stay as they are. Groups can only become coarser, and
// alike. Cost: linear in groups x columns and in the columns' values.
void settle_ranges(Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies, Ranges ranges);

}  // namespace shoal
