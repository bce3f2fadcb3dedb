// Quasi columns as keys for group_rows: as they stand in the input, and as released.
#pragma once

#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/groups.h"
#include "shoal/table/table.h"

namespace shoal {

inline std::vector<GroupKey> raw_keys(const Table& table, const std::vector<Hierarchy>& hierarchies) {
  std::vector<GroupKey> keys;
  for (size_t j = 0; j < table.quasi.size(); ++j) keys.push_back({&table.quasi[j].codes, hierarchies[j].leaves()});
  return keys;
}

inline std::vector<GroupKey> released_keys(const ReleasedTable& released) {
  std::vector<GroupKey> keys;
  for (const ReleasedColumn& column : released.quasi) keys.push_back({&column.codes, column.values.size()});
  return keys;
}

}  // namespace shoal
