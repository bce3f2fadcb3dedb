#include "shoal/release/before_and_after.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "shoal/job/requirements.h"
#include "shoal/report/format.h"

namespace shoal {
namespace {

constexpr size_t kMostBars = 12;

// Of the pairs of a row of the table and a cell that is there (of `cells` in all), those where the cell does not cover
// the row's value. `covering`: cells that cover each leaf.
double told_apart(const std::vector<uint64_t>& rows_of_leaf, const std::vector<uint64_t>& covering, uint64_t cells) {
  double rows = 0, alike = 0;
  for (const uint64_t count : rows_of_leaf) rows += static_cast<double>(count);
  if (rows == 0 || cells == 0) return 0;
  for (size_t leaf = 0; leaf < rows_of_leaf.size(); ++leaf) {
    alike += static_cast<double>(rows_of_leaf[leaf]) / rows *
             (static_cast<double>(covering[leaf]) / static_cast<double>(cells));
  }
  return std::max(0.0, 1 - alike);
}

std::vector<uint64_t> covering_cells(const ReleasedCounts& released, size_t leaves) {
  std::vector<uint64_t> steps(leaves + 1, 0);  // differences; they wrap, and their sums come out right
  for (size_t value = 0; value < released.cells.size(); ++value) {
    if (released.cells[value] == 0) continue;
    steps[released.column.values[value].first] += released.cells[value];
    steps[released.column.values[value].last + size_t{1}] -= released.cells[value];
  }
  steps.pop_back();
  std::partial_sum(steps.begin(), steps.end(), steps.begin());
  return steps;
}

// Every released cell spread evenly over the leaves that it covers.
std::vector<double> spread_over_leaves(const ReleasedCounts& released, size_t leaves) {
  std::vector<double> starts(leaves + 1, 0), spread(leaves, 0);
  for (size_t value = 0; value < released.cells.size(); ++value) {
    if (released.cells[value] == 0) continue;
    const Released& covers = released.column.values[value];
    const double each =
        static_cast<double>(released.cells[value]) / static_cast<double>(covers.last - covers.first + 1);
    if (covers.first == covers.last) {  // exact, which most are
      spread[covers.first] += each;
      continue;
    }
    starts[covers.first] += each;
    starts[covers.last + 1] -= each;
  }
  double running = 0;
  for (size_t leaf = 0; leaf < leaves; ++leaf) {
    running += starts[leaf];
    spread[leaf] += std::max(0.0, running);
  }
  return spread;
}

// Which bar a leaf belongs to, and what bars are called.
struct Bars {
  std::vector<size_t> of_leaf;
  std::vector<std::string> names;
};

std::string name_of(const std::string& text) { return text.empty() ? "(missing)" : text; }

Bars bar_per_leaf(const Column& column, size_t leaves) {
  Bars bars;
  for (size_t leaf = 0; leaf < leaves; ++leaf) {
    bars.of_leaf.push_back(leaf);
    bars.names.push_back(name_of(column.values[leaf]));
  }
  return bars;
}

// Ranges of equal width; those without a value are not there. Each is called after its least and greatest value.
Bars bars_of_numbers(const Column& column, const Hierarchy& hierarchy) {
  Bars bars;
  const size_t known = hierarchy.leaves() - (hierarchy.missing() ? 1 : 0);
  const double least = hierarchy.number(0), range = hierarchy.number(static_cast<uint32_t>(known - 1)) - least;
  size_t before = SIZE_MAX, first = 0;
  const auto close = [&](size_t end) {
    const std::string &low = column.values[first], &high = column.values[end - 1];
    bars.names.push_back(end - first == 1 ? low : fmt::format("{} to {}", low, high));
    first = end;
  };
  for (uint32_t leaf = 0; leaf < known; ++leaf) {
    const double place = range > 0 ? (hierarchy.number(leaf) - least) / range : 0;
    const size_t bin = std::min(kMostBars - 1, static_cast<size_t>(place * static_cast<double>(kMostBars)));
    if (leaf > 0 && bin != before) close(leaf);
    before = bin;
    bars.of_leaf.push_back(bars.names.size());
  }
  close(known);
  if (hierarchy.missing()) {
    bars.of_leaf.push_back(bars.names.size());
    bars.names.emplace_back("(missing)");
  }
  return bars;
}

// The finest level of the hierarchy, but for its root, with few enough nodes (the missing cells have their own).
std::optional<Bars> bars_of_nodes(const Hierarchy& hierarchy) {
  for (int level = 1; level < hierarchy.height(); ++level) {
    Bars bars;
    Hierarchy::Node before = 0;
    for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
      const Hierarchy::Node node = hierarchy.node_at(leaf, level);
      const bool missing = hierarchy.missing() && *hierarchy.missing() == leaf;
      if (leaf == 0 || missing || node != before) {
        bars.names.push_back(missing ? "(missing)" : hierarchy.node(node).label);
        if (bars.names.size() > kMostBars + 1) break;
      }
      before = node;
      bars.of_leaf.push_back(bars.names.size() - 1);
    }
    const size_t known = bars.names.size() - (hierarchy.missing() ? 1 : 0);
    if (bars.of_leaf.size() == hierarchy.leaves() && known <= kMostBars && known > 1) return bars;
  }
  return std::nullopt;
}

Bars bars_of_categories(const Column& column, const std::vector<uint64_t>& rows) {
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rows[a] > rows[b]; });
  Bars bars;
  bars.of_leaf.assign(rows.size(), kMostBars - 1);
  for (size_t i = 0; i + 1 < kMostBars; ++i) {
    bars.of_leaf[order[i]] = i;
    bars.names.push_back(name_of(column.values[order[i]]));
  }
  bars.names.push_back(with_commas(rows.size() - (kMostBars - 1)) + " others");
  return bars;
}

