// From a recoding to released cells. The only place that prints them, and the only one that reads them back.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

// Cost: linear in rows x quasi columns. Uses up to `threads` threads (a column each).
ReleasedTable apply(const Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies,
                    int threads);

// `[lo,hi]` for ranges (a single value as itself), the node's label, `*` for the root. `means`: the column's, where it
// has some.
std::string released_text(const Released& released, const Column& column, const Hierarchy& hierarchy,
                          std::span<const std::string> means = {});

// Reads a released cell back; nullopt when it is no value, range or node of this column (a mean is none of these).
std::optional<Released> parse_released(std::string_view text, const Column& column, const Hierarchy& hierarchy);

}  // namespace shoal
