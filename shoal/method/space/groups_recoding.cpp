#include "shoal/method/space/groups_recoding.h"

#include <algorithm>

namespace shoal {

GroupRecoding unreleased_groups(const Problem& problem, const std::vector<size_t>& columns,
                                const RowGroups& partition) {
  GroupRecoding recoding;
  recoding.recoded_columns = columns;
  recoding.group_of_row.resize(problem.table.rows);
  recoding.group_releases.resize(partition.size() * columns.size());
  for (size_t g = 0; g < partition.size(); ++g) {
    for (uint32_t row : partition.group(g)) recoding.group_of_row[row] = static_cast<uint32_t>(g);
  }
  return recoding;
}

Recoding groups_recoding(const Problem& problem, const std::vector<size_t>& columns, const RowGroups& partition) {
  GroupRecoding recoding = unreleased_groups(problem, columns, partition);
  for (size_t i = 0; i < columns.size(); ++i) {
    const Hierarchy& hierarchy = problem.hierarchies[columns[i]];
    problem.table.quasi[columns[i]].codes.visit([&](auto codes) {
      for (size_t g = 0; g < partition.size(); ++g) {
        uint32_t lo = UINT32_MAX, hi = 0;
        for (uint32_t row : partition.group(g)) {
          lo = std::min<uint32_t>(lo, codes[row]);
          hi = std::max<uint32_t>(hi, codes[row]);
        }
        recoding.group_releases[g * columns.size() + i] = released_interval(hierarchy, lo, hi);
      }
    });
  }
  return {std::move(recoding)};
}

}  // namespace shoal
