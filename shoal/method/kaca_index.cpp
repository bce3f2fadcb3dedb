#include "shoal/method/kaca_index.h"

#include <algorithm>
#include <numeric>

namespace shoal {
namespace {

// Cells that begin together: the wider one first, so that a tree node stands before all that is under it.
bool cell_before(KacaCell a, KacaCell b) { return a.first != b.first ? a.first < b.first : a.last > b.last; }

}  // namespace

KacaIndex::KacaIndex(const KacaGroups& groups, uint64_t k)
    : groups_(groups), space_(groups.space()), k_(k), nodes_(2), buffers_(space_.columns()) {
  order_.resize(space_.columns());
  std::iota(order_.begin(), order_.end(), 0);
  // Where the first step up costs much, near groups agree: few branches to follow.
  std::vector<KacaCost> first_step;
  for (size_t j = 0; j < space_.columns(); ++j) first_step.push_back(space_.least_step(j));
  std::stable_sort(order_.begin(), order_.end(), [&](size_t a, size_t b) { return first_step[a] > first_step[b]; });
  for (size_t column : order_) greatest_share_.push_back(space_.greatest_share(column));
  for (uint32_t root : {0u, 1u}) roots_[root] = {{}, false, root, 0, UINT32_MAX, UINT32_MAX, INT64_MAX, 0};
  std::vector<uint32_t> sorted(groups.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {  // entries then go behind each other
    for (size_t column : order_) {
      const KacaCell one = groups.cells(a)[column], other = groups.cells(b)[column];
      if (one != other) return cell_before(one, other);
    }
    return false;
  });
  for (uint32_t group : sorted) insert(group);
}

KacaIndex::Entry KacaIndex::entry_of(uint32_t group, size_t level) const {
  Entry entry{groups_.cells(group)[order_[level]], true, group, 0, UINT32_MAX, UINT32_MAX, INT64_MAX, 1};
  widen(entry, group, level);
  entry.alive = 1;
  return entry;
}

void KacaIndex::widen(Entry& entry, uint32_t group, size_t level) const {
  entry.least_rows = std::min(entry.least_rows, groups_.rows(group));
  entry.first_group = std::min(entry.first_group, group);
  entry.least_kept = std::min(entry.least_kept, groups_.kept(group));
  if (level >= order_.size()) return;
  const size_t column = order_[level];
  if (column < space_.even_trees() || column >= space_.trees()) return;
  entry.largest_share = std::max(entry.largest_share, groups_.shares(group)[column - space_.even_trees()]);
}

size_t KacaIndex::place_of(const Node& node, KacaCell cell) const {
  const auto place = std::lower_bound(node.begin(), node.end(), cell, [](const Entry& entry, KacaCell wanted) {
    return cell_before(entry.cell, wanted);
  });
  return static_cast<size_t>(place - node.begin());
}

void KacaIndex::insert(uint32_t group) {
  Entry& root = roots_[root_of(group)];
  widen(root, group, order_.size());
  ++root.alive;
  uint32_t node = root.below;
  for (size_t level = 0;; ++level) {
    const KacaCell cell = groups_.cells(group)[order_[level]];
    const size_t place = place_of(nodes_[node], cell);
    if (place == nodes_[node].size() || nodes_[node][place].cell != cell) {
      nodes_[node].insert(nodes_[node].begin() + static_cast<std::ptrdiff_t>(place), entry_of(group, level));
      return;
    }
    if (nodes_[node][place].is_group) {  // two begin alike from now on
      const uint32_t other = nodes_[node][place].below;
      nodes_.push_back({entry_of(other, level + 1)});
      nodes_[node][place].is_group = false;
      nodes_[node][place].below = static_cast<uint32_t>(nodes_.size() - 1);
    }
    Entry& entry = nodes_[node][place];
    widen(entry, group, level);
    ++entry.alive;
    node = entry.below;
  }
}

void KacaIndex::refresh(uint32_t group) {
  Entry& root = roots_[root_of(group)];
  widen(root, group, order_.size());
  uint32_t node = root.below;
  for (size_t level = 0;; ++level) {
    Entry& entry = nodes_[node][place_of(nodes_[node], groups_.cells(group)[order_[level]])];
    widen(entry, group, level);
    if (entry.is_group) return;
    node = entry.below;
  }
}

void KacaIndex::erase(uint32_t group) {
  Entry& root = roots_[root_of(group)];
  --root.alive;
  uint32_t node = root.below;
  for (size_t level = 0;; ++level) {
    const size_t place = place_of(nodes_[node], groups_.cells(group)[order_[level]]);
    const Entry entry = nodes_[node][place];
    if (entry.alive == 1) {
      nodes_[node].erase(nodes_[node].begin() + static_cast<std::ptrdiff_t>(place));
    } else {
      --nodes_[node][place].alive;
    }
    if (entry.is_group) return;
    node = entry.below;
  }
}

void KacaIndex::ask(uint32_t group) {
  asking_ = group;
  asking_rows_ = groups_.rows(group);
  asking_kept_ = groups_.kept(group);
  best_ = {};
  levels_.resize(order_.size() + 1);
  levels_.back().rest = {};
  for (size_t i = order_.size(); i-- > 0;) {
    Level& level = levels_[i];
    level.column = order_[i];
    level.cell = groups_.cells(group)[level.column];
    level.kept_with = space_.kept_with(level.column, level.cell, buffers_[i]).data();
    level.range = level.column >= space_.trees();
    level.uneven = level.column >= space_.even_trees() && !level.range;
    level.kept = space_.kept(level.column, level.cell);
    level.own_share = level.uneven ? groups_.shares(group)[level.column - space_.even_trees()] : 1;
    const Sum& next = levels_[i + 1].rest;
    level.rest = {next.own + level.kept * level.own_share, next.other + level.kept * greatest_share_[i]};
  }
}

// What the query's cell keeps when it is joined with another.
inline KacaCost KacaIndex::kept_beside(const Level& level, KacaCell cell) const {
  if (level.kept_with != nullptr) {
    const KacaCost first = level.kept_with[cell.first];
    if (cell.first == cell.last) return first;
    // Both joined cells are ancestors of the query's: the higher one covers all.
    if (!level.range) return std::min(first, level.kept_with[cell.last]);
  }
  return space_.kept(level.column, space_.join(level.column, level.cell, cell));
}

inline KacaCost KacaIndex::bound(Sum sum, KacaCost least_rows, KacaCost least_kept) const {
  const KacaCost rows = std::min<KacaCost>(least_rows, static_cast<KacaCost>(k_) - asking_rows_);
  return asking_rows_ * (asking_kept_ - sum.own) + rows * std::max<KacaCost>(least_kept - sum.other, 0);
}

inline bool KacaIndex::hopeless(KacaCost bound, uint32_t first_group) const {
  return best_.group != kNone && (bound > best_.distance || (bound == best_.distance && first_group > best_.group));
}

// Entries whose cells lie under the highest ancestor of the query's cell that is still worth it.
std::span<const KacaIndex::Entry> KacaIndex::entries_that_matter(const Node& node, size_t level, const Sum& sum,
                                                                 const Entry& above) const {
  const Level& asked = levels_[level];
  if (node.size() < kLong || asked.range || best_.group == kNone) return node;
  const Sum& rest = levels_[level + 1].rest;
  KacaCell reach = asked.cell;
  for (const KacaSpace::Ancestor& ancestor : space_.ancestors(asked.column, asked.cell)) {
    const Sum here{sum.own + rest.own + ancestor.kept * asked.own_share,
                   sum.other + rest.other + ancestor.kept * greatest_share_[level]};
    if (hopeless(bound(here, above.least_rows, above.least_kept), above.first_group)) break;
    reach = ancestor.cell;
  }
  const auto first = std::lower_bound(node.begin(), node.end(), reach.first,
                                      [](const Entry& entry, uint32_t leaf) { return entry.cell.first < leaf; });
  const auto last = std::upper_bound(first, node.end(), reach.last,
                                     [](uint32_t leaf, const Entry& entry) { return leaf < entry.cell.first; });
  return {first, last};
}

void KacaIndex::descend(const Entry& above, size_t level, const Sum& sum) {
  const Node& node = nodes_[above.below];
  const Level& asked = levels_[level];
  const Sum& rest = levels_[level + 1].rest;
  // First what costs nothing in this column: it is likely to hold the nearest.
  for (const bool free : {true, false}) {
    for (const Entry& entry : entries_that_matter(node, level, sum, above)) {
      const KacaCost kept = kept_beside(asked, entry.cell);
      if ((kept == asked.kept) != free) continue;
      ++entries_seen_;
      const Sum here{sum.own + kept * asked.own_share, sum.other + (asked.uneven ? kept * entry.largest_share : kept)};
      const Sum all{here.own + rest.own, here.other + rest.other};
      if (hopeless(bound(all, entry.least_rows, entry.least_kept), entry.first_group)) continue;
      if (entry.is_group) {
        look_at(entry.below, level + 1, {sum.own + kept * asked.own_share, 0});
      } else {
        descend(entry, level + 1, here);
      }
    }
  }
}

void KacaIndex::look_at(uint32_t group, size_t level, Sum sum) {
  if (group == asking_) return;
  const auto cells = groups_.cells(group);
  const auto shares = groups_.shares(group);
  KacaCost own = sum.own;
  for (size_t i = level; i < order_.size(); ++i) {
    const Level& asked = levels_[i];
    own += kept_beside(asked, cells[asked.column]) * asked.own_share;
    // Their rows lose something too, but what ours lose may be enough to give up.
    if (best_.group != kNone && asking_rows_ * (asking_kept_ - own - levels_[i + 1].rest.own) > best_.distance) return;
  }
  ++groups_seen_;
  KacaCost other = own;
  if (!shares.empty()) {
    other = 0;
    for (size_t i = 0; i < order_.size(); ++i) {
      const Level& asked = levels_[i];
      const KacaCost share = asked.uneven ? shares[asked.column - space_.even_trees()] : 1;
      other += kept_beside(asked, cells[asked.column]) * share;
    }
  }
  const auto taken =
      static_cast<KacaCost>(KacaGroups::rows_taken(static_cast<uint64_t>(asking_rows_), groups_.rows(group), k_));
  const KacaCost distance = asking_rows_ * (asking_kept_ - own) + taken * (groups_.kept(group) - other);
  if (best_.group == kNone || distance < best_.distance || (distance == best_.distance && group < best_.group)) {
    best_ = {group, distance};
  }
}

KacaNearest KacaIndex::nearest(uint32_t group) {
  ask(group);
  for (const Entry& root : roots_) descend(root, 0, {});
  return best_;
}

}  // namespace shoal
