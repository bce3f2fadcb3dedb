// kADET: the release is a decision tree in which every node stands for at least k rows (Friedman, Wolff, Schuster
// 2008).
#include <algorithm>

#include "shoal/method/method.h"
#include "shoal/method/trees/kadet_tree.h"
#include "shoal/method/trees/quasi_dataset.h"
#include "shoal/recode/apply.h"

namespace shoal {
namespace {

// The tree as it is released: values are named by the labels they are released with.
ShownTree shown(const Problem& problem, const KadetTree& tree) {
  const Column& target = *problem.table.target;
  ShownTree shown{"kadet", problem.requirements.front().k, target.name, target.values, {}, {}};
  for (size_t column : tree.columns) shown.columns.push_back(problem.table.quasi[column].name);
  for (uint32_t number = 0; number < tree.nodes.size(); ++number) {
    const KadetTree::Node& node = tree.nodes[number];
    ShownTree::Node& copy = shown.nodes.emplace_back();
    copy.parent = node.parent;
    copy.rows = static_cast<uint64_t>(node.rows());
    copy.majority = target.values[node.majority()];
    copy.class_rows.assign(node.class_rows.begin(), node.class_rows.end());
    if (!node.leaf()) {
      copy.column = problem.table.quasi[tree.columns[node.column]].name;
      copy.first_child = node.first_child;
      copy.children = node.children;
    }
    if (number == 0) continue;
    const KadetTree::Node& parent = tree.nodes[node.parent];
    const Column& column = problem.table.quasi[tree.columns[parent.column]];
    const Hierarchy& hierarchy = problem.hierarchies[tree.columns[parent.column]];
    if (hierarchy.missing() == node.first) {
      copy.test = ShownTree::Test::missing;
    } else if (hierarchy.numeric()) {
      copy.test = number == parent.first_child ? ShownTree::Test::at_most : ShownTree::Test::above;
      copy.threshold = parent.threshold;
    } else {
      copy.test = ShownTree::Test::is;
      copy.label = released_text(released_node(hierarchy, node.covered_by), column, hierarchy);
    }
  }
  return shown;
}

// What the tree tells about each row: the columns that its path asks about, as narrow as the path makes them.
Recoding recoding_of(const Problem& problem, const Tuples& tuples, const KadetTree& tree) {
  GroupRecoding recoding;
  recoding.equal_rows_alike = true;
  recoding.recoded_columns = tree.columns;
  const size_t width = tree.columns.size();
  std::vector<uint32_t> group_of_node(tree.nodes.size(), 0);
  for (uint32_t number = 0; number < tree.nodes.size(); ++number) {
    if (!tree.nodes[number].leaf()) continue;
    group_of_node[number] = static_cast<uint32_t>(recoding.groups());
    std::vector<std::pair<uint32_t, uint32_t>> intervals;
    std::vector<bool> asked(width, false);
    for (size_t column : tree.columns) {
      intervals.emplace_back(0, static_cast<uint32_t>(problem.hierarchies[column].leaves() - 1));
    }
    for (uint32_t at = number; at != 0; at = tree.nodes[at].parent) {
      const KadetTree::Node& node = tree.nodes[at];
      const uint32_t column = tree.nodes[node.parent].column;
      asked[column] = true;
      intervals[column] = {std::max(intervals[column].first, node.first),
                           std::min(intervals[column].second, node.last)};
    }
    for (size_t i = 0; i < width; ++i) {
      const Hierarchy& hierarchy = problem.hierarchies[tree.columns[i]];
      recoding.group_releases.push_back(asked[i] ? released_interval(hierarchy, intervals[i].first, intervals[i].second)
                                                 : released_node(hierarchy, Hierarchy::kRoot));
    }
  }
  std::vector<uint32_t> group_of_tuple(tuples.size());
  for (size_t tuple = 0; tuple < tuples.size(); ++tuple) {
    group_of_tuple[tuple] = group_of_node[tree.node_of([&](size_t column) { return tuples.columns[column][tuple]; })];
  }
  recoding.group_of_row.resize(problem.table.rows);
  for (size_t row = 0; row < problem.table.rows; ++row) {
    recoding.group_of_row[row] = group_of_tuple[tuples.tuple_of_row[row]];
  }
  return {std::move(recoding)};
}

class Kadet final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    SearchResult result;
    progress.check();
    const Requirement& requirement = problem.requirements.front();
    const Tuples tuples = tuples_with_target(problem, requirement.columns);
    const KadetTree tree = grow_kadet(problem, tuples, requirement.columns, kadet_options(problem), progress);
    if (progress.out_of_time())
      result.notices.push_back("stopped by the time budget: the tree might have grown further");
    result.answer = ModelAnswer{shown(problem, tree), recoding_of(problem, tuples, tree)};
    result.stats.generated = tree.nodes.size();
    result.stats.details = {{"leaves", std::to_string(tree.leaves())}, {"nodes", std::to_string(tree.nodes.size())}};
    return result;
  }
};

}  // namespace

KadetOptions kadet_options(const Problem& problem) {
  return {.k = problem.requirements.front().k, .pruned = setting(problem.params, "prune") == "yes"};
}

MethodEntry kadet_method() {
  return {
      .name = "kadet",
      .title = "releases a decision tree for the target, in which every node has at least k rows, instead of a table",
      .paper = "Friedman, Wolff, Schuster 2008",
      .shape = Shape::model,
      .parameters = {{.name = "prune",
                      .meaning = "cut back branches that are not expected to help on new rows, as C4.5 does",
                      .default_value = "yes",
                      .choices = {"yes", "no"}}},
      .several_requirements = false,
      .drops_rows = false,
      .needs_target = true,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<Kadet>(); },
      .cannot_obey = "releases a decision tree, not groups of rows with their sensitive values",
  };
}

}  // namespace shoal
