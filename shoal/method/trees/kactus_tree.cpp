#include "shoal/method/trees/kactus_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/method/rules.h"
#include "shoal/method/trees/kactus_rules.h"
#include "shoal/method/trees/quasi_dataset.h"
#include "shoal/table/share_of_rows.h"

namespace shoal::kactus {

Paths::Paths(C45Tree tree, const Problem& problem, const std::vector<size_t>& columns)
    : tree_(std::move(tree)), problem_(problem), columns_(columns), missing_child_(tree_.nodes.size(), 0) {
  for (const C45Tree::Node& node : tree_.nodes) parents_.push_back(node.parent);
  for (uint32_t node = 0; node < tree_.nodes.size(); ++node) {
    first_right_.push_back(0);
    if (tree_.nodes[node].leaf()) continue;
    const Hierarchy& hierarchy = hierarchy_of(node);
    if (hierarchy.missing()) {
      missing_child_[node] = static_cast<uint32_t>(parents_.size());
      parents_.push_back(node);
    }
    if (!hierarchy.numeric()) continue;
    const auto known = static_cast<uint32_t>(hierarchy.leaves() - (hierarchy.missing() ? 1 : 0));
    uint32_t leaf = 0;
    while (leaf < known && hierarchy.number(leaf) <= tree_.nodes[node].threshold) ++leaf;
    first_right_.back() = leaf;
  }
}

uint32_t Paths::leaf_of(const Tuples& tuples, size_t tuple) const {
  uint32_t node = 0;
  while (!tree_.nodes[node].leaf()) {
    const C45Tree::Node& split = tree_.nodes[node];
    const Hierarchy& hierarchy = hierarchy_of(node);
    const uint32_t leaf = tuples.columns[split.attribute][tuple];
    if (hierarchy.missing() == leaf) return missing_child_[node];
    node = split.first_child + (hierarchy.numeric() ? uint32_t{leaf >= first_right_[node]} : leaf);
  }
  return node;
}

std::vector<PathColumn> Paths::told(uint32_t node) const {
  std::vector<PathColumn> told(columns_.size());
  for (; node != 0; node = parents_[node]) {
    const uint32_t parent = parents_[node];
    const C45Tree::Node& split = tree_.nodes[parent];
    PathColumn& column = told[split.attribute];
    column.asked = true;
    if (!hierarchy_of(parent).numeric() || node == missing_child_[parent]) continue;
    if (node == split.first_child) {
      column.last = std::min(column.last, first_right_[parent] - 1);
    } else {
      column.first = std::max(column.first, first_right_[parent]);
    }
  }
  return told;
}

std::string Paths::text(uint32_t node) const {
  std::string text;
  while (node != 0) {
    const uint32_t parent = parents_[node];
    text.insert(0, condition(parent, node) + (text.empty() ? "" : ", "));
    node = parent;
  }
  return text.empty() ? "all rows" : text;
}

std::string Paths::condition(uint32_t parent, uint32_t node) const {
  const C45Tree::Node& split = tree_.nodes[parent];
  const Column& column = problem_.table.quasi[columns_[split.attribute]];
  if (node == missing_child_[parent]) return column.name + " missing";
  if (!hierarchy_of(parent).numeric()) return column.name + " = " + column.values[node - split.first_child];
  return fmt::format("{} {} {}", column.name, node == split.first_child ? "<=" : ">", split.threshold);
}

namespace {

C45Tree grown_tree(const Problem& problem, const Tuples& tuples, double min_objects, Progress& progress,
                   std::vector<std::string>& notices) {
  if (progress.out_of_time()) {
    notices.push_back("stopped by the time budget before a tree was grown: all quasi cells are suppressed");
    return {.nodes = {{}}, .classes = 0, .class_weights = {}};
  }
  const Requirement& requirement = problem.requirements.front();
  C45Options options;
  options.min_objects = min_objects == 0 ? static_cast<double>(requirement.k) : min_objects;
  options.pruned = false;
  options.threads = problem.threads;
  C45Tree tree = grow_c45(quasi_dataset(problem, tuples, requirement.columns), options, progress);
  if (progress.out_of_time())
    notices.push_back("stopped by the time budget: the tree might have grown further, and told more");
  return tree;
}

// The rows that stayed with the root: a group with nothing released, or, when they are too few for one (or break its
// rule), dropped as far as the limit on dropped rows allows, else filled up. Gives the rows dropped, ascending.
std::vector<uint32_t> settle_root(const Problem& problem, const GroupRule& rule, Pruned& pruned) {
  std::vector<uint32_t>& left = pruned.left;
  if (left.empty()) return {};
  const uint64_t k = problem.requirements.front().k;
  if (!rule.holds(left)) {
    const uint64_t droppable = share_of_rows(problem.suppress_rows.value_or(0), problem.table.rows);
    if (left.size() <= droppable && left.size() < problem.table.rows) {
      std::sort(left.begin(), left.end());
      return std::move(left);
    }
    const auto joined = rule.rows_only() ? fill_up(pruned.groups, left.size(), k, problem.seed + 1)
                                         : fill_up(pruned.groups, left, rule, problem.seed + 1);
    left.insert(left.end(), joined.begin(), joined.end());
  }
  pruned.groups.push_back({0, std::move(left)});
  return {};
}

}  // namespace

TreeGroups tree_groups(const Problem& problem, double min_objects, Progress& progress,
                       std::vector<std::string>& notices) {
  const Requirement& requirement = problem.requirements.front();
  const Tuples tuples = tuples_with_target(problem, requirement.columns);
  progress.update(0.1);
  Paths paths(grown_tree(problem, tuples, min_objects, progress, notices), problem, requirement.columns);
  progress.update(0.6);
  std::vector<uint32_t> node_of_tuple(tuples.size()), node_of_row(problem.table.rows);
  for (size_t tuple = 0; tuple < tuples.size(); ++tuple) node_of_tuple[tuple] = paths.leaf_of(tuples, tuple);
  for (size_t row = 0; row < node_of_row.size(); ++row) node_of_row[row] = node_of_tuple[tuples.tuple_of_row[row]];
  Pruned pruned = prune(paths.parents(), node_of_row, requirement.k, problem.seed, progress);
  const auto rule = problem.rule(0);
  if (!rule->rows_only()) move_up(pruned, paths.parents(), *rule);
  std::vector<uint32_t> dropped = settle_root(problem, *rule, pruned);
  return {std::move(paths), std::move(pruned), std::move(dropped)};
}

}  // namespace shoal::kactus
