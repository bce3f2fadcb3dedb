// Why this is a bound. In any release a row's group has a box; on every column the box is an interval around the row's
// value. Sort the possible intervals of a column into kinds. A kind cuts the leaves into cells such that an interval of
// this kind around a value lies inside (one of) the value's cell(s); it charges no more than any of its intervals
// costs. So the rows of the group all lie in one cell of the right kind on every column: at least k rows share these
// cells, and the charges together are no more than the group's price. Hence the least sum of charges, over all choices
// of kinds for which the row's cells hold k rows, is no more than what the row pays.
#include "shoal/method/shoal/shoal_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>

#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr int kHalvings = 6;
constexpr double kWiderCell = 1 + 1e-9;  // cells are a little wider, so that no range sticks out by rounding

struct Kind {
  std::vector<uint32_t> cell;  // [leaf]
  std::vector<double> charge;  // [cell]
};

// Nodes of depth `top` to `bottom` on the way from a leaf to the root.
Kind node_kind(const NcpSpace& space, size_t column, uint32_t top, uint32_t bottom) {
  const Hierarchy& tree = space.hierarchy(column);
  auto ancestor = [&](uint32_t leaf, uint32_t depth) {
    Hierarchy::Node node = tree.leaf_node(leaf);
    while (tree.node(node).depth > depth) node = tree.node(node).parent;
    return node;
  };
  Kind kind;
  Hierarchy::Node before = UINT32_MAX;
  for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) {
    const Hierarchy::Node widest = ancestor(leaf, top);
    if (widest != before) kind.charge.push_back(kUnlimited);
    before = widest;
    kind.cell.push_back(static_cast<uint32_t>(kind.charge.size() - 1));
    const Hierarchy::NodeInfo& least = tree.node(ancestor(leaf, bottom));
    kind.charge.back() = std::min(kind.charge.back(), space.cost(column, least.first, least.last));
  }
  return kind;
}

uint32_t depth_of(const Hierarchy& tree) {
  uint32_t depth = 0;
  for (uint32_t leaf = 0; leaf < tree.leaves(); ++leaf) depth = std::max(depth, tree.node(tree.leaf_node(leaf)).depth);
  return depth;
}

// All depths in `kinds` kinds: the deepest ones apart, the rest together with the root's.
std::vector<Kind> node_kinds(const NcpSpace& space, size_t column, uint32_t kinds) {
  const uint32_t depth = depth_of(space.hierarchy(column));
  std::vector<Kind> all;
  for (uint32_t i = 0; i + 1 < kinds; ++i) all.push_back(node_kind(space, column, depth - i, depth - i));
  all.push_back(node_kind(space, column, 0, depth + 1 - kinds));
  return all;
}

// Ranges by their width: a range of width <= w lies in one of the cells of width 2w that begin at every multiple of w;
// the even ones make one kind, the odd ones another.
void add_range_kinds(const NcpSpace& space, size_t column, double wider_than, double width, std::vector<Kind>& kinds) {
  const Hierarchy& tree = space.hierarchy(column);
  const uint32_t leaves = space.leaves(column);
  const double whole = tree.number_range();
  // What the narrowest range that is wider costs, as a share of the column's whole range.
  double charge = kUnlimited;
  for (uint32_t lo = 0, hi = 0; lo < leaves; ++lo) {
    if (tree.missing() == lo) continue;
    hi = std::max(hi, lo);
    while (hi < leaves && tree.missing() != hi && tree.number(hi) - tree.number(lo) <= wider_than) ++hi;
    if (hi < leaves && tree.missing() != hi) charge = std::min(charge, space.cost(column, lo, hi));
  }
  if (charge == kUnlimited) return;
  const bool all = width >= whole;
  for (int odd = 0; odd < (all ? 1 : 2); ++odd) {
    Kind kind;
    double before = -1;
    for (uint32_t leaf = 0; leaf < leaves; ++leaf) {
      const bool missing = tree.missing() == leaf;
      // The missing value is in a range only when everything is.
      const double cell =
          missing || all ? 0 : std::floor((tree.number(leaf) - tree.number(0)) / (width * kWiderCell) + odd) / 2;
      if (leaf == 0 || (missing && !all) || std::floor(cell) != before) kind.charge.push_back(charge);
      before = std::floor(cell);
      kind.cell.push_back(static_cast<uint32_t>(kind.charge.size() - 1));
    }
    kinds.push_back(std::move(kind));
  }
}

Kind exact_kind(uint32_t leaves) {
  Kind kind{std::vector<uint32_t>(leaves), std::vector<double>(leaves, 0)};
  std::iota(kind.cell.begin(), kind.cell.end(), 0);
  return kind;
}

