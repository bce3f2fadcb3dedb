// A method that sees one table and one requirement, on the rows of a class.
#include "shoal/method/blocks/several.h"
#include "shoal/method/space/part_of_problem.h"

namespace shoal {

RowGroups MethodClassSolver::solve(const Overlap& overlap, size_t part, const RowGroups& classes,
                                   Progress& progress) const {
  const Problem& whole = overlap.problem();
  const OverlapPart& asked = overlap.parts()[part];
  RowGroups groups;
  for (size_t c = 0; c < classes.size(); ++c) {
    const auto rows = classes.group(c);
    const Table table = part_of_table(whole.table, rows);
    Problem problem{table,      whole.hierarchies, {{asked.own_columns, asked.k}}, whole.weights, 0.0, whole.params,
                    whole.seed, whole.threads};
    if (whole.has_models()) problem.rules = {part_of_rule(*whole.rules[part], rows)};
    const SearchResult result = one_.search(problem, progress);
    // A class may always stay one group.
    std::vector<std::vector<uint32_t>> members(1, {rows.begin(), rows.end()});
    if (result.recoding() != nullptr) {
      const GroupRecoding& found = result.recoding()->by_group();
      members.assign(found.groups(), {});
      for (size_t i = 0; i < rows.size(); ++i) members[found.group_of_row[i]].push_back(rows[i]);
    }
    for (const std::vector<uint32_t>& group : members) {
      if (group.empty()) continue;
      groups.rows.insert(groups.rows.end(), group.begin(), group.end());
      groups.starts.push_back(static_cast<uint32_t>(groups.rows.size()));
    }
  }
  return groups;
}

}  // namespace shoal
