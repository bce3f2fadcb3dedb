#include "shoal/measure/measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "shoal/error.h"
#include "shoal/measure/bits_lost.h"
#include "shoal/measure/cell_loss.h"
#include "shoal/recode/group_keys.h"
#include "shoal/table/groups.h"

namespace shoal {
namespace {

// Sums over the cells of one column, dropped rows included.
struct CellSums {
  double precision_loss = 0;
  double ncp = 0;
  double iyengar_loss = 0;
  double distortion = 0, distortion_at_root = 0;
  double modified = 0;
  BitsLost bits;
};

// What a cell lost depends on its release and, of its leaf, on the depth only (bits are a sum of one term for each). So
// cells are counted by (depth of the leaf, release), which stays small where pairs of leaf and release would not.
struct CellCounts {
  std::vector<Released> releases;      // those of the column, and last the root: the release of dropped rows
  std::vector<uint64_t> leaf_counts;   // cells per leaf, of all rows
  std::vector<uint32_t> sample_leaf;   // for each depth that occurs: a leaf of it
  std::vector<uint64_t> depth_counts;  // [depth * releases.size() + release]
};

CellCounts count_cells(const Table& table, size_t column, const Hierarchy& hierarchy, const ReleasedTable& all) {
  const ReleasedColumn& released = all.quasi[column];
  CellCounts counts;
  counts.releases = released.values;
  counts.releases.push_back(released_node(hierarchy, Hierarchy::kRoot));
  const size_t width = counts.releases.size();
  std::vector<uint32_t> index_of_depth;  // UINT32_MAX: no leaf so far
  std::vector<size_t> offset_of_leaf;    // where the leaf's depth begins in depth_counts
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    const uint32_t depth = hierarchy.node(hierarchy.leaf_node(leaf)).depth;
    if (depth >= index_of_depth.size()) index_of_depth.resize(depth + size_t{1}, UINT32_MAX);
    if (index_of_depth[depth] == UINT32_MAX) {
      index_of_depth[depth] = static_cast<uint32_t>(counts.sample_leaf.size());
      counts.sample_leaf.push_back(leaf);
    }
    offset_of_leaf.push_back(index_of_depth[depth] * width);
  }
  counts.leaf_counts.assign(hierarchy.leaves(), 0);
  counts.depth_counts.assign(counts.sample_leaf.size() * width, 0);
  const auto count = [&](const auto& times_of) {
    table.quasi[column].codes.visit([&](auto leaf) {
      released.codes.visit([&](auto code) {
        for (size_t row = 0; row < leaf.size(); ++row) {
          counts.leaf_counts[leaf[row]] += times_of(row);
          counts.depth_counts[offset_of_leaf[leaf[row]] + code[row]] += times_of(row);
        }
        for (uint32_t row : all.dropped_rows) {  // cheaper than asking in the loop above
          counts.depth_counts[offset_of_leaf[leaf[row]] + code[row]] -= times_of(row);
          counts.depth_counts[offset_of_leaf[leaf[row]] + width - 1] += times_of(row);
        }
      });
    });
  };
  if (table.times.empty()) {
    count([](size_t) { return uint64_t{1}; });
  } else {
    count([&](size_t row) { return uint64_t{table.times[row]}; });
  }
  return counts;
}

CellSums sum_cells(const CellCounts& counts, const Hierarchy& hierarchy, double beta) {
  CellSums sums;
  const size_t width = counts.releases.size();
  const Released root = counts.releases.back();
  std::vector<uint64_t> release_counts(width, 0);
  for (size_t depth = 0; depth < counts.sample_leaf.size(); ++depth) {
    const uint32_t leaf = counts.sample_leaf[depth];
    uint64_t cells = 0;
    for (size_t release = 0; release < width; ++release) {
      const uint64_t cells_here = counts.depth_counts[depth * width + release];
      if (cells_here == 0) continue;
      const double count = double(cells_here);
      const Released& value = counts.releases[release];
      cells += cells_here;
      release_counts[release] += cells_here;
      sums.precision_loss += count * precision_loss(hierarchy, leaf, value);
      sums.distortion += count * weighted_hierarchical_distance(hierarchy, leaf, value, beta);
    }
    sums.distortion_at_root += double(cells) * weighted_hierarchical_distance(hierarchy, leaf, root, beta);
  }
  for (size_t release = 0; release < width; ++release) {
    if (release_counts[release] == 0) continue;
    const Released& value = counts.releases[release];
    const double count = double(release_counts[release]);
    sums.ncp += count * ncp(hierarchy, value);
    sums.iyengar_loss += count * iyengar_loss(hierarchy, value);
    if (modified(hierarchy, value.first, value)) sums.modified += count;
  }
  sums.bits = bits_lost(hierarchy, counts.leaf_counts, counts.releases, release_counts);
  return sums;
}

// `counts(column)`: of each quasi column.
template <typename Counts>
void measure_cells(double rows, const std::vector<const Hierarchy*>& hierarchies, const Counts& counts,
                   const MeasureSettings& settings, Measures& measures) {
  const double cells = rows * double(hierarchies.size());
  double precision_loss = 0, iyengar_loss = 0, modified = 0, weights = 0, bits_at_root = 0;
  for (size_t j = 0; j < hierarchies.size(); ++j) {
    const CellSums sums = sum_cells(counts(j), *hierarchies[j], settings.distortion_beta);
    const double weight = settings.weights.empty() ? 1 : settings.weights[j];
    weights += weight;
    measures.ncp += weight * sums.ncp;
    measures.column_gcp.push_back(rows == 0 ? 0 : sums.ncp / rows);
    measures.distortion += sums.distortion;
    measures.distortion_at_root += sums.distortion_at_root;
    measures.entropy += sums.bits.lost;
    precision_loss += sums.precision_loss;
    iyengar_loss += sums.iyengar_loss;
    modified += sums.modified;
    bits_at_root += sums.bits.at_root;
  }
  auto ratio = [](double part, double whole) { return whole == 0 ? 0 : part / whole; };
  measures.prec = 1 - ratio(precision_loss, cells);
  measures.gcp = ratio(measures.ncp, rows * weights);
  measures.distortion_ratio = ratio(measures.distortion, measures.distortion_at_root);
  measures.modification_rate = ratio(modified, cells);
  measures.lm = ratio(iyengar_loss, cells);
  measures.entropy_ratio = ratio(measures.entropy, bits_at_root);
}

// Rows that are not of their group's most frequent class. Classes are first sorted by group: that costs the same
// whether there are two classes or a thousand.
uint64_t minority_rows(const Groups& groups, const Table& table) {
  const std::vector<uint32_t> sorted =
      table.target->codes.visit([&](auto codes) { return sorted_by_group<uint32_t>(groups, codes); });
  const std::vector<uint32_t> times =
      table.times.empty() ? std::vector<uint32_t>() : sorted_by_group<uint32_t>(groups, table.times);
  std::vector<uint32_t> counts(table.target->values.size(), 0);
  uint64_t minority = 0;
  size_t begin = 0;
  for (uint32_t size : groups.sizes) {
    uint32_t majority = 0;
    uint64_t rows = 0;
    for (size_t i = begin; i < begin + size; ++i) {
      const uint32_t here = times.empty() ? 1 : times[i];
      rows += here;
      majority = std::max(majority, counts[sorted[i]] += here);
    }
    for (size_t i = begin; i < begin + size; ++i) counts[sorted[i]] = 0;
    minority += rows - majority;
    begin += size;
  }
  return minority;
}

// Distinct tuples of the columns together with what the fingerprints stand for.
uint64_t count_tuples(const Groups& groups, const Table& table) {
  return table.rest.empty() ? groups.sizes.size() : count_pairs(groups, table.rest);
}

Groups input_groups(const Table& table, const std::vector<Hierarchy>& hierarchies) {
  return group_rows(table.rows, raw_keys(table, hierarchies));
}

Groups released_groups(const Table& table, const ReleasedTable& released) {
  return group_rows(table.rows, released_keys(released), released.dropped_rows);
}

void measure_groups(const Table& table, const std::vector<Hierarchy>& hierarchies, const ReleasedTable& released,
                    const MeasureSettings& settings, Measures& measures, GroupSizes* sizes) {
  if (table.target) measures.cm = 0;
  if (table.rows == 0) return;
  const double rows = double(table.input_rows()), dropped = double(table.input_rows_of(released.dropped_rows));
  const Groups groups = released_groups(table, released);
  std::vector<uint32_t> totals = group_totals(groups, table.times);
  measures.dm = dropped * rows;
  for (uint32_t size : totals) measures.dm += double(size) * size;
  measures.c_avg = rows / double(std::max<size_t>(groups.sizes.size(), 1)) / double(std::max<uint64_t>(settings.k, 1));
  if (table.target) {
    measures.cm = (double(minority_rows(groups, table)) + dropped) / rows;
  }
  measures.rows = count_tuples(groups, table);
  const Groups before = input_groups(table, hierarchies);
  measures.rows_ratio = double(measures.rows) / double(count_tuples(before, table));
  if (sizes) *sizes = {group_totals(before, table.times), std::move(totals)};
}

struct NamedLoss {
  std::string_view name;
  double (*loss)(const Measures&);
};
constexpr std::array<NamedLoss, 11> kLosses{{
    {"prec", [](const Measures& measures) { return 1 - measures.prec; }},
    {"rows", [](const Measures& measures) { return -double(measures.rows); }},
    {"dm", [](const Measures& measures) { return measures.dm; }},
    {"c_avg", [](const Measures& measures) { return measures.c_avg; }},
    {"ncp", [](const Measures& measures) { return measures.ncp; }},
    {"gcp", [](const Measures& measures) { return measures.gcp; }},
    {"distortion", [](const Measures& measures) { return measures.distortion; }},
    {"modification_rate", [](const Measures& measures) { return measures.modification_rate; }},
    {"lm", [](const Measures& measures) { return measures.lm; }},
    {"cm", [](const Measures& measures) { return measures.cm.value(); }},
    {"entropy", [](const Measures& measures) { return measures.entropy; }},
}};

std::string list_of_names() {
  std::string list;
  for (const NamedLoss& entry : kLosses) list += (list.empty() ? "" : ", ") + std::string(entry.name);
  return list;
}

}  // namespace

