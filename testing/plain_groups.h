// Groups of rows in the plainest form, for the oracles of the local recoding methods: everything is counted from the
// rows, every time.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "shoal/method/local/group_index.h"
#include "shoal/method/space/ncp_space.h"
#include "testing/plain_loss.h"
#include "testing/random_problem.h"

namespace shoal::testing {

using Rows = std::vector<uint32_t>;

// Shares no code with the methods: boxes come from the rows, prices from docs/measures.md. Of the space it takes the
// order of the columns alone; sums run in that order and are rounded as the methods round them, so that ties are ties.
class PlainGroups {
 public:
  PlainGroups(const Problem& problem, const NcpSpace& space) : problem_(problem) {
    for (size_t place = 0; place < space.columns(); ++place) order_.push_back(space.quasi(place));
  }

  double price(const Rows& rows) const {
    double price = 0;
    for (size_t j : order_) {
      uint32_t lo = UINT32_MAX, hi = 0;
      for (uint32_t row : rows) {
        lo = std::min(lo, leaf(row, j));
        hi = std::max(hi, leaf(row, j));
      }
      price += cost(j, lo, hi);
    }
    return price;
  }
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

  // Halves, again and again, along the column whose halves cost least, into parts as even as can be.
  std::vector<Rows> split(const Rows& rows, size_t parts) const {
    std::vector<Rows> result;
    split(rows, rows.size(), 0, parts, parts, result);
    return result;
  }

 private:
  uint32_t leaf(uint32_t row, size_t j) const { return problem_.table.quasi[j].codes[row]; }

  // The weighted NCP of leaves lo..hi, by climbing the tree.
  double cost(size_t j, uint32_t lo, uint32_t hi) const {
    const Hierarchy& tree = problem_.hierarchies[j];
    const double weight = problem_.weights[j];
    if (lo == hi) return 0;
    if (tree.numeric()) {
      if (tree.missing() == hi) return weight;
      double least = tree.number(0), greatest = least;
      for (uint32_t other = 0; other < tree.leaves(); ++other) {
        if (other == tree.missing()) continue;
        least = std::min(least, tree.number(other));
        greatest = std::max(greatest, tree.number(other));
      }
      const double scale = greatest == least ? 0 : weight / (greatest - least);
      return std::min(weight, (tree.number(hi) - least) * scale - (tree.number(lo) - least) * scale);
    }
    uint32_t node = tree.leaf_node(lo);
    while (!is_below(tree, hi, node)) node = tree.node(node).parent;
    return weight / double(tree.leaves()) * double(leaves_under(tree, node).size());
  }

  // `rows` are to become parts first .. last-1 of the `parts` parts that all `all` rows become.
  void split(Rows rows, size_t all, size_t first, size_t last, size_t parts, std::vector<Rows>& result) const {
    if (last - first < 2 || order_.empty()) {
      size_t from = 0;
      for (size_t part = first; part < last; ++part) {  // more than one only where there are no columns
        const size_t size = all * (part + 1) / parts - all * part / parts;
        result.emplace_back(rows.begin() + ptrdiff_t(from), rows.begin() + ptrdiff_t(from + size));
        std::sort(result.back().begin(), result.back().end());
        from += size;
      }
      return;
    }
    const size_t middle = first + (last - first) / 2, left = all * middle / parts - all * first / parts;
    std::optional<double> least;
    Rows best_left, best_right;
    for (size_t j : order_) {
      std::sort(rows.begin(), rows.end(),
                [&](uint32_t a, uint32_t b) { return std::pair(leaf(a, j), a) < std::pair(leaf(b, j), b); });
      const Rows here(rows.begin(), rows.begin() + ptrdiff_t(left)), there(rows.begin() + ptrdiff_t(left), rows.end());
      const double total = penalty(here) + penalty(there);
      if (least && total >= *least) continue;
      least = total;
      best_left = here;
      best_right = there;
    }
    split(best_left, all, first, middle, parts, result);
    split(best_right, all, middle, last, parts, result);
  }

  const Problem& problem_;
  std::vector<size_t> order_;
};

// The groups of an answer, rows ascending, ordered by their first rows.
inline std::vector<Rows> groups_of(const Recoding& recoding) {
  std::vector<Rows> groups;
  for (uint32_t row = 0; row < recoding.by_group().group_of_row.size(); ++row) {
    const uint32_t group = recoding.by_group().group_of_row[row];
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
