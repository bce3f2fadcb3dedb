// Small tables of the papers: distinct rows with counts, and trees as indented text.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "shoal/hierarchy/tree.h"
#include "shoal/method/method.h"
#include "shoal/table/number.h"

namespace shoal::testing {

// Two blanks per level, the root first; a label without children is a leaf.
inline Tree indented_tree(const std::string& text) {
  Tree tree;
  std::vector<uint32_t> path;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t depth = line.find_first_not_of(' ') / 2;
    path.resize(depth);
    const auto node = static_cast<uint32_t>(tree.nodes.size());
    if (depth > 0) tree.nodes[path.back()].leaf = false;
    tree.nodes.push_back({line.substr(2 * depth), depth > 0 ? path.back() : 0, 0, true});
    path.push_back(node);
  }
  return tree;
}

struct CountedTable {
  Table table;
  std::vector<Hierarchy> hierarchies;
  Problem problem(std::vector<Requirement> requirements) const {
    return {table, hierarchies, std::move(requirements), std::vector<double>(hierarchies.size(), 1.0), {}, {}, 1, 1};
  }
  size_t column(const std::string& name) const {
    for (size_t j = 0; j < table.quasi.size(); ++j) {
      if (table.quasi[j].name == name) return j;
    }
    return SIZE_MAX;
  }
};

// Rows "value value ... class count" under a header "name name ... class", blanks between; "?" is missing. Columns
// without a tree are flat. A column is numeric when all its values are numbers. The last column is the target.
inline CountedTable counted_table(const std::string& text, const std::map<std::string, std::string>& trees = {}) {
  std::istringstream lines(text);
  std::string line, word;
  std::getline(lines, line);
  std::istringstream header(line);
  std::vector<std::string> names;
  while (header >> word) names.push_back(word);
  std::vector<std::vector<std::string>> cells(names.size());
  while (std::getline(lines, line)) {
    std::istringstream row(line);
    std::vector<std::string> values(names.size());
    size_t count = 0;
    for (std::string& value : values) row >> value;
    row >> count;
    for (size_t j = 0; j < names.size(); ++j) cells[j].insert(cells[j].end(), count, values[j]);
  }
  CountedTable result;
  result.table.rows = cells[0].size();
  for (size_t j = 0; j < names.size(); ++j) {
    std::vector<std::string> values;
    std::map<std::string, uint32_t> index;
    bool missing = false, numeric = true;
    for (const std::string& cell : cells[j]) {
      missing = missing || cell == "?";
      if (cell == "?" || !index.emplace(cell, static_cast<uint32_t>(values.size())).second) continue;
      values.push_back(cell);
      numeric = numeric && parse_number(cell);
    }
    if (j + 1 == names.size()) {
      Column target{names[j], Codes(cells[j].size(), values.size()), values};
      for (size_t row = 0; row < cells[j].size(); ++row) target.codes.set(row, index.at(cells[j][row]));
      result.table.target = std::move(target);
      break;
    }
    ColumnValues column{names[j], values, missing, "?", {}};
    for (size_t i = 0; numeric && i < values.size(); ++i) column.numbers.push_back(*parse_number(values[i]));
    const auto tree = trees.find(names[j]);
    BoundHierarchy bound = tree == trees.end()
                               ? bind_flat(column)
                               : bind_tree(indented_tree(tree->second), column, UnknownValues::refuse, {});
    Column quasi{names[j], Codes(cells[j].size(), bound.hierarchy.leaves()), bound.leaf_texts};
    for (size_t row = 0; row < cells[j].size(); ++row) {
      const std::string& cell = cells[j][row];
      quasi.codes.set(row, cell == "?" ? bound.missing_leaf : bound.leaf_of_value[index.at(cell)]);
    }
    result.table.quasi.push_back(std::move(quasi));
    result.hierarchies.push_back(std::move(bound.hierarchy));
  }
  return result;
}

}  // namespace shoal::testing