// `steps` widths, each half the one before: 1 + 2 (steps - 1) + 1 kinds, the values themselves first. No steps: one
// kind, anything.
std::vector<Kind> range_kinds(const NcpSpace& space, size_t column, uint32_t steps) {
  if (steps == 0) return {{std::vector<uint32_t>(space.leaves(column), 0), {0}}};
  std::vector<Kind> kinds{exact_kind(space.leaves(column))};
  const double whole = space.hierarchy(column).number_range();
  double wider_than = 0;
  for (uint32_t i = steps; i-- > 0;) {
    const double width = whole / double(uint64_t{1} << i);
    add_range_kinds(space, column, wider_than, width, kinds);
    wider_than = width;
  }
  // A range that takes in the missing value is everything, whatever the numbers are.
  if (space.hierarchy(column).missing() && whole == 0) {
    kinds.push_back(
        {std::vector<uint32_t>(space.leaves(column), 0), {space.cost(column, 0, space.leaves(column) - 1)}});
  }
  return kinds;
}

// What is looked at on every column, in order; a numeric column may be last and is then looked at exactly.
struct Kinds {
  std::vector<size_t> columns;
  std::vector<std::vector<Kind>> of;  // [place in columns]
  std::optional<size_t> slid;         // the numeric column whose ranges are all tried
  bool exact = true;
};

Kinds choose_kinds(const NcpSpace& space, size_t tuples, uint64_t work) {
  Kinds kinds;
  // How finely each column may be looked at; 1: not at all.
  std::vector<uint32_t> fineness(space.columns());
  for (size_t j = 0; j < space.columns(); ++j) {
    if (space.hierarchy(j).releases_ranges()) {
      if (!kinds.slid) kinds.slid = j;
      fineness[j] = kHalvings + 1;
    } else {
      fineness[j] = depth_of(space.hierarchy(j)) + 1;
    }
  }
  auto count = [&](size_t j) {
    if (kinds.slid == j) return 1.0;
    if (space.hierarchy(j).releases_ranges()) return fineness[j] == 1 ? 1.0 : 2.0 * fineness[j] - 2;
    return double(fineness[j]);
  };
  auto boxes = [&] {
    double product = 1;
    for (size_t j = 0; j < space.columns(); ++j) product *= count(j);
    return product;
  };
  while (boxes() * double(tuples) > double(work)) {
    // The column with most kinds becomes coarser, of several the one that matters least (they stand dearest first).
    size_t most = 0;
    for (size_t j = 0; j < space.columns(); ++j) {
      if (count(j) >= count(most)) most = j;
    }
    if (count(most) <= 1) break;
    --fineness[most];
    kinds.exact = false;
  }
  for (size_t j = 0; j < space.columns(); ++j) {
    if (kinds.slid == j) continue;
    kinds.columns.push_back(j);
    const bool ranges = space.hierarchy(j).releases_ranges();
    kinds.exact &= !ranges;
    kinds.of.push_back(ranges ? range_kinds(space, j, fineness[j] - 1) : node_kinds(space, j, fineness[j]));
  }
  return kinds;
}

// Goes through all choices of kinds, column by column, with the tuples that share cells so far. One per thread.
class BoxSearch {
 public:
  BoxSearch(const NcpSpace& space, const DistinctTuples& tuples, uint64_t k, const Kinds& kinds,
            std::vector<double> upper)
      : space_(space), tuples_(tuples), k_(k), kinds_(kinds), price_(std::move(upper)), sorted_(kinds.columns.size()) {
    for (const auto& column : kinds.of) {
      size_t cells = 0;
      for (const Kind& kind : column) cells = std::max(cells, kind.charge.size());
      begins_.emplace_back(cells + 1);
    }
    if (kinds.slid) {
      rows_at_.resize(space.leaves(*kinds.slid));
      best_at_.resize(space.leaves(*kinds.slid), kUnlimited);
    }
  }

  // All choices that begin with this kind of the first column. `all`: every tuple.
  void search(size_t first_kind, const std::vector<uint32_t>& all) {
    if (kinds_.columns.empty()) return finish(all, 0);
    split(0, kinds_.of[0][first_kind], all, 0);
  }
  const std::vector<double>& price() const { return price_; }

 private:
  void choose(size_t place, std::span<const uint32_t> together, double price) {
    if (place == kinds_.columns.size()) return finish(together, price);
    for (const Kind& kind : kinds_.of[place]) split(place, kind, together, price);
  }

  // Sorts by cell; cells with k rows of which one could still become cheaper go on.
  void split(size_t place, const Kind& kind, std::span<const uint32_t> together, double price) {
    const size_t column = kinds_.columns[place], width = space_.columns();
    auto cell = [&](uint32_t tuple) { return kind.cell[tuples_.codes[size_t{tuple} * width + column]]; };
    std::vector<uint32_t>& sorted = sorted_[place];
    if (sorted.size() < together.size()) sorted.resize(together.size());
    const size_t cells = kind.charge.size();
    if (together.size() < cells / 8) {  // not worth counting
      std::copy(together.begin(), together.end(), sorted.begin());
      std::sort(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(together.size()),
                [&](uint32_t a, uint32_t b) { return cell(a) < cell(b); });
    } else {
      std::vector<uint32_t>& begins = begins_[place];
      std::fill_n(begins.begin(), cells + 1, 0);
      for (uint32_t tuple : together) ++begins[cell(tuple) + 1];
      std::partial_sum(begins.begin(), begins.begin() + static_cast<ptrdiff_t>(cells) + 1, begins.begin());
      for (uint32_t tuple : together) sorted[begins[cell(tuple)]++] = tuple;
    }
    for (size_t first = 0, end = 0; first < together.size(); first = end) {
      const uint32_t shared = cell(sorted[first]);
      uint64_t rows = 0;
      double dearest = 0;
      for (; end < together.size() && cell(sorted[end]) == shared; ++end) {
        rows += tuples_.counts[sorted[end]];
        dearest = std::max(dearest, price_[sorted[end]]);
      }
      const double charged = price + kind.charge[shared];
      if (rows >= k_ && charged < dearest) choose(place + 1, {sorted.data() + first, end - first}, charged);
    }
  }

