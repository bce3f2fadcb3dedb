// Full-domain level vectors the plain way: every vector, every row, maps of tuples. Slow on purpose: it is the oracle
// of the methods over the level lattice.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "shoal/method/method.h"
#include "testing/plain_loss.h"

namespace shoal::testing {

class LevelsOracle {
 public:
  explicit LevelsOracle(const Problem& problem) : problem_(problem) {}

  using Levels = std::vector<int>;  // one per quasi column

  // Where requirements ask for more than k rows: whether some rows, as a group of a requirement, break its models, and
  // whether so many groups of so many rows are too many.
  std::function<bool(size_t requirement, const std::vector<size_t>& rows)> breaks;
  std::function<bool(size_t requirement, size_t groups, size_t rows)> too_many;

  std::vector<size_t> required_columns() const {
    std::set<size_t> columns;
    for (const Requirement& requirement : problem_.requirements) {
      columns.insert(requirement.columns.begin(), requirement.columns.end());
    }
    return {columns.begin(), columns.end()};
  }

  // In lexicographic order; columns outside every requirement at level 0.
  std::vector<Levels> all_vectors() const {
    std::vector<Levels> vectors{Levels(problem_.table.quasi.size(), 0)};
    for (size_t column : required_columns()) {
      std::vector<Levels> longer;
      for (const Levels& vector : vectors) {
        for (int level = 0; level <= problem_.hierarchies[column].height(); ++level) {
          longer.push_back(vector);
          longer.back()[column] = level;
        }
      }
      vectors = std::move(longer);
    }
    return vectors;
  }

  uint32_t node(size_t row, size_t column, const Levels& levels) const {
    return problem_.hierarchies[column].node_at(problem_.table.quasi[column].codes[row], levels[column]);
  }

  using Groups = std::map<std::vector<uint32_t>, std::vector<size_t>>;  // released values: rows
  Groups groups(const Requirement& requirement, const Levels& levels, const std::vector<bool>& gone) const {
    Groups groups;
    for (size_t row = 0; row < gone.size(); ++row) {
      if (gone[row]) continue;
      std::vector<uint32_t> tuple;
      for (size_t column : requirement.columns) tuple.push_back(node(row, column, levels));
      groups[tuple].push_back(row);
    }
    return groups;
  }

  // Rows dropped until every requirement holds on the others: groups that are too small, then those that break their
  // models, all at once, and so on.
  std::vector<bool> dropped(const Levels& levels) const {
    std::vector<bool> gone(problem_.table.rows, false);
    for (bool again = true; again;) {
      again = false;
      for (const Requirement& requirement : problem_.requirements) {
        for (const auto& [tuple, rows] : groups(requirement, levels, gone)) {
          if (rows.size() >= requirement.k) continue;
          for (size_t row : rows) gone[row] = true;
          again = true;
        }
      }
      if (again || !breaks) continue;
      std::vector<size_t> breaking;
      for (size_t i = 0; i < problem_.requirements.size(); ++i) {
        for (const auto& [tuple, rows] : groups(problem_.requirements[i], levels, gone)) {
          if (breaks(i, rows)) breaking.insert(breaking.end(), rows.begin(), rows.end());
        }
      }
      for (size_t row : breaking) gone[row] = true;
      again = !breaking.empty();
    }
    return gone;
  }

  // 29 % of 100 rows are 29 rows, whatever 0.29 * 100 is in binary; all rows but one at most.
  uint64_t limit() const {
    if (!problem_.suppress_rows) return 0;
    uint64_t rows = 0;
    while (rows + 1 < problem_.table.rows &&
           double(rows + 1) <= *problem_.suppress_rows * double(problem_.table.rows) + 1e-9) {
      ++rows;
    }
    return rows;
  }

  bool satisfies(const Levels& levels) const {
    const std::vector<bool> gone = dropped(levels);
    const auto out = static_cast<uint64_t>(std::count(gone.begin(), gone.end(), true));
    for (size_t i = 0; i < problem_.requirements.size() && too_many; ++i) {
      if (too_many(i, groups(problem_.requirements[i], levels, gone).size(), gone.size() - out)) return false;
    }
    return out <= limit();
  }