Measures measure(const Table& table, const std::vector<Hierarchy>& hierarchies, const ReleasedTable& released,
                 const MeasureSettings& settings, GroupSizes* sizes) {
  Measures measures;
  std::vector<const Hierarchy*> columns;
  for (const Hierarchy& hierarchy : hierarchies) columns.push_back(&hierarchy);
  measure_cells(
      double(table.input_rows()), columns, [&](size_t j) { return count_cells(table, j, hierarchies[j], released); },
      settings, measures);
  measure_groups(table, hierarchies, released, settings, measures, sizes);
  return measures;
}

CellTally::CellTally(const Hierarchy& hierarchy) : hierarchy_(&hierarchy), leaf_counts_(hierarchy.leaves(), 0) {
  std::vector<uint32_t> place_of_depth;  // UINT32_MAX: no leaf so far
  for (uint32_t leaf = 0; leaf < hierarchy.leaves(); ++leaf) {
    const uint32_t depth = hierarchy.node(hierarchy.leaf_node(leaf)).depth;
    if (depth >= place_of_depth.size()) place_of_depth.resize(depth + size_t{1}, UINT32_MAX);
    if (place_of_depth[depth] == UINT32_MAX) {
      place_of_depth[depth] = static_cast<uint32_t>(sample_leaf_.size());
      sample_leaf_.push_back(leaf);
    }
    depth_of_leaf_.push_back(place_of_depth[depth]);
  }
  depth_counts_.resize(sample_leaf_.size());
  dropped_.resize(sample_leaf_.size(), 0);
}

