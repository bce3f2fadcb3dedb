// Groups of rows in the plainest form, for the oracles of the local recoding methods: everything is counted from the
// rows, every time.
#pragma once

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "shoal/method/group_index.h"
#include "shoal/method/row_boxes.h"
#include "testing/random_problem.h"

namespace shoal::testing {

using Rows = std::vector<uint32_t>;

class PlainGroups {
 public:
  explicit PlainGroups(const RowCodes& codes) : codes_(codes) {}

  double price(const Rows& rows) const { return box_price(codes_.space(), codes_.box(rows)); }
  double penalty(const Rows& rows) const { return double(rows.size()) * price(rows); }
  static Rows together(Rows a, const Rows& b) {
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end());
    return a;
  }

  // The index in `groups` of the group nearest to `group`, by looking at all; empty ones are gone.
  size_t nearest(const std::vector<Rows>& groups, size_t group, Nearness nearness) const {
    std::tuple best(std::numeric_limits<double>::infinity(), size_t{0}, groups.size());
    for (size_t other = 0; other < groups.size(); ++other) {
      if (other == group || groups[other].empty()) continue;
      best = std::min(best, std::tuple(distance(groups[group], groups[other], nearness), groups[other].size(), other));
    }
    return std::get<2>(best);
  }
  double distance(const Rows& mine, const Rows& other, Nearness nearness) const {
    const double with = price(together(mine, other));
    const double base = nearness == Nearness::least_growth ? price(other) : 0;
    return double(mine.size()) * with + double(other.size()) * (with - base);
  }

  std::vector<Rows> split(Rows rows, size_t parts) const {
    std::vector<Rows> result;
    uint32_t from = 0;
    for (uint32_t end : split_evenly(codes_, rows, parts)) {
      result.emplace_back(rows.begin() + from, rows.begin() + end);
      std::sort(result.back().begin(), result.back().end());
      from = end;
    }
    return result;
  }

 private:
  const RowCodes& codes_;
};

// The groups of an answer, rows ascending, ordered by their first rows.
inline std::vector<Rows> groups_of(const Recoding& recoding) {
  std::vector<Rows> groups;
  for (uint32_t row = 0; row < recoding.group_of_row.size(); ++row) {
    const uint32_t group = recoding.group_of_row[row];
    if (group >= groups.size()) groups.resize(group + 1);
    groups[group].push_back(row);
  }
  std::erase_if(groups, [](const Rows& rows) { return rows.empty(); });
  std::sort(groups.begin(), groups.end());
  return groups;
}

// A random table with one requirement over all its columns, and weights.
struct LocalProblem {
  RandomTable drawn;
  Problem problem;
  LocalProblem(RandomTables& random, RandomTable table, uint64_t k)
      : drawn(std::move(table)), problem(drawn.problem({{all_columns(drawn), k}})) {
    for (double& weight : problem.weights) weight = double(random.draw(0, 6)) / 2;
    problem.seed = random.draw(1, 1000);
  }
  LocalProblem(const LocalProblem&) = delete;
  LocalProblem& operator=(const LocalProblem&) = delete;

  uint64_t k() const { return problem.requirements.front().k; }
  const std::vector<size_t>& columns() const { return problem.requirements.front().columns; }

 private:
  static std::vector<size_t> all_columns(const RandomTable& table) {
    std::vector<size_t> columns(table.hierarchies.size());
    for (size_t j = 0; j < columns.size(); ++j) columns[j] = j;
    return columns;
  }
};

}  // namespace shoal::testing