  double cell_loss(const std::string& measure, size_t column, uint32_t leaf, uint32_t released) const {
    const Hierarchy& hierarchy = problem_.hierarchies[column];
    if (measure == "ncp" || measure == "gcp") return problem_.weights[column] * plain_ncp(hierarchy, released);
    if (measure == "lm") return plain_lm(hierarchy, released);
    // Uniform weights: the distortion of a cell is the share of its path that it was raised.
    if (measure == "prec" || measure == "distortion") return plain_steps(hierarchy, leaf, released);
    if (measure == "modification_rate") return released == hierarchy.leaf_node(leaf) ? 0 : 1;
    double covered = 0, same = 0;  // entropy
    for (size_t row = 0; row < problem_.table.rows; ++row) {
      const uint32_t other = problem_.table.quasi[column].codes[row];
      covered += hierarchy.covers(released, other);
      same += other == leaf;
    }
    return std::log2(covered / same);
  }

  double loss(const std::string& measure, const Levels& levels) const {
    const Table& table = problem_.table;
    const std::vector<bool> gone = dropped(levels);
    const double n = double(table.rows), out = double(std::count(gone.begin(), gone.end(), true));
    std::map<std::vector<uint32_t>, std::vector<size_t>> groups;
    std::set<std::pair<std::vector<uint32_t>, uint64_t>> tuples;
    for (size_t row = 0; row < table.rows; ++row) {
      if (gone[row]) continue;
      std::vector<uint32_t> tuple;
      for (size_t column = 0; column < table.quasi.size(); ++column) tuple.push_back(node(row, column, levels));
      groups[tuple].push_back(row);
      tuples.emplace(tuple, table.rest.empty() ? 0 : table.rest[row]);
    }
    if (measure == "rows") return -double(tuples.size());
    if (measure == "c_avg") {
      uint64_t k = 1;
      for (const Requirement& requirement : problem_.requirements) k = std::max(k, requirement.k);
      return n / double(std::max<size_t>(groups.size(), 1)) / double(k);
    }
    if (measure == "dm") {
      double sum = n * out;
      for (const auto& [tuple, rows] : groups) sum += double(rows.size()) * double(rows.size());
      return sum;
    }
    if (measure == "cm") {
      double wrong = out;
      for (const auto& [tuple, rows] : groups) {
        std::map<uint32_t, double> classes;
        double most = 0;
        for (size_t row : rows) most = std::max(most, ++classes[table.target->codes[row]]);
        wrong += double(rows.size()) - most;
      }
      return wrong / n;
    }
    double sum = 0, weights = 0;
    for (size_t column = 0; column < table.quasi.size(); ++column) {
      weights += measure == "gcp" ? problem_.weights[column] : 1;
      for (size_t row = 0; row < table.rows; ++row) {
        const uint32_t released = gone[row] ? Hierarchy::kRoot : node(row, column, levels);
        sum += cell_loss(measure, column, table.quasi[column].codes[row], released);
      }
    }
    const bool total = measure == "ncp" || measure == "distortion" || measure == "entropy";
    return total ? sum : sum / n / weights;
  }

  // Least loss, then least height, then lexicographically smallest. `vectors` in lexicographic order, with their
  // losses.
  static Levels choose(const std::vector<Levels>& vectors, const std::vector<double>& losses) {
    const double least = *std::min_element(losses.begin(), losses.end());
    const Levels* best = nullptr;
    for (size_t i = 0; i < vectors.size(); ++i) {
      if (losses[i] > least + 1e-9) continue;
      if (!best || height(vectors[i]) < height(*best)) best = &vectors[i];
    }
    return *best;
  }
  std::vector<double> losses(const std::string& measure, const std::vector<Levels>& vectors) const {
    std::vector<double> result;
    for (const Levels& vector : vectors) result.push_back(loss(measure, vector));
    return result;
  }

  static int height(const Levels& levels) {
    int sum = 0;
    for (int level : levels) sum += level;
    return sum;
  }

 private:
  const Problem& problem_;
};

}  // namespace shoal::testing