void CellTally::add(uint32_t leaf, uint32_t release) {
  ++leaf_counts_[leaf];
  std::vector<uint64_t>& counts = depth_counts_[depth_of_leaf_[leaf]];
  if (release >= counts.size()) counts.resize(release + size_t{1}, 0);
  ++counts[release];
}

void CellTally::drop(uint32_t leaf) {
  ++leaf_counts_[leaf];
  ++dropped_[depth_of_leaf_[leaf]];
}

void CellTally::add(const CellTally& other) {
  for (size_t leaf = 0; leaf < leaf_counts_.size(); ++leaf) leaf_counts_[leaf] += other.leaf_counts_[leaf];
  for (size_t depth = 0; depth < depth_counts_.size(); ++depth) {
    dropped_[depth] += other.dropped_[depth];
    const std::vector<uint64_t>& more = other.depth_counts_[depth];
    if (depth_counts_[depth].size() < more.size()) depth_counts_[depth].resize(more.size(), 0);
    for (size_t release = 0; release < more.size(); ++release) depth_counts_[depth][release] += more[release];
  }
}

void CellTally::renumber(const std::vector<uint32_t>& numbers) {
  for (std::vector<uint64_t>& counts : depth_counts_) {
    std::vector<uint64_t> renumbered;
    for (size_t release = 0; release < counts.size(); ++release) {
      if (numbers[release] >= renumbered.size()) renumbered.resize(numbers[release] + size_t{1}, 0);
      renumbered[numbers[release]] += counts[release];
    }
    counts = std::move(renumbered);
  }
}

