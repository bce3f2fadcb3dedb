// The worked tables of the HeuristicMin paper, built by hand, for unit tests that must not depend on readers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testing/random_problem.h"

namespace shoal::testing {

// A tree from (label, parent label) pairs, parents first; the first is the root. Leaves are numbered depth-first.
class WorkedTree {
 public:
  explicit WorkedTree(std::vector<std::pair<std::string, std::string>> nodes) {
    for (const auto& [label, parent] : nodes) children_[parent].push_back(label);
    add(nodes[0].first, 0, 0);
  }
  Hierarchy hierarchy() const {
    std::vector<Hierarchy::NodeInfo> nodes = nodes_;
    nodes[0].label = "*";
    uint32_t height = 0;
    for (uint32_t leaf : leaf_nodes_) height = std::max(height, nodes[leaf].depth);
    std::vector<std::vector<uint32_t>> levels;
    for (uint32_t level = 0; level <= height; ++level) {
      levels.emplace_back();
      for (uint32_t node : leaf_nodes_) {
        while (nodes[node].depth > height - level) node = nodes[node].parent;
        levels.back().push_back(node);
      }
    }
    return Hierarchy(nodes, levels, {}, std::nullopt);
  }
  uint32_t leaf(const std::string& label) const {
    for (uint32_t leaf = 0; leaf < leaf_nodes_.size(); ++leaf) {
      if (nodes_[leaf_nodes_[leaf]].label == label) return leaf;
    }
    throw std::out_of_range(label);
  }

 private:
  void add(const std::string& label, uint32_t parent, uint32_t depth) {
    const auto node = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({label, parent, depth, static_cast<uint32_t>(leaf_nodes_.size()), 0});
    if (!children_.contains(label)) leaf_nodes_.push_back(node);
    for (const std::string& child : children_[label]) add(child, node, depth + 1);
    if (children_[label].empty()) children_.erase(label);
    nodes_[node].last = static_cast<uint32_t>(leaf_nodes_.size() - 1);
  }
  std::map<std::string, std::vector<std::string>> children_;
  std::vector<Hierarchy::NodeInfo> nodes_;
  std::vector<uint32_t> leaf_nodes_;
};

// Rows are (values, how often).
inline RandomTable worked_table(const std::vector<WorkedTree>& trees,
                                const std::vector<std::pair<std::vector<std::string>, int>>& rows) {
  RandomTable result;
  for (const auto& row : rows) result.table.rows += static_cast<size_t>(row.second);
  for (size_t j = 0; j < trees.size(); ++j) {
    result.hierarchies.push_back(trees[j].hierarchy());
    const Hierarchy& tree = result.hierarchies.back();
    Column column{"q" + std::to_string(j), Codes(result.table.rows, tree.leaves()), {}};
    for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf)
      column.values.push_back(tree.node(tree.leaf_node(leaf)).label);
    size_t next = 0;
    for (const auto& [values, count] : rows) {
      for (int copy = 0; copy < count; ++copy) column.codes.set(next++, trees[j].leaf(values[j]));
    }
    result.table.quasi.push_back(std::move(column));
  }
  return result;
}

inline RandomTable heuristicmin_1() {
  const WorkedTree edu(
      {{"Any", ""}, {"School", "Any"}, {"High", "School"}, {"9th", "High"}, {"10th", "High"}, {"12th", "High"}});
  const WorkedTree sex({{"Any", ""}, {"M", "Any"}, {"F", "Any"}});
  const WorkedTree hrs(
      {{"[1,99)", ""}, {"[1,40)", "[1,99)"}, {"[40,99)", "[1,99)"}, {"30", "[1,40)"}, {"40", "[40,99)"}});
  return worked_table({edu, sex, hrs}, {{{"10th", "M", "40"}, 20},
                                        {{"10th", "M", "30"}, 4},
                                        {{"9th", "M", "30"}, 2},
                                        {{"9th", "F", "30"}, 4},
                                        {{"9th", "F", "40"}, 6},
                                        {{"12th", "F", "30"}, 2},
                                        {{"12th", "F", "40"}, 2}});
}

inline RandomTable heuristicmin_2() {
  const WorkedTree edu({{"Any", ""},
                        {"Secondary", "Any"},
                        {"University", "Any"},
                        {"Junior", "Secondary"},
                        {"Senior", "Secondary"},
                        {"9th", "Junior"},
                        {"10th", "Junior"},
                        {"11th", "Senior"},
                        {"12th", "Senior"},
                        {"Bachelors", "University"},
                        {"Grad", "University"},
                        {"Masters", "Grad"},
                        {"Doctorate", "Grad"}});
  const WorkedTree sex({{"Any", ""}, {"M", "Any"}, {"F", "Any"}});
  const WorkedTree hrs({{"[1,99)", ""},
                        {"[1,37)", "[1,99)"},
                        {"[37,99)", "[1,99)"},
                        {"[1,35)", "[1,37)"},
                        {"[35,37)", "[1,37)"},
                        {"30", "[1,35)"},
                        {"32", "[1,35)"},
                        {"35", "[35,37)"},
                        {"37", "[37,99)"},
                        {"42", "[37,99)"},
                        {"44", "[37,99)"}});
  return worked_table({edu, sex, hrs}, {{{"9th", "M", "30"}, 3},
                                        {{"10th", "M", "32"}, 4},
                                        {{"11th", "M", "35"}, 5},
                                        {{"12th", "F", "37"}, 4},
                                        {{"Bachelors", "F", "42"}, 6},
                                        {{"Bachelors", "F", "44"}, 4},
                                        {{"Masters", "M", "44"}, 4},
                                        {{"Masters", "F", "44"}, 3},
                                        {{"Doctorate", "F", "44"}, 1}});
}

inline RandomTable heuristicmin_3() {
  const WorkedTree application({{"Any", ""}, {"Acc", "Any"}, {"Rej", "Any"}});
  const WorkedTree sex({{"Any", ""}, {"M", "Any"}, {"F", "Any"}});
  const WorkedTree age({{"[0,99)", ""},
                        {"[0,40)", "[0,99)"},
                        {"[40,99)", "[0,99)"},
                        {"20", "[0,40)"},
                        {"25", "[0,40)"},
                        {"30", "[0,40)"},
                        {"40", "[40,99)"},
                        {"50", "[40,99)"},
                        {"70", "[40,99)"}});
  return worked_table({application, sex, age}, {{{"Acc", "F", "30"}, 5},
                                                {{"Acc", "F", "20"}, 16},
                                                {{"Acc", "F", "40"}, 3},
                                                {{"Acc", "M", "25"}, 4},
                                                {{"Acc", "M", "30"}, 5},
                                                {{"Rej", "M", "30"}, 10},
                                                {{"Rej", "F", "30"}, 15},
                                                {{"Rej", "F", "50"}, 5},
                                                {{"Rej", "F", "20"}, 5},
                                                {{"Rej", "M", "70"}, 15}});
}

// The labels of what a cut releases in a column.
inline std::set<std::string> released_labels(const Recoding& recoding, const RandomTable& table, size_t column) {
  std::set<std::string> labels;
  for (const Released& value : recoding.by_value().value_map[column]) {
    labels.insert(table.hierarchies[column].node(value.number).label);
  }
  return labels;
}

}  // namespace shoal::testing
