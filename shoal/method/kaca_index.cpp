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
  for (uint32_t root : {0u, 1u})
    roots_[root] = {{}, 0, false, root, 0, UINT32_MAX, UINT32_MAX, INT64_MAX, 0, INT64_MAX};
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
  Entry entry{groups_.cells(group)[order_[level]], 0, true, group, 0, UINT32_MAX, UINT32_MAX, INT64_MAX, 0, INT64_MAX};
  entry.kept = space_.kept(order_[level], entry.cell);
  widen(entry, group, level);
  entry.alive = 1;
  return entry;
}

void KacaIndex::widen(Entry& entry, uint32_t group, size_t level) const {
  entry.least_rows = std::min(entry.least_rows, groups_.rows(group));
  entry.first_group = std::min(entry.first_group, group);
  entry.least_kept = std::min(entry.least_kept, groups_.plain_kept(group));
  entry.greatest_kept = std::max(entry.greatest_kept, groups_.plain_kept(group));
  if (level >= order_.size() || !space_.uneven(order_[level])) return;
  const KacaCost share = groups_.shares(group)[order_[level] - space_.even_trees()];
  entry.least_share = std::min(entry.least_share, share);
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
  best_ = {};
  levels_.resize(order_.size() + 1);
  levels_.back().rest = 0;
  for (size_t i = order_.size(); i-- > 0;) {
    Level& level = levels_[i];
    level.column = order_[i];
    level.cell = groups_.cells(group)[level.column];
    level.kept_with = space_.kept_with(level.column, level.cell, buffers_[i]).data();
    level.range = level.column >= space_.trees();
    level.uneven = space_.uneven(level.column);
    level.kept = space_.kept(level.column, level.cell);
    level.share = level.uneven ? groups_.shares(group)[level.column - space_.even_trees()] : 1;
    level.rest = levels_[i + 1].rest + (level.uneven ? 0 : level.kept);
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

// In the columns that are not decided yet a joined cell keeps no more than either of the two did.
inline KacaCost KacaIndex::bound(const Path& path, const Entry& below, KacaCost rest) const {
  const KacaCost rows = std::min<KacaCost>(below.least_rows, static_cast<KacaCost>(k_) - asking_rows_);
  const KacaCost own = path.own_lost + std::max<KacaCost>(rest - (below.greatest_kept - path.other_kept), 0);
  const KacaCost other = path.other_lost + std::max<KacaCost>(below.least_kept - path.other_kept - rest, 0);
  return asking_rows_ * own + rows * other;
}

inline bool KacaIndex::hopeless(KacaCost bound, uint32_t first_group) const {
  return best_.group != kNone && (bound > best_.distance || (bound == best_.distance && first_group > best_.group));
}

// Entries whose cells lie under the highest ancestor of the query's cell that is still worth it.
std::span<const KacaIndex::Entry> KacaIndex::entries_that_matter(const Node& node, size_t level, const Path& path,
                                                                 const Entry& above) const {
  const Level& asked = levels_[level];
  if (node.size() < kLong || asked.range || best_.group == kNone) return node;
  const Hierarchy& tree = space_.hierarchy(asked.column);
  KacaCell reach = asked.cell;
  const KacaCost rows = std::min<KacaCost>(above.least_rows, static_cast<KacaCost>(k_) - asking_rows_);
  const KacaCost known = asking_rows_ * path.own_lost + rows * path.other_lost;
  for (uint32_t at = space_.node_of(asked.column, asked.cell); at != Hierarchy::kRoot;) {
    at = tree.node(at).parent;
    const KacaCost lost = (asked.kept - space_.kept_of_node(asked.column, at)) * asked.share;
    if (hopeless(known + asking_rows_ * lost, above.first_group)) break;
    reach = {tree.node(at).first, tree.node(at).last};
  }
  const auto first = std::lower_bound(node.begin(), node.end(), reach.first,
                                      [](const Entry& entry, uint32_t leaf) { return entry.cell.first < leaf; });
  const auto last = std::upper_bound(first, node.end(), reach.last,
                                     [](uint32_t leaf, const Entry& entry) { return leaf < entry.cell.first; });
  return {first, last};
}

void KacaIndex::descend(const Entry& above, size_t level, const Path& path) {
  const Node& node = nodes_[above.below];
  const KacaCell own = levels_[level].cell;
  const auto inside = [&](const Entry& entry) { return entry.cell.first >= own.first && entry.cell.last <= own.last; };
  // First what costs the query nothing in this column: it is likely to hold the nearest. Cells that begin at the same
  // leaf stand widest first, so that those inside are neighbours.
  size_t begin = place_of(node, own), end = begin;
  for (; end < node.size() && inside(node[end]); ++end) consider(node[end], level, path);
  for (const Entry& entry : entries_that_matter(node, level, path, above)) {
    if (!inside(entry)) consider(entry, level, path);
  }
}

inline void KacaIndex::consider(const Entry& entry, size_t level, const Path& path) {
  ++entries_seen_;
  const Level& asked = levels_[level];
  const KacaCost joined = kept_beside(asked, entry.cell);
  Path here = path;
  here.own_lost += (asked.kept - joined) * asked.share;
  if (hopeless(asking_rows_ * here.own_lost, entry.first_group)) return;
  const KacaCost theirs = entry.kept;
  here.other_lost += (theirs - joined) * (asked.uneven ? entry.least_share : 1);
  if (!asked.uneven) here.other_kept += theirs;
  if (hopeless(bound(here, entry, levels_[level + 1].rest), entry.first_group)) return;
  if (entry.is_group) {
    look_at(entry.below);
  } else {
    descend(entry, level + 1, here);
  }
}

void KacaIndex::look_at(uint32_t group) {
  if (group == asking_) return;
  ++groups_seen_;
  const auto cells = groups_.cells(group);
  const auto shares = groups_.shares(group);
  KacaCost own_lost = 0, other_kept = 0;
  for (const Level& asked : std::span(levels_).first(order_.size())) {
    const KacaCost joined = kept_beside(asked, cells[asked.column]);
    own_lost += (asked.kept - joined) * asked.share;
    other_kept += joined * (asked.uneven ? shares[asked.column - space_.even_trees()] : 1);
  }
  const auto taken =
      static_cast<KacaCost>(KacaGroups::rows_taken(static_cast<uint64_t>(asking_rows_), groups_.rows(group), k_));
  const KacaCost distance = asking_rows_ * own_lost + taken * (groups_.kept(group) - other_kept);
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
