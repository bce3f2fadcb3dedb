// Third step of kACTUS: what the rows of each group are released as.
#pragma once

#include <span>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/trees/kactus_prune.h"
#include "shoal/recode/recoding.h"

namespace shoal::kactus {

// What numbers are released as: the mean of the group's, their range, or the range that the path leaves to them.
enum class Numbers { mean, range, path };

// What the path of a group tells about one column.
struct PathColumn {
  bool asked = false;                     // else nothing is told
  uint32_t first = 0, last = UINT32_MAX;  // numeric: the leaves that its tests leave
};

// Fills the recoding's groups, releases and means; told[group][i] is about column recoded_columns[i]. What a path does
// not ask about is suppressed. Categorical columns are released as they are, numeric ones as `numbers` says; `*` where
// some rows have no number. A mean has two more decimals than the numbers of its column need. Groups that are released
// alike become one. Cost: linear in rows x columns.
void release(const Problem& problem, std::span<const Group> groups, std::span<const std::vector<PathColumn>> told,
             Numbers numbers, GroupRecoding& recoding);

}  // namespace shoal::kactus
