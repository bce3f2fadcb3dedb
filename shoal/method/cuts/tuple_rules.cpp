#include "shoal/method/cuts/tuple_rules.h"

#include <algorithm>
#include <numeric>

#include "shoal/model/population_index.h"

namespace shoal {

bool BreakingGroups::any() const {
  return risk_too_high || std::find(breaks.begin(), breaks.end(), true) != breaks.end();
}

std::vector<size_t> BreakingGroups::firsts() const {
  std::vector<size_t> tuples;
  std::vector<bool> seen(breaks.size(), false);
  for (size_t tuple = 0; tuple < group_of_tuple.size(); ++tuple) {
    const uint32_t group = group_of_tuple[tuple];
    if (breaks[group] && !seen[group]) tuples.push_back(tuple);
    seen[group] = true;
  }
  return tuples;
}

namespace {

// The people that the nodes of a tuple fit.
uint64_t people_of(const TupleTable& table, size_t tuple, const RuledColumns& ruled,
                   const PopulationIndex& population) {
  const std::vector<size_t>& columns = ruled.columns;
  std::vector<LeafStretch> box(columns.size());
  for (const TupleTable::Field& field : table.fields()) {
    const auto place = std::find(columns.begin(), columns.end(), field.column);
    if (place == columns.end()) continue;
    const auto& node = ruled.hierarchies[field.column].node(table.node(tuple, field));
    box[static_cast<size_t>(place - columns.begin())] = {node.first, node.last};
  }
  return population.people_in(box);
}

}  // namespace

BreakingGroups breaking_groups(const TupleTable& table, const RuledColumns& ruled, KeyIndex& index, size_t more) {
  const GroupRule& rule = ruled.rule;
  const PopulationIndex* population = population_of(rule);
  BreakingGroups result;
  index.reset(table.group_words(), table.size() + more);
  result.group_of_tuple = table.group_numbers(ruled.columns, index);
  const size_t groups = index.size();
  std::vector<uint32_t> next(groups + 1, 0);
  for (uint32_t group : result.group_of_tuple) ++next[group + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<uint32_t> order(table.size()), place(next.begin(), next.end() - 1);
  for (uint32_t tuple = 0; tuple < order.size(); ++tuple) order[place[result.group_of_tuple[tuple]]++] = tuple;
  result.breaks.assign(groups, false);
  // One tally for all groups: what one has added is taken out again.
  GroupTally tally = rule.tally();
  for (size_t group = 0; group < groups; ++group) {
    for (uint32_t i = next[group]; i < next[group + 1]; ++i) {
      rule.add(tally, table.row_like(order[i]), table.rows()[order[i]]);
    }
    if (population) tally.population = people_of(table, order[next[group]], ruled, *population);
    result.breaks[group] = !rule.holds(tally);
    for (uint32_t i = next[group]; i < next[group + 1]; ++i) {
      rule.remove(tally, table.row_like(order[i]), table.rows()[order[i]]);
    }
  }
  if (rule.average_risk()) {
    const uint64_t rows = std::reduce(table.rows().begin(), table.rows().end(), uint64_t{0});
    result.risk_too_high = !rule.average_risk()->holds(groups, rows);
  }
  return result;
}

}  // namespace shoal
