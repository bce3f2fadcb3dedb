// kACTUS: suppression along a decision tree (Kisilevich, Rokach, Elovici, Shapira 2010). No hierarchies needed.
//
// Phase 1 grows a C4.5 tree for the target on the requirement's columns; rows alike in all of them and in the target
// are one weighted row. Phase 2 (kactus_prune) turns its leaves into groups of at least k rows. A group releases the
// columns that its path asks about and nothing else (kactus_release), or is split for least loss (kactus_inside).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shoal/learn/c45.h"
#include "shoal/method/method.h"
#include "shoal/method/rules.h"
#include "shoal/method/space/groups_recoding.h"
#include "shoal/method/trees/kactus_inside.h"
#include "shoal/method/trees/kactus_prune.h"
#include "shoal/method/trees/kactus_release.h"
#include "shoal/method/trees/kactus_rules.h"
#include "shoal/method/trees/quasi_dataset.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

using kactus::Group;

// The tree as phase 2 needs it. A row whose cell is missing where its path asks for it ends there, in a leaf of its own
// below that node: it has nothing in common with the branches (C4.5 deals such rows to all of them).
class Paths {
 public:
  Paths(const C45Tree& tree, const Problem& problem, const std::vector<size_t>& columns)
      : tree_(tree), problem_(problem), columns_(columns), missing_child_(tree.nodes.size(), 0) {
    for (const C45Tree::Node& node : tree.nodes) parents_.push_back(node.parent);
    for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
      first_right_.push_back(0);
      if (tree.nodes[node].leaf()) continue;
      const Hierarchy& hierarchy = hierarchy_of(node);
      if (hierarchy.missing()) {
        missing_child_[node] = static_cast<uint32_t>(parents_.size());
        parents_.push_back(node);
      }
      if (!hierarchy.numeric()) continue;
      const auto known = static_cast<uint32_t>(hierarchy.leaves() - (hierarchy.missing() ? 1 : 0));
      uint32_t leaf = 0;
      while (leaf < known && hierarchy.number(leaf) <= tree.nodes[node].threshold) ++leaf;
      first_right_.back() = leaf;
    }
  }

  const std::vector<uint32_t>& parents() const { return parents_; }

  // Where a tuple comes to rest.
  uint32_t leaf_of(const Tuples& tuples, size_t tuple) const {
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

  // What the path to a node tells about each column.
  std::vector<kactus::PathColumn> told(uint32_t node) const {
    std::vector<kactus::PathColumn> told(columns_.size());
    for (; node != 0; node = parents_[node]) {
      const uint32_t parent = parents_[node];
      const C45Tree::Node& split = tree_.nodes[parent];
      kactus::PathColumn& column = told[split.attribute];
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

  // "sex = M, age <= 41.5"; "all rows" for the root.
  std::string text(uint32_t node) const {
    std::string text;
    while (node != 0) {
      const uint32_t parent = parents_[node];
      text.insert(0, condition(parent, node) + (text.empty() ? "" : ", "));
      node = parent;
    }
    return text.empty() ? "all rows" : text;
  }

 private:
  const Hierarchy& hierarchy_of(uint32_t node) const {
    return problem_.hierarchies[columns_[tree_.nodes[node].attribute]];
  }
  std::string condition(uint32_t parent, uint32_t node) const {
    const C45Tree::Node& split = tree_.nodes[parent];
    const Column& column = problem_.table.quasi[columns_[split.attribute]];
    if (node == missing_child_[parent]) return column.name + " missing";
    if (!hierarchy_of(parent).numeric()) return column.name + " = " + column.values[node - split.first_child];
    return fmt::format("{} {} {}", column.name, node == split.first_child ? "<=" : ">", split.threshold);
  }

  const C45Tree& tree_;
  const Problem& problem_;
  const std::vector<size_t>& columns_;
  std::vector<uint32_t> parents_;        // the tree's nodes, then leaves for missing cells
  std::vector<uint32_t> missing_child_;  // [node of the tree]: 0 where the column has no missing cell
  std::vector<uint32_t> first_right_;    // [node of the tree]: numeric splits: least leaf above the threshold
};

class Kactus final : public Method {
 public:
  SearchResult search(const Problem& problem, Progress& progress) const override {
    SearchResult result;
    progress.check();
    if (problem.has_models()) {
      if (std::string reason = whole_table_breaks(problem); !reason.empty()) return {NoAnswer{reason}, {}, {}, {}};
    }
    const Requirement& requirement = problem.requirements.front();
    const std::vector<size_t>& columns = requirement.columns;
    const Tuples tuples = tuples_with_target(problem, columns);
    progress.update(0.1);
    const C45Tree tree = grow(problem, tuples, columns, progress, result);
    progress.update(0.6);
    const Paths paths(tree, problem, columns);
    std::vector<uint32_t> node_of_tuple(tuples.size()), node_of_row(problem.table.rows);
    for (size_t tuple = 0; tuple < tuples.size(); ++tuple) node_of_tuple[tuple] = paths.leaf_of(tuples, tuple);
    for (size_t row = 0; row < node_of_row.size(); ++row) node_of_row[row] = node_of_tuple[tuples.tuple_of_row[row]];
    kactus::Pruned pruned = kactus::prune(paths.parents(), node_of_row, requirement.k, problem.seed, progress);
    const auto rule = problem.rule(0);
    if (!rule->rows_only()) kactus::move_up(pruned, paths.parents(), *rule);
    std::vector<uint32_t> dropped = settle_root(problem, *rule, pruned);
    Recoding recoding = released(problem, paths, pruned, progress);
    recoding.dropped_rows = std::move(dropped);
    result.answer = std::move(recoding);
    tell(tree, paths, pruned, result.stats);
    return result;
  }

 private:
  static C45Tree grow(const Problem& problem, const Tuples& tuples, const std::vector<size_t>& columns,
                      Progress& progress, SearchResult& result) {
    if (progress.out_of_time()) {
      result.notices.push_back("stopped by the time budget before a tree was grown: all quasi cells are suppressed");
      return {.nodes = {{}}, .classes = 0, .class_weights = {}};
    }
    C45Options options;
    options.min_objects = options_of(problem).min_objects;
    options.pruned = false;
    C45Tree tree = grow_c45(quasi_dataset(problem, tuples, columns), options, progress);
    if (progress.out_of_time())
      result.notices.push_back("stopped by the time budget: the tree might have grown further, and told more");
    return tree;
  }
  static Recoding released(const Problem& problem, const Paths& paths, const kactus::Pruned& pruned,
                           Progress& progress) {
    const std::vector<size_t>& columns = problem.requirements.front().columns;
    const Options options = options_of(problem);
    if (options.split_inside) {
      return groups_recoding(problem, columns, kactus::split_inside(problem, columns, pruned.groups, progress));
    }
    std::vector<std::vector<kactus::PathColumn>> told;
    for (const Group& group : pruned.groups) told.push_back(paths.told(group.node));
    GroupRecoding recoding{.recoded_columns = columns};
    kactus::release(problem, pruned.groups, told, options.numbers, recoding);
    return {std::move(recoding)};
  }
  struct Options {
    bool split_inside = false;
    kactus::Numbers numbers = kactus::Numbers::path;
    double min_objects = 0;  // least rows in at least two branches of every split
  };
  static Options options_of(const Problem& problem) {
    Options options;
    const std::string& numeric = setting(problem.params, "numeric");
    if (numeric == "mean") options.numbers = kactus::Numbers::mean;
    if (numeric == "range") options.numbers = kactus::Numbers::range;
    options.split_inside = setting(problem.params, "inside") == "shoal";
    options.min_objects = number_setting(problem.params, "min_objects");
    if (options.min_objects == 0) options.min_objects = static_cast<double>(requirement_k(problem));
    return options;
  }
  static uint64_t requirement_k(const Problem& problem) { return problem.requirements.front().k; }

  // The rows that stayed with the root: a group with nothing released, or, when they are too few for one (or break its
  // rule), dropped as far as the limit on dropped rows allows, else filled up. Gives the
  // rows dropped, ascending.
  static std::vector<uint32_t> settle_root(const Problem& problem, const GroupRule& rule, kactus::Pruned& pruned) {
    std::vector<uint32_t>& left = pruned.left;
    if (left.empty()) return {};
    const uint64_t k = requirement_k(problem);
    if (!rule.holds(left)) {
      const auto rows = static_cast<double>(problem.table.rows);
      if (static_cast<double>(left.size()) <= problem.suppress_rows.value_or(0) * rows + 1e-9) {
        std::sort(left.begin(), left.end());
        return std::move(left);
      }
      const auto joined = rule.rows_only() ? kactus::fill_up(pruned.groups, left.size(), k, problem.seed + 1)
                                           : kactus::fill_up(pruned.groups, left, rule, problem.seed + 1);
      left.insert(left.end(), joined.begin(), joined.end());
    }
    pruned.groups.push_back({0, std::move(left)});
    return {};
  }

  static void tell(const C45Tree& tree, const Paths& paths, const kactus::Pruned& pruned, SearchStats& stats) {
    stats.generated = tree.nodes.size();
    stats.expanded = pruned.steps.size();
    uint64_t moved = 0;
    for (const kactus::Step& step : pruned.steps) {
      moved += step.moved;
      if (stats.steps.size() == kMostSteps) continue;
      stats.steps.push_back({paths.text(step.node),
                             {{"complying", static_cast<double>(step.complying)},
                              {"stayed", static_cast<double>(step.stayed)},
                              {"moved", static_cast<double>(step.moved)},
                              {"released", static_cast<double>(step.released)}}});
    }
    stats.details = {{"tree nodes", std::to_string(tree.nodes.size())},
                     {"tree depth", std::to_string(tree.depth())},
                     {"rows moved up to complete groups", std::to_string(moved)}};
  }

  static constexpr size_t kMostSteps = 1000;  // told about; a tree can have many more
};

}  // namespace

MethodEntry kactus_method() {
  return {
      .name = "kactus",
      .title = "keeps what a decision tree for the target needs and suppresses the rest; needs no hierarchies",
      .paper = "Kisilevich, Rokach, Elovici, Shapira 2010",
      .shape = Shape::groups,
      .parameters = {{.name = "numeric",
                      .meaning = "what a number is released as: the mean of its group, their range, or the range that "
                                 "the tests on the group's path leave",
                      .default_value = "path",
                      .choices = {"mean", "range", "path"}},
                     {.name = "inside",
                      .meaning =
                          "what becomes of a group: none (only what its path asks about is released), or shoal (it is "
                          "split for least loss, and all columns are released as the parts' ranges and nodes)",
                      .default_value = "none",
                      .choices = {"none", "shoal"}},
                     {.name = "min_objects",
                      .meaning = "least rows in at least two branches of every split of the tree; 0: k",
                      .default_value = "0",
                      .choices = {},
                      .minimum = 0,
                      .maximum = 1e9}},
      .several_requirements = false,
      .drops_rows = true,
      .needs_target = true,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<Kactus>(); },
      .releases_means = true,
      .obeys_models = true,
  };
}

}  // namespace shoal
