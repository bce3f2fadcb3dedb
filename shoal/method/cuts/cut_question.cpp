#include "shoal/method/cuts/cut_question.h"

#include <algorithm>

#include "shoal/method/cuts/tuple_rules.h"

namespace shoal {

CutQuestion::CutQuestion(const Problem& problem, const std::vector<size_t>& requirements, const CutSpace& space,
                         const CutObjective& objective)
    : space_(space), objective_(objective) {
  for (size_t place : requirements) {
    requirements_.push_back(problem.requirements[place]);
    rules_.push_back(problem.rule(place));
  }
  std::vector<TupleTable::View> views;
  auto view_index = [&](const TupleTable::View& view) {
    const auto found = std::find(views.begin(), views.end(), view);
    if (found != views.end()) return static_cast<size_t>(found - views.begin());
    views.push_back(view);
    return views.size() - 1;
  };
  for (size_t i = 0; i < requirements_.size(); ++i) {
    view_of_requirement_.push_back(view_index({requirements_[i].columns, false, false, needs_counts(*rules_[i])}));
  }
  if (objective.view()) view_of_objective_ = view_index(*objective.view());
  for (const TupleTable::View& view : views) first_.emplace_back(problem, view);
}

CutQuestion::Tables CutQuestion::rolled(const Tables& tables, const Cut& cut, KeyIndex& index) const {
  Tables result;
  for (const TupleTable& table : tables) result.push_back(table.rolled(space_, cut, index));
  return result;
}

std::optional<CutQuestion::Violation> CutQuestion::violation(const Tables& tables, KeyIndex& index) const {
  for (size_t i = 0; i < requirements_.size(); ++i) {
    if (needs_counts(*rules_[i])) {
      const std::vector<size_t> tuples = violating_tuples(i, tables, index);
      if (!tuples.empty()) return Violation{i, tuples.front()};
      continue;
    }
    const auto& rows = tables[view_of_requirement_[i]].rows();
    for (size_t tuple = 0; tuple < rows.size(); ++tuple) {
      if (rows[tuple] < requirements_[i].k) return Violation{i, tuple};
    }
  }
  return std::nullopt;
}

std::vector<size_t> CutQuestion::violating_tuples(size_t requirement, const Tables& tables, KeyIndex& index) const {
  const TupleTable& table = tables[view_of_requirement_[requirement]];
  if (needs_counts(*rules_[requirement])) {
    const BreakingGroups breaking =
        breaking_groups(table, {requirements_[requirement].columns, *rules_[requirement], space_.hierarchies()}, index);
    std::vector<size_t> tuples = breaking.firsts();
    if (breaking.risk_too_high) tuples.push_back(kAllGroups);
    return tuples;
  }
  std::vector<size_t> tuples;
  for (size_t tuple = 0; tuple < table.size(); ++tuple) {
    if (table.rows()[tuple] < requirements_[requirement].k) tuples.push_back(tuple);
  }
  return tuples;
}

size_t CutQuestion::Place::bytes() const {
  size_t bytes = sizeof(Place) + cut.words.size() * 8;
  for (const TupleTable& table : tables) {
    bytes += sizeof(TupleTable) + table.size() * (8 * table.words() + 4 + 4 * table.classes());
  }
  return bytes;
}

Clause CutQuestion::clause(const Violation& violation, const Place& place, const Tables& low,
                           const std::vector<double>& price) const {
  const size_t i = violation.requirement;
  if (violation.tuple == kAllGroups) return beyond(space_, place.cut, requirements_[i].columns);
  const TupleTable& boxes = place.tables[view_of_requirement_[i]];
  std::vector<Hierarchy::Node> nodes;
  for (const TupleTable::Field& field : boxes.fields()) nodes.push_back(boxes.node(violation.tuple, field));
  return grow_clause(space_, low[view_of_requirement_[i]], nodes, *rules_[i], price);
}

}  // namespace shoal
