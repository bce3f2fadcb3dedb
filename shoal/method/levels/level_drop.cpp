// Dropping by groups as a whole: a row that is dropped takes its place out of the groups of every requirement, which
// may make another one too small, so that it goes on until nothing changes.
#include "shoal/method/levels/level_drop.h"

#include <algorithm>
#include <numeric>

#include "shoal/method/levels/level_population.h"
#include "shoal/method/rules.h"
#include "shoal/table/groups.h"
#include "shoal/table/share_of_rows.h"

namespace shoal {

uint64_t row_limit(const Problem& problem) {
  const uint64_t rows = problem.table.input_rows();
  return std::min(share_of_rows(problem.suppress_rows.value_or(0), rows), rows - std::min<uint64_t>(rows, 1));
}

namespace {

// The groups of every requirement under some levels; sizes are rows of the input.
std::vector<Groups> groups_under(const Problem& problem, std::span<const int> levels) {
  const Table& table = problem.table;
  std::vector<Codes> released(table.quasi.size());
  std::vector<Groups> groups;
  for (const Requirement& requirement : problem.requirements) {
    std::vector<GroupKey> keys;
    for (size_t quasi : requirement.columns) {
      const auto& nodes = problem.hierarchies[quasi].level_nodes(levels[quasi]);
      const size_t cardinality = problem.hierarchies[quasi].nodes();
      if (released[quasi].size() != table.rows) {
        released[quasi] = Codes(table.rows, cardinality);
        released[quasi].visit([&](auto codes) {
          using Code = typename decltype(codes)::value_type;
          table.quasi[quasi].codes.visit([&](auto leaves) {
            for (size_t row = 0; row < table.rows; ++row) codes[row] = static_cast<Code>(nodes[leaves[row]]);
          });
        });
      }
      keys.push_back({&released[quasi], cardinality});
    }
    groups.push_back(group_rows(table.rows, keys));
    groups.back().sizes = group_totals(groups.back(), table.times);
  }
  return groups;
}

// Drops rows of groups that are too small, until there are none.
void drop_small(const Problem& problem, std::vector<Groups>& groups, std::vector<bool>& dropped) {
  for (bool again = true; again;) {
    again = false;
    for (size_t row = 0; row < dropped.size(); ++row) {
      if (dropped[row]) continue;
      for (size_t i = 0; i < groups.size() && !dropped[row]; ++i) {
        dropped[row] = groups[i].sizes[groups[i].group_of_row[row]] < problem.requirements[i].k;
      }
      if (!dropped[row]) continue;
      for (Groups& group : groups) group.sizes[group.group_of_row[row]] -= problem.table.times_of(row);
      again = groups.size() > 1;
    }
  }
}

// The rows, of those that are left, whose group of this requirement breaks its rule.
std::vector<uint32_t> rows_that_break(const GroupRule& rule, const Groups& groups, const std::vector<bool>& dropped,
                                      std::span<const uint32_t> times) {
  std::vector<size_t> next(groups.sizes.size() + 1, 0);
  for (uint32_t row = 0; row < dropped.size(); ++row)
    next[groups.group_of_row[row] + size_t{1}] += dropped[row] ? 0 : 1;
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<uint32_t> rows(next.back());
  std::vector<size_t> place(next.begin(), next.end() - 1);
  for (uint32_t row = 0; row < dropped.size(); ++row) {
    if (!dropped[row]) rows[place[groups.group_of_row[row]]++] = row;
  }
  std::vector<uint32_t> breaking;
  for (size_t group = 0; group < groups.sizes.size(); ++group) {
    const auto of_group = std::span(rows).subspan(next[group], next[group + 1] - next[group]);
    if (!rule.holds(rule.tally(of_group, times))) breaking.insert(breaking.end(), of_group.begin(), of_group.end());
  }
  return breaking;
}

bool risk_holds(const GroupRule& rule, const Groups& groups) {
  if (!rule.average_risk()) return true;
  const uint64_t rows = std::reduce(groups.sizes.begin(), groups.sizes.end(), uint64_t{0});
  const auto left = std::count_if(groups.sizes.begin(), groups.sizes.end(), [](uint32_t size) { return size > 0; });
  return rule.average_risk()->holds(static_cast<uint64_t>(left), rows);
}

}  // namespace

LevelDrop drop_rows(const Problem& problem, std::span<const int> levels) {
  LevelDrop result;
  std::vector<Groups> groups = groups_under(problem, levels);
  std::vector<bool> dropped(problem.table.rows, false);
  std::vector<std::shared_ptr<const GroupRule>> rules;
  for (const auto& rule : rules_of(problem)) rules.push_back(without_population(rule));
  for (size_t i = 0; i < groups.size(); ++i) {
    const uint32_t least = *std::min_element(groups[i].sizes.begin(), groups[i].sizes.end());
    const bool population = !problem.rule(i)->needs_population() || LevelPopulation(problem, i).holds(levels);
    result.populations_hold = result.populations_hold && population;
    const bool holds =
        population && least >= rules[i]->k() && risk_holds(*rules[i], groups[i]) &&
        (rules[i]->rows_only() || rows_that_break(*rules[i], groups[i], dropped, problem.table.times).empty());
    if (!holds) result.violated.push_back(i);
  }
  while (!result.violated.empty()) {
    drop_small(problem, groups, dropped);
    std::vector<uint32_t> breaking;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (rules[i]->rows_only()) continue;
      const std::vector<uint32_t> rows = rows_that_break(*rules[i], groups[i], dropped, problem.table.times);
      breaking.insert(breaking.end(), rows.begin(), rows.end());
    }
    if (breaking.empty()) break;
    for (uint32_t row : breaking) {
      if (dropped[row]) continue;
      dropped[row] = true;
      for (Groups& group : groups) group.sizes[group.group_of_row[row]] -= problem.table.times_of(row);
    }
  }
  for (uint32_t row = 0; row < dropped.size(); ++row) {
    if (!dropped[row]) continue;
    result.rows.push_back(row);
    result.input_rows += problem.table.times_of(row);
  }
  for (size_t i = 0; i < groups.size(); ++i) result.risks_hold = result.risks_hold && risk_holds(*rules[i], groups[i]);
  return result;
}

}  // namespace shoal
