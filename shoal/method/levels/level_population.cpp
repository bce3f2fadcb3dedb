#include "shoal/method/levels/level_population.h"

#include <unordered_map>

#include "shoal/recode/group_keys.h"

namespace shoal {
namespace {

Tuples tuples_on(const Problem& problem, const std::vector<size_t>& columns) {
  const std::vector<GroupKey> all = raw_keys(problem.table, problem.hierarchies);
  std::vector<GroupKey> keys;
  for (size_t j : columns) keys.push_back(all[j]);
  return distinct_tuples(problem.table.rows, keys, problem.table.times);
}

}  // namespace

LevelPopulation::LevelPopulation(const Problem& problem, size_t requirement)
    : problem_(problem),
      columns_(problem.requirements[requirement].columns),
      rule_(problem.rule(requirement)),
      population_(*population_of(*rule_)),
      tuples_(tuples_on(problem, columns_)) {}

bool LevelPopulation::holds(std::span<const int> levels) const {
  // Groups are numbered column by column: a group so far and the node of the next column make a new one.
  std::vector<uint32_t> group(tuples_.size(), 0);
  uint32_t groups = 1;
  std::unordered_map<uint64_t, uint32_t> known;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const auto& nodes = problem_.hierarchies[columns_[i]].level_nodes(levels[columns_[i]]);
    known.clear();
    for (size_t tuple = 0; tuple < tuples_.size(); ++tuple) {
      const uint64_t key = uint64_t{group[tuple]} << 32 | nodes[tuples_.columns[i][tuple]];
      group[tuple] = known.try_emplace(key, static_cast<uint32_t>(known.size())).first->second;
    }
    groups = static_cast<uint32_t>(known.size());
  }
  std::vector<uint64_t> rows(groups, 0);
  std::vector<size_t> tuple_of(groups, 0);
  for (size_t tuple = 0; tuple < tuples_.size(); ++tuple) {
    rows[group[tuple]] += tuples_.counts[tuple];
    tuple_of[group[tuple]] = tuple;
  }
  std::vector<LeafStretch> box(columns_.size());
  for (uint32_t g = 0; g < groups && tuples_.size() > 0; ++g) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Hierarchy& hierarchy = problem_.hierarchies[columns_[i]];
      const auto& node = hierarchy.node(hierarchy.level_nodes(levels[columns_[i]])[tuples_.columns[i][tuple_of[g]]]);
      box[i] = {node.first, node.last};
    }
    if (!population_holds(*rule_, rows[g], population_.people_in(box))) return false;
  }
  return true;
}

}  // namespace shoal
