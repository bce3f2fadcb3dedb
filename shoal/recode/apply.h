// From a recoding to released cells. The only place that prints them, and the only one that reads them back.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/ranges.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/decimal.h"
#include "shoal/table/table.h"

namespace shoal {

// Cost: linear in rows x quasi columns. Uses up to `threads` threads (a column each).
ReleasedTable apply(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies,
                    int threads);

// `[lo,hi]` for ranges (a single value as itself), the node's label, `*` for the root. `means`: the column's, where it
// has some.
std::string released_text(const Released& released, const Column& column, const Hierarchy& hierarchy,
                          std::span<const std::string> means = {});

// Reads released cells of one column back. Making it costs time linear in the column's values and nodes, a cell then
// that of looking it up. Both arguments must outlive it. Safe to share between threads.
class ReleasedCells {
 public:
  ReleasedCells(const Column& column, const Hierarchy& hierarchy);
  // Nothing when it is no value, range (between two values, or with round ends) or node of this column (a mean is none
  // of these). In a numeric column any spelling of a number will do; numbers are compared exactly.
  std::optional<Released> parse(std::string_view text) const;

 private:
  std::optional<uint32_t> leaf_with(const Decimal& number) const;

  const Hierarchy& hierarchy_;
  std::unordered_map<std::string_view, uint32_t> by_text_;  // node
  std::vector<Decimal> numbers_;                            // of each leaf of a numeric column, ascending
  std::optional<RangeSnapper> round_;                       // of a numeric column
};

}  // namespace shoal