std::vector<uint64_t> CellTally::release_counts(size_t releases) const {
  std::vector<uint64_t> counts(releases, 0);
  for (const std::vector<uint64_t>& of_depth : depth_counts_) {
    for (size_t release = 0; release < of_depth.size(); ++release) counts[release] += of_depth[release];
  }
  return counts;
}

Measures measure(const std::vector<CellTally>& cells, const std::vector<std::vector<Released>>& releases,
                 const GroupTotals& groups, const MeasureSettings& settings) {
  Measures measures;
  std::vector<const Hierarchy*> columns;
  for (const CellTally& tally : cells) columns.push_back(tally.hierarchy_);
  const auto counts_of = [&](size_t j) {
    CellCounts counts{releases[j], cells[j].leaf_counts_, cells[j].sample_leaf_, {}};
    counts.releases.push_back(released_node(*columns[j], Hierarchy::kRoot));
    for (size_t depth = 0; depth < cells[j].depth_counts_.size(); ++depth) {
      std::vector<uint64_t> of_depth = cells[j].depth_counts_[depth];
      of_depth.resize(counts.releases.size(), 0);
      of_depth.back() += cells[j].dropped_[depth];
      counts.depth_counts.insert(counts.depth_counts.end(), of_depth.begin(), of_depth.end());
    }
    return counts;
  };
  measure_cells(double(groups.rows), columns, counts_of, settings, measures);
  if (groups.minority) measures.cm = 0;
  if (groups.rows == 0) return measures;
  measures.dm = groups.squares + double(groups.dropped) * double(groups.rows);
  measures.c_avg =
      double(groups.rows) / double(std::max<uint64_t>(groups.groups, 1)) / double(std::max<uint64_t>(settings.k, 1));
  if (groups.minority) measures.cm = double(*groups.minority + groups.dropped) / double(groups.rows);
  measures.rows = groups.tuples;
  measures.rows_ratio = double(groups.tuples) / double(std::max<uint64_t>(groups.tuples_before, 1));
  return measures;
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  names.reserve(kLosses.size());
  for (const NamedLoss& entry : kLosses) names.emplace_back(entry.name);
  return names;
}

double loss(std::string_view measure_name, const Measures& measures) {
  const auto found =
      std::find_if(kLosses.begin(), kLosses.end(), [&](const NamedLoss& entry) { return entry.name == measure_name; });
  if (found == kLosses.end()) {
    throw Error(ErrorKind::job,
                "there is no measure '" + std::string(measure_name) + "'; choose one of " + list_of_names());
  }
  if (measure_name == "cm" && !measures.cm) {
    throw Error(ErrorKind::job,
                "measure 'cm' counts misclassified rows and no target column is given; name the target "
                "column, or choose another measure of " +
                    list_of_names());
  }
  return found->loss(measures);
}

}  // namespace shoal
