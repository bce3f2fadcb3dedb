// The distinct texts of one recoded column in an order in which every released text covers a stretch of the originals.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/verify/coverage.h"

namespace shoal {

// Positions first .. last; empty when first > last.
struct PositionSpan {
  uint32_t first = 1, last = 0;
  bool empty() const { return first > last; }
  bool contains(uint32_t position) const { return first <= position && position <= last; }
};

// Numbers stand ascending, labels of a tree in the order of its leaves, missing texts first: what CellCoverage accepts
// for a released text are then neighbours. One original that is no number makes a column of no stated type one of
// texts.
struct ColumnSpans {
  std::vector<uint32_t> position;   // of each original text
  std::vector<PositionSpan> spans;  // of each released text
  bool exact = true;                // false: some span also holds originals that its text does not cover
};
// `originals`, `released`: distinct texts. Cost: about linear, besides sorting.
ColumnSpans column_spans(const CellCoverage& coverage, std::span<const std::string> originals,
                         std::span<const std::string> released);

}  // namespace shoal
