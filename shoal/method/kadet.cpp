// kADET: the release is a decision tree in which every node stands for at least k rows (Friedman, Wolff, Schuster
// 2008).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "shoal/method/kadet_tree.h"
#include "shoal/method/method.h"
#include "shoal/method/quasi_dataset.h"
#include "shoal/recode/apply.h"

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

// The tree as JSON and as text. Values are named by the labels they are released with.
class ModelWriter {
 public:
  ModelWriter(const Problem& problem, const KadetTree& tree) : problem_(problem), tree_(tree) {}

  ReleasedModel write() const {
    Json json{{"model", "decision tree"}, {"method", "kadet"},          {"k", problem_.requirements.front().k},
              {"target", target().name},  {"classes", target().values}, {"columns", Json::array()}};
    for (size_t column : tree_.columns) json["columns"].push_back(problem_.table.quasi[column].name);
    json["tree"] = node_json(0);
    std::string text;
    if (tree_.nodes[0].leaf()) text = summary(0) + "\n";
    add_text(0, 0, text);
    return {json.dump(2) + "\n", text};
  }

 private:
  const Column& target() const { return *problem_.table.target; }
  const Column& column(uint32_t node) const { return problem_.table.quasi[tree_.columns[tree_.nodes[node].column]]; }
  const Hierarchy& hierarchy(uint32_t node) const {
    return problem_.hierarchies[tree_.columns[tree_.nodes[node].column]];
  }

  Json node_json(uint32_t number) const {
    const KadetTree::Node& node = tree_.nodes[number];
    Json json{{"rows", static_cast<uint64_t>(node.rows())},
              {"class", target().values[node.majority()]},
              {"class_rows", std::vector<uint64_t>(node.class_rows.begin(), node.class_rows.end())}};
    if (node.leaf()) return json;
    json["column"] = column(number).name;
    json["branches"] = Json::array();
    for (uint32_t i = 0; i < node.children; ++i) {
      const uint32_t child = node.first_child + i;
      Json branch;
      if (is_missing(child)) {
        branch["missing"] = true;
      } else if (hierarchy(number).numeric()) {
        branch[i == 0 ? "at_most" : "above"] = node.threshold;
      } else {
        branch["is"] = label(child);
      }
      branch.update(node_json(child));
      json["branches"].push_back(std::move(branch));
    }
    return json;
  }

  bool is_missing(uint32_t child) const {
    return hierarchy(tree_.nodes[child].parent).missing() == tree_.nodes[child].first;
  }
  std::string label(uint32_t child) const {
    const KadetTree::Node& node = tree_.nodes[child];
    return released_text(released_node(hierarchy(node.parent), node.covered_by), column(node.parent),
                         hierarchy(node.parent));
  }
  std::string condition(uint32_t child) const {
    const KadetTree::Node& parent = tree_.nodes[tree_.nodes[child].parent];
    const std::string& name = column(tree_.nodes[child].parent).name;
    if (is_missing(child)) return name + " missing";
    if (!hierarchy(tree_.nodes[child].parent).numeric()) return name + " = " + label(child);
    return fmt::format("{} {} {}", name, child == parent.first_child ? "<=" : ">", parent.threshold);
  }
  // "yes (120/14)": the class of most rows, all rows and those of other classes.
  std::string summary(uint32_t number) const {
    const KadetTree::Node& node = tree_.nodes[number];
    const double others = node.rows() - node.class_rows[node.majority()];
    return fmt::format("{} ({}/{})", target().values[node.majority()], node.rows(), others);
  }
  void add_text(uint32_t number, size_t depth, std::string& text) const {
    const KadetTree::Node& node = tree_.nodes[number];
    for (uint32_t child = node.first_child; child < node.first_child + node.children; ++child) {
      for (size_t i = 0; i < depth; ++i) text += "|   ";
      text += condition(child);
      text += tree_.nodes[child].leaf() ? ": " + summary(child) + "\n" : "\n";
      add_text(child, depth + 1, text);
    }
  }

  const Problem& problem_;
  const KadetTree& tree_;
};

// What the tree tells about each row: the columns that its path asks about, as narrow as the path makes them.
Recoding recoding_of(const Problem& problem, const Tuples& tuples, const KadetTree& tree) {
  Recoding recoding;
  recoding.shape = Shape::regions;
  recoding.recoded_columns = tree.columns;
  const size_t width = tree.columns.size();
  std::vector<uint32_t> group_of_node(tree.nodes.size(), 0);
  for (uint32_t number = 0; number < tree.nodes.size(); ++number) {
    if (!tree.nodes[number].leaf()) continue;
    group_of_node[number] = static_cast<uint32_t>(recoding.group_releases.size() / width);
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
  return recoding;
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
    result.recoding = recoding_of(problem, tuples, tree);
    result.model = ModelWriter(problem, tree).write();
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
      .shape = Shape::regions,
      .parameters = {{.name = "prune",
                      .meaning = "cut back branches that are not expected to help on new rows, as C4.5 does",
                      .default_value = "yes",
                      .choices = {"yes", "no"}}},
      .several_requirements = false,
      .drops_rows = false,
      .needs_target = true,
      .make = []() -> std::unique_ptr<Method> { return std::make_unique<Kadet>(); },
      .releases_model = true,
  };
}

}  // namespace shoal
