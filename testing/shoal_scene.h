// A random table with a random partition, for the tests of method `shoal`'s parts.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "shoal/method/shoal/shoal_window.h"
#include "testing/random_problem.h"

namespace shoal::testing {

// A random table with random weights, a space over all its columns, and a random partition into groups of >= k rows.
struct ShoalScene {
  ShoalScene(RandomTables& random, size_t rows, uint64_t k_asked, bool classes)
      : table(random.table({rows, random.draw(1, 4), 9, true, true, 3})), k(std::min<uint64_t>(k_asked, rows)) {
    for (Hierarchy& hierarchy : table.hierarchies) {  // some numbers as nodes
      if (hierarchy.leaves() % 2 == 0) hierarchy = hierarchy.releasing_nodes();
    }
    problem_weights.resize(table.hierarchies.size());
    for (double& weight : problem_weights) weight = double(random.draw(0, 4)) / 2;
    columns.resize(table.hierarchies.size());
    std::iota(columns.begin(), columns.end(), 0);
    Problem problem = table.problem({{columns, k}});
    problem.weights = problem_weights;
    space = std::make_unique<NcpSpace>(problem, columns, classes ? 1.5 : 0.0);
    groups.rows.resize(rows);
    std::iota(groups.rows.begin(), groups.rows.end(), 0);
    std::shuffle(groups.rows.begin(), groups.rows.end(), random.engine());
    for (size_t begin = 0; begin < rows;) {
      size_t size = random.draw(k, 2 * k + 1);
      if (begin + size + k > rows) size = rows - begin;
      begin += size;
      groups.starts.push_back(static_cast<uint32_t>(begin));
    }
  }
  std::vector<uint32_t> all_groups() const {
    std::vector<uint32_t> all(groups.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  RandomTable table;
  uint64_t k;
  std::vector<double> problem_weights;
  std::vector<size_t> columns;
  std::unique_ptr<NcpSpace> space;
  RowGroups groups;
};

inline RowGroups stored(const ShoalWindow& window) {
  RowGroups groups;
  window.store(groups);
  return groups;
}

inline bool is_partition(const RowGroups& groups, size_t rows, uint64_t k) {
  std::vector<uint32_t> sorted = groups.rows;
  std::sort(sorted.begin(), sorted.end());
  for (uint32_t row = 0; row < sorted.size(); ++row) {
    if (sorted[row] != row) return false;
  }
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups.rows_in(g) < k) return false;
  }
  return sorted.size() == rows && groups.starts.back() == rows;
}

}  // namespace shoal::testing
