// Random tables with random hierarchies, for property tests: small, odd (uneven trees, one-value columns, missing
// cells, numeric columns) and the same for the same seed.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/method/method.h"
#include "shoal/table/table.h"

namespace shoal::testing {

struct RandomTable {
  Table table;
  std::vector<Hierarchy> hierarchies;
  Problem problem(std::vector<Requirement> requirements) const {
    return {table, hierarchies, std::move(requirements), std::vector<double>(hierarchies.size(), 1.0), {}, {}, 1, 1};
  }
};

struct RandomTableSettings {
  size_t rows = 30;
  size_t columns = 3;
  size_t max_values = 6;     // distinct values per column
  bool numeric = true;       // some columns numeric
  bool missing = true;       // some columns with a missing leaf
  size_t target_values = 2;  // 0: no target
};

class RandomTables {
 public:
  explicit RandomTables(uint64_t seed) : random_(seed) {}

  size_t draw(size_t low, size_t high) { return std::uniform_int_distribution<size_t>(low, high)(random_); }

  // A tree over `leaves` leaves with random uneven inner nodes; the last leaf hangs under the root when `missing`.
  // Numeric: the numbers ascend with gaps.
  Hierarchy hierarchy(size_t leaves, bool numeric, bool missing) {
    using Node = Hierarchy::NodeInfo;
    std::vector<Node> nodes{{"*", 0, 0, 0, static_cast<uint32_t>(leaves - 1)}};
    const size_t known = leaves - (missing ? 1 : 0);
    if (known > 0) grow(nodes, 0, 0, static_cast<uint32_t>(known), 0);
    if (missing) nodes.push_back({"", 0, 1, static_cast<uint32_t>(leaves - 1), static_cast<uint32_t>(leaves - 1)});
    uint32_t height = 1;
    std::vector<uint32_t> leaf_nodes(leaves);
    std::vector<bool> inner(nodes.size(), false);
    for (size_t i = 1; i < nodes.size(); ++i) inner[nodes[i].parent] = true;
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (inner[i]) continue;
      leaf_nodes[nodes[i].first] = i;
      height = std::max(height, nodes[i].depth);
    }
    std::vector<std::vector<uint32_t>> level_nodes(height + 1, std::vector<uint32_t>(leaves));
    for (uint32_t level = 0; level <= height; ++level) {
      for (size_t leaf = 0; leaf < leaves; ++leaf) {
        uint32_t node = leaf_nodes[leaf];
        while (nodes[node].depth > height - level) node = nodes[node].parent;
        level_nodes[level][leaf] = node;
      }
    }
    std::vector<double> numbers;
    double number = 0;
    for (size_t leaf = 0; numeric && leaf < leaves; ++leaf) numbers.push_back(number += double(draw(1, 5)));
    if (numeric && missing) numbers.back() = std::nan("");
    return Hierarchy(nodes, level_nodes, numbers,
                     missing ? std::optional<uint32_t>(static_cast<uint32_t>(leaves - 1)) : std::nullopt);
  }