Bars bars_of(const Column& column, const Hierarchy& hierarchy, const std::vector<uint64_t>& rows) {
  if (rows.size() <= kMostBars) return bar_per_leaf(column, rows.size());
  if (hierarchy.numeric()) return bars_of_numbers(column, hierarchy);
  if (std::optional<Bars> nodes = bars_of_nodes(hierarchy)) return std::move(*nodes);
  return bars_of_categories(column, rows);
}

}  // namespace

namespace {

void add_rows(uint32_t size, uint64_t groups, RowsByGroupSize& rows) {
  constexpr std::array<uint32_t, 7> kFirstBeyond{2, 5, 10, 20, 50, 100, 1000};
  const auto beyond = std::upper_bound(kFirstBeyond.begin(), kFirstBeyond.end(), size);
  rows[static_cast<size_t>(beyond - kFirstBeyond.begin())] += size * groups;
}

// How the ranges of a numeric column were released; "" for a column without any.
std::string released_ranges(const Hierarchy& hierarchy, const ReleasedColumn& released, Ranges ranges) {
  if (!hierarchy.numeric()) return "";
  if (!hierarchy.releases_ranges()) return to_string(Ranges::nodes);
  const bool any = std::any_of(released.values.begin(), released.values.end(),
                               [](const Released& value) { return value.is_range(); });
  if (!any) return "";
  return to_string(ranges == Ranges::nodes ? Ranges::snapped : ranges);
}

}  // namespace

RowsByGroupSize rows_by_group_size(const std::vector<uint32_t>& sizes) {
  RowsByGroupSize rows{};
  for (const uint32_t size : sizes) add_rows(size, 1, rows);
  return rows;
}

RowsByGroupSize rows_by_group_size(const GroupSizeCounts& groups) {
  RowsByGroupSize rows{};
  for (const auto& [size, count] : groups) add_rows(size, count, rows);
  return rows;
}

std::vector<uint64_t> rows_per_leaf(const Column& column, size_t leaves, std::span<const uint32_t> times) {
  std::vector<uint64_t> rows(leaves, 0);
  column.codes.visit([&](auto codes) {
    for (size_t row = 0; row < codes.size(); ++row) rows[codes[row]] += times.empty() ? 1 : times[row];
  });
  return rows;
}

ColumnReport report_column(const ReportedColumn& reported, Ranges ranges, double gcp) {
  ColumnReport column;
  column.name = reported.column.name;
  column.type = reported.encoding.type;
  column.hierarchy = reported.encoding.hierarchy;
  column.ranges = released_ranges(reported.hierarchy, reported.released.column, ranges);
  column.values_in = reported.hierarchy.leaves();
  column.gcp = gcp;
  std::set<uint32_t> means;  // the same mean of different ranges is one value
  for (size_t code = 0; code < reported.released.cells.size(); ++code) {
    const Released& value = reported.released.column.values[code];
    if (reported.released.cells[code] == 0) continue;
    column.values_out += value.is_mean() ? means.insert(value.number).second : 1;
  }
  describe_values(reported.column, reported.hierarchy, reported.rows, reported.released, column);
  return column;
}

uint64_t cells_at_root(const ReleasedCounts& released) {
  uint64_t cells = 0;
  for (size_t code = 0; code < released.cells.size(); ++code) {
    if (released.column.values[code].is_root()) cells += released.cells[code];
  }
  return cells;
}

std::vector<Distribution> distributions_of(const Job& job, CountedTable& counted) {
  std::vector<Distribution> distributions;
  for (const ModelSpec& model : all_models(job)) {
    const bool known = std::any_of(distributions.begin(), distributions.end(),
                                   [&](const Distribution& other) { return other.column == model.column; });
    if (known || model.column.empty() || model.kind == ModelKind::persons) continue;
    const WholeColumn whole = counted.whole(model);
    distributions.push_back({model.column, whole.values, {whole.counts.begin(), whole.counts.end()}});
  }
  return distributions;
}

void describe_values(const Column& column, const Hierarchy& hierarchy, const std::vector<uint64_t>& rows,
                     const ReleasedCounts& released, ColumnReport& report) {
  const uint64_t all = std::accumulate(rows.begin(), rows.end(), uint64_t{0});
  const uint64_t kept = std::accumulate(released.cells.begin(), released.cells.end(), uint64_t{0});
  report.told_apart_before = told_apart(rows, rows, all);
  report.told_apart = told_apart(rows, covering_cells(released, rows.size()), kept);
  const double rows_before = static_cast<double>(all);
  const double rows_after = static_cast<double>(kept);
  if (rows_before == 0) return;
  const std::vector<double> spread = spread_over_leaves(released, rows.size());
  const Bars bars = bars_of(column, hierarchy, rows);
  report.shares.resize(bars.names.size());
  for (size_t bar = 0; bar < bars.names.size(); ++bar) report.shares[bar].value = bars.names[bar];
  double moved = 0;
  for (size_t leaf = 0; leaf < rows.size(); ++leaf) {
    const double before = static_cast<double>(rows[leaf]) / rows_before;
    const double after = rows_after == 0 ? 0 : spread[leaf] / rows_after;
    report.shares[bars.of_leaf[leaf]].before += before;
    report.shares[bars.of_leaf[leaf]].after += after;
    moved += std::abs(before - after);
  }
  report.shares_moved = moved / 2;
}

}  // namespace shoal
