// Can every box be given points of its own that lie in it? The question behind a release in another order than its
// original: released rows that look alike are a box, original rows that are alike a point.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "shoal/verify/column_spans.h"

namespace shoal {

struct MatchingBox {
  std::span<const PositionSpan> spans;  // one per column
  uint64_t rows = 0;
};
struct MatchingPoint {
  std::span<const uint32_t> positions;  // one per column
  uint64_t rows = 0;
};

struct MatchingAnswer {
  enum class Kind { matched, impossible, too_much_work } kind = Kind::matched;
  size_t box = 0;  // impossible: one that cannot get its rows, whoever else would give way
};

// Rows of a point that a box was given.
struct MatchedRows {
  size_t box = 0, point = 0;
  uint64_t rows = 0;
};

// Decides exactly, unless it takes more than `work` steps, which it counts down: first every box, small ones first,
// takes points that are still free; then boxes that are short of some find out who could give theirs away (augmenting
// paths). `really`: asked for box and point whose positions fit, where spans are not exact; empty: positions decide.
// `matched`: takes who was given what (one of many ways, as a rule); may be nullptr.
MatchingAnswer match_boxes(std::span<const MatchingBox> boxes, std::span<const MatchingPoint> points, uint64_t& work,
                           const std::function<bool(size_t box, size_t point)>& really = {},
                           std::vector<MatchedRows>* matched = nullptr);

}  // namespace shoal
