// All releases by value of a small table, one by one, and what they cost: the oracle of genetic and k-optimize. Shares
// nothing with them but the hierarchies.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "shoal/method/method.h"

namespace shoal::testing {

using PlainColumn =
    std::vector<std::pair<uint32_t, uint32_t>>;  // by leaf: first and last leaf that it is released with

// Every cut through the tree below a node.
inline std::vector<PlainColumn> plain_cuts(const Hierarchy& tree, uint32_t node) {
  const auto first = tree.node(node).first, last = tree.node(node).last;
  std::vector<PlainColumn> cuts{PlainColumn(last - first + 1, {first, last})};
  if (tree.is_leaf(node)) return cuts;
  std::vector<PlainColumn> joined{{}};
  for (uint32_t child : tree.children(node)) {
    std::vector<PlainColumn> longer;
    for (const PlainColumn& start : joined) {
      for (const PlainColumn& end : plain_cuts(tree, child)) {
        longer.push_back(start);
        longer.back().insert(longer.back().end(), end.begin(), end.end());
      }
    }
    joined = std::move(longer);
  }
  cuts.insert(cuts.end(), joined.begin(), joined.end());
  return cuts;
}

// Every way to part numbers into ranges; missing cells are apart, or everything is one.
inline std::vector<PlainColumn> plain_ranges(const Hierarchy& tree) {
  const auto leaves = static_cast<uint32_t>(tree.leaves());
  const uint32_t numbers = tree.missing() ? leaves - 1 : leaves;
  std::vector<PlainColumn> all;
  if (tree.missing()) all.push_back(PlainColumn(leaves, {0, leaves - 1}));
  for (uint32_t borders = 0; numbers == 0 ? borders < 1 : borders < (1u << (numbers - 1)); ++borders) {
    PlainColumn column;
    for (uint32_t leaf = 0; leaf < numbers; ++leaf) {
      uint32_t first = leaf, last = leaf;
      while (first > 0 && !(borders >> (first - 1) & 1)) --first;
      while (last + 1 < numbers && !(borders >> last & 1)) ++last;
      column.emplace_back(first, last);
    }
    if (tree.missing()) column.emplace_back(numbers, numbers);
    all.push_back(std::move(column));
  }
  return all;
}

struct PlainCost {
  double dm = 0, cm = 0, lm = 0;  // before any division
  std::vector<uint32_t> dropped;
};

// Rows of groups that are too small go, again and again; what is left is counted.
inline PlainCost plain_cost(const Problem& problem, const std::vector<const PlainColumn*>& columns) {
  const Table& table = problem.table;
  std::vector<uint32_t> kept;
  for (uint32_t row = 0; row < table.rows; ++row) kept.push_back(row);
  auto cells = [&](uint32_t row, const std::vector<size_t>& on) {
    std::vector<std::pair<uint32_t, uint32_t>> tuple;
    for (size_t j : on) tuple.push_back((*columns[j])[table.quasi[j].codes[row]]);
    return tuple;
  };
  PlainCost cost;
  for (bool again = true; again;) {
    again = false;
    for (const Requirement& requirement : problem.requirements) {
      std::map<std::vector<std::pair<uint32_t, uint32_t>>, uint64_t> sizes;
      for (uint32_t row : kept) ++sizes[cells(row, requirement.columns)];
      std::vector<uint32_t> left;
      for (uint32_t row : kept) {
        if (sizes[cells(row, requirement.columns)] >= requirement.k) {
          left.push_back(row);
        } else {
          cost.dropped.push_back(row);
          again = true;
        }
      }
      kept = left;
    }
  }
  std::vector<size_t> all;
  for (size_t j = 0; j < table.quasi.size(); ++j) all.push_back(j);
  std::map<std::vector<std::pair<uint32_t, uint32_t>>, std::map<uint32_t, uint64_t>> groups;
  for (uint32_t row : kept) ++groups[cells(row, all)][table.target ? table.target->codes[row] : 0];
  for (const auto& [tuple, classes] : groups) {
    uint64_t rows = 0, most = 0;
    for (const auto& [value, count] : classes) {
      rows += count;
      most = std::max(most, count);
    }
    cost.dm += double(rows) * double(rows);
    cost.cm += double(rows - most);
  }
  cost.dm += double(cost.dropped.size()) * double(table.rows);
  cost.cm += double(cost.dropped.size());
  for (size_t j : all) {
    const Hierarchy& tree = problem.hierarchies[j];
    const double leaves = double(tree.leaves());
    const double whole = leaves > 1 || !tree.is_leaf(Hierarchy::kRoot) ? 1 : 0;
    cost.lm += whole * double(cost.dropped.size());
    for (uint32_t row : kept) {
      const auto [first, last] = (*columns[j])[table.quasi[j].codes[row]];
      if (first == last) continue;
      if (double(last - first + 1) == leaves) {
        cost.lm += 1;
      } else if (tree.numeric()) {
        cost.lm += (tree.number(last) - tree.number(first)) / tree.number_range();
      } else {
        cost.lm += double(last - first) / (leaves - 1);
      }
    }
  }
  return cost;
}

inline std::vector<std::vector<PlainColumn>> plain_choices(const Problem& problem) {
  std::set<size_t> required;
  for (const Requirement& requirement : problem.requirements) {
    required.insert(requirement.columns.begin(), requirement.columns.end());
  }
  std::vector<std::vector<PlainColumn>> choices;
  for (size_t j = 0; j < problem.hierarchies.size(); ++j) {
    const Hierarchy& tree = problem.hierarchies[j];
    if (!required.contains(j)) {
      PlainColumn as_it_is;
      for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) as_it_is.emplace_back(leaf, leaf);
      choices.push_back({as_it_is});
    } else if (tree.numeric() && tree.nodes() <= tree.leaves() + 1) {
      choices.push_back(plain_ranges(tree));
    } else {
      choices.push_back(plain_cuts(tree, Hierarchy::kRoot));
    }
  }
  return choices;
}

inline double plain_releases(const std::vector<std::vector<PlainColumn>>& choices) {
  double number = 1;
  for (const auto& column : choices) number *= double(column.size());
  return number;
}

// Calls visit(columns) for every release.
inline void for_every_release(const std::vector<std::vector<PlainColumn>>& choices,
                              const std::function<void(const std::vector<const PlainColumn*>&)>& visit) {
  std::vector<const PlainColumn*> columns(choices.size());
  const std::function<void(size_t)> choose = [&](size_t j) {
    if (j == choices.size()) return visit(columns);
    for (const PlainColumn& column : choices[j]) {
      columns[j] = &column;
      choose(j + 1);
    }
  };
  choose(0);
}

// The least of a cost over all releases that drop at most `limit` rows.
inline double plain_least(const Problem& problem, size_t limit, double PlainCost::*cost) {
  double least = 1e300;
  for_every_release(plain_choices(problem), [&](const std::vector<const PlainColumn*>& columns) {
    const PlainCost found = plain_cost(problem, columns);
    if (found.dropped.size() <= limit) least = std::min(least, found.*cost);
  });
  return least;
}

}  // namespace shoal::testing