  void finish(std::span<const uint32_t> together, double price) {
    if (kinds_.slid) return slide(together, price);
    for (uint32_t tuple : together) price_[tuple] = std::min(price_[tuple], price);
  }

  // The cheapest range with k rows around every value. Such a range either begins at some value and ends as soon as it
  // has k rows, or ends at the value itself and begins as late as it can.
  void slide(std::span<const uint32_t> together, double price) {
    const size_t column = *kinds_.slid, width = space_.columns();
    auto value = [&](uint32_t tuple) { return tuples_.codes[size_t{tuple} * width + column]; };
    values_.clear();
    for (uint32_t tuple : together) {
      if (rows_at_[value(tuple)] == 0) values_.push_back(value(tuple));
      rows_at_[value(tuple)] += tuples_.counts[tuple];
    }
    std::sort(values_.begin(), values_.end());
    uint64_t rows = 0;
    for (size_t first = 0, end = 0; first < values_.size(); ++first) {
      while (end < values_.size() && rows < k_) rows += rows_at_[values_[end++]];
      if (rows < k_) break;
      const double cost = space_.cost(column, values_[first], values_[end - 1]);
      for (size_t i = first; i < end; ++i) best_at_[values_[i]] = std::min(best_at_[values_[i]], cost);
      rows -= rows_at_[values_[first]];
    }
    rows = 0;
    for (size_t first = 0, last = 0; last < values_.size(); ++last) {
      rows += rows_at_[values_[last]];
      while (rows - rows_at_[values_[first]] >= k_) rows -= rows_at_[values_[first++]];
      if (rows < k_) continue;
      const double cost = space_.cost(column, values_[first], values_[last]);
      best_at_[values_[last]] = std::min(best_at_[values_[last]], cost);
    }
    for (uint32_t tuple : together) price_[tuple] = std::min(price_[tuple], price + best_at_[value(tuple)]);
    for (uint32_t v : values_) {
      rows_at_[v] = 0;
      best_at_[v] = kUnlimited;
    }
  }

  const NcpSpace& space_;
  const DistinctTuples& tuples_;
  const uint64_t k_;
  const Kinds& kinds_;
  std::vector<double> price_;                  // [tuple], the least so far
  std::vector<std::vector<uint32_t>> sorted_;  // [place in columns]
  std::vector<std::vector<uint32_t>> begins_;  // [place in columns][cell]
  std::vector<uint64_t> rows_at_;              // [leaf of the slid column]
  std::vector<double> best_at_;
  std::vector<uint32_t> values_;
};

}  // namespace

DistinctTuples distinct_tuples_of(const NcpSpace& space) {
  Groups groups = group_rows(space.rows(), space.group_keys());
  DistinctTuples tuples;
  std::vector<uint32_t> representative(groups.sizes.size());
  for (size_t row = space.rows(); row-- > 0;) representative[groups.group_of_row[row]] = static_cast<uint32_t>(row);
  tuples.counts = std::move(groups.sizes);
  tuples.of_row = std::move(groups.group_of_row);
  tuples.codes.resize(representative.size() * space.columns());
  space.gather(representative, tuples.codes.data());
  return tuples;
}

CheapestBoxes cheapest_boxes(const NcpSpace& space, const DistinctTuples& tuples, uint64_t k,
                             const std::vector<double>& upper, uint64_t work, int threads, Progress& progress) {
  const Kinds kinds = choose_kinds(space, tuples.size(), work);
  std::vector<uint32_t> all(tuples.size());
  std::iota(all.begin(), all.end(), 0);
  CheapestBoxes boxes{upper, kinds.exact};
  std::mutex mutex;
  const size_t tasks = kinds.columns.empty() ? 1 : kinds.of[0].size();
  // Whatever a search leaves out could not have lowered a price, so it does not matter which thread does what.
  run_tasks_with(
      tasks, threads, [&] { return std::make_unique<BoxSearch>(space, tuples, k, kinds, upper); },
      [&](BoxSearch& search, size_t task) {
        progress.check();
        search.search(task, all);
        const std::lock_guard lock(mutex);
        for (size_t t = 0; t < tuples.size(); ++t) boxes.price[t] = std::min(boxes.price[t], search.price()[t]);
      });
  return boxes;
}

}  // namespace shoal