  RandomTable table(const RandomTableSettings& settings) {
    RandomTable result;
    result.table.rows = settings.rows;
    for (size_t j = 0; j < settings.columns; ++j) {
      const size_t leaves = draw(1, settings.max_values);
      const bool numeric = settings.numeric && draw(0, 2) == 0;
      const bool missing = settings.missing && leaves > 1 && draw(0, 3) == 0;
      result.hierarchies.push_back(hierarchy(leaves, numeric, missing));
      const Hierarchy& tree = result.hierarchies.back();
      Column column{"q" + std::to_string(j), Codes(settings.rows, leaves), {}};
      for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
        const bool is_number = tree.numeric() && tree.missing() != leaf;
        column.values.push_back(is_number ? std::to_string(static_cast<long>(tree.number(leaf)))
                                          : tree.node(tree.leaf_node(leaf)).label);
      }
      // Every leaf occurs (when there are rows enough); the rest is skewed towards the first ones.
      for (size_t row = 0; row < settings.rows; ++row) {
        const size_t code = row < leaves ? row : std::min(draw(0, leaves - 1), draw(0, leaves - 1));
        column.codes.set(row, static_cast<uint32_t>(code));
      }
      for (size_t row = settings.rows; row > 1; --row) {
        const size_t other = draw(0, row - 1);
        const uint32_t code = column.codes[other];
        column.codes.set(other, column.codes[row - 1]);
        column.codes.set(row - 1, code);
      }
      result.table.quasi.push_back(std::move(column));
    }
    if (settings.target_values > 0) {
      Column target{"class", Codes(settings.rows, settings.target_values), {}};
      for (size_t value = 0; value < settings.target_values; ++value)
        target.values.push_back("c" + std::to_string(value));
      for (size_t row = 0; row < settings.rows; ++row) {
        target.codes.set(row, static_cast<uint32_t>(draw(0, settings.target_values - 1)));
      }
      result.table.target = std::move(target);
    }
    return result;
  }

  // One to three requirements over random non-empty sets of columns, k at most a third of the rows.
  std::vector<Requirement> requirements(const Table& table) {
    std::vector<Requirement> result;
    const size_t count = draw(1, 3);
    for (size_t i = 0; i < count; ++i) {
      Requirement requirement;
      while (requirement.columns.empty()) {
        for (size_t j = 0; j < table.quasi.size(); ++j) {
          if (draw(0, 2) > 0) requirement.columns.push_back(j);
        }
      }
      requirement.k = draw(1, std::max<size_t>(1, table.rows / 3));
      result.push_back(std::move(requirement));
    }
    return result;
  }

  std::mt19937_64& engine() { return random_; }

 private:
  void grow(std::vector<Hierarchy::NodeInfo>& nodes, uint32_t parent, uint32_t first, uint32_t count, uint32_t depth) {
    if (count == 1 && (depth > 0 || draw(0, 1) == 0)) {
      nodes.push_back({"v" + std::to_string(first), parent, depth + 1, first, first});
      return;
    }
    uint32_t position = first;
    while (position < first + count) {
      const uint32_t left = first + count - position;
      uint32_t size = static_cast<uint32_t>(draw(1, left));
      if (depth >= 3) size = 1;
      if (size == count && depth > 0 && count > 1) size = count - 1;
      if (size == 1 && draw(0, 3) > 0) {
        nodes.push_back({"v" + std::to_string(position), parent, depth + 1, position, position});
      } else {
        nodes.push_back({"n" + std::to_string(nodes.size()), parent, depth + 1, position, position + size - 1});
        grow(nodes, static_cast<uint32_t>(nodes.size() - 1), position, size, depth + 1);
      }
      position += size;
    }
  }

  std::mt19937_64 random_;
};

// True when every released combination on the requirement's columns occurs at least k times among the rows that are
// not dropped. Plain and slow on purpose: it is an oracle.
inline bool holds(const ReleasedTable& released, size_t rows, const Requirement& requirement) {
  std::vector<std::vector<uint32_t>> kept;
  size_t next_dropped = 0;
  for (uint32_t row = 0; row < rows; ++row) {
    if (next_dropped < released.dropped_rows.size() && released.dropped_rows[next_dropped] == row) {
      ++next_dropped;
      continue;
    }
    std::vector<uint32_t> tuple;
    for (size_t j : requirement.columns) {
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      tuple.insert(tuple.end(), {cell.first, cell.last, uint32_t(cell.kind), cell.number});
    }
    kept.push_back(std::move(tuple));
  }
  std::sort(kept.begin(), kept.end());
  for (size_t i = 0, j = 0; i < kept.size(); i = j) {
    while (j < kept.size() && kept[j] == kept[i]) ++j;
    if (j - i < requirement.k) return false;
  }
  return true;
}

}  // namespace shoal::testing
