#include "shoal/method/trees/quasi_dataset.h"

namespace shoal {
namespace {

Attribute attribute(const Column& column, const Hierarchy& hierarchy, const std::vector<uint32_t>& leaves) {
  Attribute result;
  result.name = column.name;
  result.numeric = hierarchy.numeric();
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    if (leaf == hierarchy.missing()) continue;
    if (result.numeric) {
      result.extents.push_back({hierarchy.number(leaf), hierarchy.number(leaf)});
    } else {
      // A part of a table (part_of_problem.h) has codes alone.
      result.categories.push_back(column.values.empty() ? std::string() : column.values[leaf]);
    }
  }
  result.codes = leaves;
  // The missing leaf is the last one, so that the codes before it stay what they are.
  for (uint32_t& code : result.codes) {
    if (code != hierarchy.missing()) continue;
    code = Attribute::kMissing;
    result.has_missing = true;
  }
  return result;
}

}  // namespace

Tuples tuples_with_target(const Problem& problem, const std::vector<size_t>& columns) {
  std::vector<GroupKey> keys;
  keys.reserve(columns.size() + 1);  // the target too
  for (size_t column : columns) {
    keys.push_back({&problem.table.quasi[column].codes, problem.hierarchies[column].leaves()});
  }
  keys.push_back({&problem.table.target->codes, problem.table.target->values.size()});
  return distinct_tuples(problem.table.rows, keys);
}

Dataset quasi_dataset(const Problem& problem, const Tuples& tuples, const std::vector<size_t>& columns) {
  Dataset data;
  data.rows = tuples.size();
  for (size_t i = 0; i < columns.size(); ++i) {
    data.attributes.push_back(
        attribute(problem.table.quasi[columns[i]], problem.hierarchies[columns[i]], tuples.columns[i]));
  }
  data.class_name = problem.table.target->name;
  data.classes = problem.table.target->values;
  data.class_of = tuples.columns.back();
  data.weights.assign(tuples.counts.begin(), tuples.counts.end());
  return data;
}

}  // namespace shoal
