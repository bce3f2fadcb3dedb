#include "shoal/method/refine/merged_groups.h"

#include <algorithm>

#include "shoal/table/groups.h"

namespace shoal {
namespace {

constexpr size_t kWitnesses = 16;

uint64_t mix(uint64_t key) {
  key ^= key >> 31;
  key *= 0x9E3779B97F4A7C15ULL;
  return key ^ (key >> 29);
}

}  // namespace

MergedGroups::MergedGroups(const Table& table, const std::vector<Hierarchy>& hierarchies,
                           const Requirement& requirement)
    : k_(requirement.k), columns_(requirement.columns) {
  std::vector<GroupKey> keys;
  for (size_t j : columns_) keys.push_back({&table.quasi[j].codes, hierarchies[j].leaves()});
  Tuples tuples = distinct_tuples(table.rows, keys, table.times);
  rows_.assign(tuples.counts.begin(), tuples.counts.end());
  values_ = std::move(tuples.columns);
  for (size_t i = 0; i < columns_.size(); ++i) {
    trees_.push_back(&hierarchies[columns_[i]]);
    for (uint32_t& value : values_[i]) value = trees_[i]->leaf_node(value);
  }
  find_smallest();
}

bool MergedGroups::has_column(size_t column) const {
  return std::binary_search(columns_.begin(), columns_.end(), column);
}

size_t MergedGroups::position(size_t column) const {
  return static_cast<size_t>(std::lower_bound(columns_.begin(), columns_.end(), column) - columns_.begin());
}

bool MergedGroups::under(size_t position, uint32_t node, uint32_t group) const {
  return trees_[position]->covers(node, trees_[position]->node(values_[position][group]).first);
}

bool MergedGroups::alike_elsewhere(size_t position, uint32_t a, uint32_t b) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (i != position && values_[i][a] != values_[i][b]) return false;
  }
  return true;
}

uint64_t MergedGroups::hash_elsewhere(size_t position, uint32_t group) const {
  uint64_t hash = 0;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (i != position) hash = mix(hash + values_[i][group]);
  }
  return hash;
}

// No other group under the node would become like this one.
bool MergedGroups::stays_alone(size_t position, uint32_t node, uint32_t group) const {
  for (uint32_t other = 0; other < rows_.size(); ++other) {
    if (other != group && alike_elsewhere(position, group, other) && under(position, node, other)) return false;
  }
  return true;
}

uint64_t MergedGroups::anonymity_after(size_t column, uint32_t node) const {
  const size_t i = position(column);
  for (uint32_t witness : witnesses_) {
    if (!under(i, node, witness)) return anonymity_;
  }
  if (stays_alone(i, node, witnesses_.front())) return anonymity_;
  return merge(i, node).smallest;
}

// Which groups under the node would become one. Open addressing on the other columns' values, compared in full.
MergedGroups::Merge MergedGroups::merge(size_t position, uint32_t node) const {
  Merge merged;
  size_t slots = 1024;
  while (slots < 2 * rows_.size()) slots *= 2;
  std::vector<uint32_t> slot_of(slots, kNoGroup);
  for (uint32_t group = 0; group < rows_.size(); ++group) {
    if (!under(position, node, group)) {
      merged.smallest = std::min(merged.smallest, rows_[group]);
      continue;
    }
    size_t slot = hash_elsewhere(position, group) & (slots - 1);
    while (slot_of[slot] != kNoGroup && !alike_elsewhere(position, merged.groups[slot_of[slot]], group)) {
      slot = (slot + 1) & (slots - 1);
    }
    if (slot_of[slot] == kNoGroup) {
      slot_of[slot] = static_cast<uint32_t>(merged.groups.size());
      merged.groups.push_back(group);
      merged.rows.push_back(rows_[group]);
    } else {
      merged.rows[slot_of[slot]] += rows_[group];
    }
  }
  for (uint64_t rows : merged.rows) merged.smallest = std::min(merged.smallest, rows);
  return merged;
}

void MergedGroups::raise(size_t column, uint32_t node) {
  const size_t own = position(column);
  const Merge merged = merge(own, node);
  // Groups keep their order; a merged one stands where its first part stood.
  uint32_t kept = 0;
  size_t next_merged = 0;
  for (uint32_t group = 0; group < rows_.size(); ++group) {
    uint64_t rows = rows_[group];
    if (under(own, node, group)) {
      if (next_merged == merged.groups.size() || merged.groups[next_merged] != group) continue;
      rows = merged.rows[next_merged++];
      values_[own][group] = node;
    }
    for (auto& column_values : values_) column_values[kept] = column_values[group];
    rows_[kept++] = rows;
  }
  rows_.resize(kept);
  for (auto& column_values : values_) column_values.resize(kept);
  find_smallest();
}

void MergedGroups::find_smallest() {
  anonymity_ = *std::min_element(rows_.begin(), rows_.end());
  std::vector<uint32_t> smallest;
  for (uint32_t group = 0; group < rows_.size(); ++group) {
    if (rows_[group] == anonymity_) smallest.push_back(group);
  }
  // Spread over all of them, so that they differ in as many columns as they can.
  witnesses_.clear();
  const size_t step = std::max<size_t>(1, smallest.size() / kWitnesses);
  for (size_t i = 0; i < smallest.size(); i += step) witnesses_.push_back(smallest[i]);
}

}  // namespace shoal
