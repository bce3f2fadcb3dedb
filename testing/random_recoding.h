// Random recodings of all four shapes, dropped rows included, for property tests of what reads a recoding. They promise
// no privacy: only that every release covers its leaf.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "shoal/recode/recoding.h"
#include "testing/random_problem.h"

namespace shoal::testing {

inline Recoding random_levels(RandomTables& random, const RandomTable& drawn) {
  std::vector<int> levels;
  for (const Hierarchy& hierarchy : drawn.hierarchies) {
    levels.push_back(static_cast<int>(random.draw(0, static_cast<size_t>(hierarchy.height()))));
  }
  return levels_recoding(drawn.hierarchies, std::move(levels));
}

// A cut through the tree or, in some numeric columns, neighbouring ranges of values.
inline std::vector<Released> random_cut(RandomTables& random, const Hierarchy& hierarchy) {
  std::vector<Released> releases(hierarchy.leaves());
  if (hierarchy.numeric() && random.draw(0, 1) == 0) {
    const size_t known = hierarchy.leaves() - (hierarchy.missing() ? 1 : 0);
    for (size_t first = 0, last = 0; first < known; first = last + 1) {
      last = random.draw(first, known - 1);
      const Released range = released_interval(hierarchy, static_cast<uint32_t>(first), static_cast<uint32_t>(last));
      std::fill(releases.begin() + first, releases.begin() + last + 1, range);
    }
    if (hierarchy.missing()) releases.back() = released_leaf(hierarchy, *hierarchy.missing());
    return releases;
  }
  std::vector<uint32_t> open = {Hierarchy::kRoot};
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    if (hierarchy.is_leaf(node) || random.draw(0, 2) == 0) {
      const Released released = released_node(hierarchy, node);
      std::fill(releases.begin() + released.first, releases.begin() + released.last + 1, released);
    } else {
      open.insert(open.end(), hierarchy.children(node).begin(), hierarchy.children(node).end());
    }
  }
  return releases;
}

// Rows thrown into groups (equal rows into the same one for regions); each group released as tightly as possible, or
// some steps more generally.
inline Recoding random_groups(RandomTables& random, const RandomTable& drawn, Shape shape) {
  GroupRecoding recoding{.equal_rows_alike = shape == Shape::regions};
  const size_t rows = drawn.table.rows, groups = random.draw(1, std::max<size_t>(rows, 1));
  std::map<std::vector<uint32_t>, uint32_t> group_of_tuple;
  for (size_t row = 0; row < rows; ++row) {
    std::vector<uint32_t> tuple;
    for (const Column& column : drawn.table.quasi) tuple.push_back(column.codes[row]);
    const auto group = static_cast<uint32_t>(random.draw(0, groups - 1));
    const auto known = group_of_tuple.emplace(std::move(tuple), group).first;
    recoding.group_of_row.push_back(shape == Shape::regions ? known->second : group);
  }
  for (size_t j = 0; j < drawn.hierarchies.size(); ++j) {
    if (random.draw(0, 4) > 0) recoding.recoded_columns.push_back(j);
  }
  const size_t width = recoding.recoded_columns.size();
  recoding.group_releases.resize(groups * width);
  for (size_t i = 0; i < width; ++i) {
    const Hierarchy& hierarchy = drawn.hierarchies[recoding.recoded_columns[i]];
    const Codes& leaves = drawn.table.quasi[recoding.recoded_columns[i]].codes;
    for (size_t group = 0; group < groups; ++group) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (size_t row = 0; row < rows; ++row) {
        if (recoding.group_of_row[row] != group) continue;
        lo = std::min(lo, leaves[row]);
        hi = std::max(hi, leaves[row]);
      }
      lo = std::min(lo, hi);  // a group without rows
      Released released = released_interval(hierarchy, lo, hi);
      if (random.draw(0, 3) == 0) {
        uint32_t node = hierarchy.common_ancestor(lo, hi);
        for (size_t steps = random.draw(0, 3); steps > 0; --steps) node = hierarchy.node(node).parent;
        released = released_node(hierarchy, node);
      }
      recoding.group_releases[group * width + i] = released;
    }
  }
  return {std::move(recoding)};
}

inline Recoding random_recoding(RandomTables& random, const RandomTable& drawn, Shape shape) {
  Recoding recoding;
  if (shape == Shape::levels) {
    recoding = random_levels(random, drawn);
  } else if (shape == Shape::cut) {
    ValueRecoding cut;
    for (const Hierarchy& hierarchy : drawn.hierarchies) cut.value_map.push_back(random_cut(random, hierarchy));
    recoding.cells = std::move(cut);
  } else {
    recoding = random_groups(random, drawn, shape);
  }
  const size_t percent = std::array<size_t, 10>{0, 0, 0, 0, 0, 10, 10, 50, 50, 100}[random.draw(0, 9)];
  for (uint32_t row = 0; row < drawn.table.rows; ++row) {
    if (random.draw(1, 100) <= percent) recoding.dropped_rows.push_back(row);
  }
  return recoding;
}

}  // namespace shoal::testing
