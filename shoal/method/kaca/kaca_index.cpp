// The plain scan of kaca.txt takes |E| distances per merge. Here a query walks down the two tries with a lower bound:
// what the decided columns cost, plus what the undecided ones cost at least, since a joined cell keeps no more than
// either of the two did. What cannot be nearer than the best group so far is left out; equal distances go to the older
// group, as in the scan, so an entry also knows the oldest group below it.
#include "shoal/method/kaca/kaca_index.h"

#include <algorithm>
#include <numeric>

namespace shoal {

KacaIndex::KacaIndex(const KacaGroups& groups, uint64_t k, const Progress& progress)
    : groups_(groups), space_(groups.space()), k_(k), nodes_(2) {
  std::vector<size_t> order(space_.columns());
  std::iota(order.begin(), order.end(), 0);
  // Where the first step up costs much near groups agree, and there are few branches to follow.
  std::vector<KacaCost> first_step;
  for (size_t j = 0; j < space_.columns(); ++j) first_step.push_back(space_.least_step(j));
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return first_step[a] > first_step[b]; });
  levels_.resize(order.size() + 1);
  for (size_t i = 0; i < order.size(); ++i) {
    levels_[i].column = order[i];
    levels_[i].uneven = space_.uneven(order[i]);
    levels_[i].range = order[i] >= space_.trees();
    if (!levels_[i].range) place_tree(levels_[i]);
  }
  tries_[0] = {{0, 0, 0, UINT32_MAX, INT64_MAX, 0}, 1};
  tries_[1] = {{0, 1, 0, UINT32_MAX, INT64_MAX, 0}, 2};  // two rows at least were merged
  std::vector<uint32_t> sorted(groups.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {  // entries then go behind each other
    for (size_t column : order) {
      const uint32_t one = groups.cells(a)[column].first, other = groups.cells(b)[column].first;
      if (one != other) return one < other;
    }
    return false;
  });
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i % 4096 == 0) progress.check();
    if (i % 4096 == 0 && progress.out_of_time()) return;
    insert(sorted[i]);
  }
}

void KacaIndex::place_tree(Level& level) const {
  const Hierarchy& tree = space_.hierarchy(level.column);
  for (uint32_t node = 0; node < tree.nodes(); ++node) {
    level.cells.push_back({tree.node(node).first, tree.node(node).last});
    level.kept.push_back(space_.kept_of_node(level.column, node));
    if (!level.uneven) continue;
    level.least_share.push_back(INT64_MAX);
    for (uint32_t leaf = tree.node(node).first; leaf <= tree.node(node).last; ++leaf) {
      level.least_share.back() = std::min(level.least_share.back(), space_.share(level.column, leaf));
    }
  }
}

uint32_t KacaIndex::id_of(Level& level, KacaCell cell) const {
  if (!level.range) return space_.node_of(level.column, cell);
  const uint64_t key = uint64_t{cell.first} << 32 | cell.last;
  const auto [found, fresh] = level.ids.emplace(key, static_cast<uint32_t>(level.cells.size()));
  if (fresh) {
    level.cells.push_back(cell);
    level.kept.push_back(space_.kept(level.column, cell));
  }
  return found->second;
}

// Cells that begin together: the wider one first, so that a tree node stands before all that is under it.
inline bool KacaIndex::before(const Level& level, uint32_t a, uint32_t b) const {
  const KacaCell one = level.cells[a], other = level.cells[b];
  return one.first != other.first ? one.first < other.first : one.last > other.last;
}

inline size_t KacaIndex::place_of(const Node& node, const Level& level, uint32_t cell) const {
  const auto place = std::lower_bound(node.begin(), node.end(), cell, [&](const Entry& entry, uint32_t wanted) {
    return before(level, entry.cell, wanted);
  });
  return static_cast<size_t>(place - node.begin());
}

KacaIndex::Entry KacaIndex::entry_of(uint32_t group, size_t level) const {
  Entry entry{ids_[group * (levels_.size() - 1) + level], group | kGroup, 1, UINT32_MAX, INT64_MAX, 0};
  widen(entry, group);
  return entry;
}

void KacaIndex::widen(Entry& entry, uint32_t group) const {
  entry.first_group = std::min(entry.first_group, group);
  entry.least_kept = std::min(entry.least_kept, groups_.plain_kept(group));
  entry.greatest_kept = std::max(entry.greatest_kept, groups_.plain_kept(group));
}

void KacaIndex::insert(uint32_t group) {
  const size_t columns = space_.columns();
  if (ids_.size() < (group + size_t{1}) * columns) ids_.resize((group + size_t{1}) * columns);
  uint32_t* ids = ids_.data() + group * columns;
  for (size_t i = 0; i < columns; ++i) ids[i] = id_of(levels_[i], groups_.cells(group)[levels_[i].column]);
  Entry& root = trie_of(group).root;
  widen(root, group);
  ++root.alive;
  uint32_t node = root.below;
  for (size_t level = 0;; ++level) {
    const size_t place = place_of(nodes_[node], levels_[level], ids[level]);
    if (place == nodes_[node].size() || nodes_[node][place].cell != ids[level]) {
      nodes_[node].insert(nodes_[node].begin() + static_cast<std::ptrdiff_t>(place), entry_of(group, level));
      return;
    }
    if (nodes_[node][place].below & kGroup) {  // from now on two begin alike
      const uint32_t other = nodes_[node][place].below & ~kGroup;
      nodes_.push_back({entry_of(other, level + 1)});
      nodes_[node][place].below = static_cast<uint32_t>(nodes_.size() - 1);
    }
    Entry& entry = nodes_[node][place];
    widen(entry, group);
    ++entry.alive;
    node = entry.below;
  }
}

void KacaIndex::erase(uint32_t group) {
  Entry& root = trie_of(group).root;
  --root.alive;
  uint32_t node = root.below;
  for (size_t level = 0;; ++level) {
    const size_t place = place_of(nodes_[node], levels_[level], ids_[group * space_.columns() + level]);
    const Entry entry = nodes_[node][place];
    if (entry.alive == 1) {
      nodes_[node].erase(nodes_[node].begin() + static_cast<std::ptrdiff_t>(place));
    } else {
      --nodes_[node][place].alive;
    }
    if (entry.below & kGroup) return;
    node = entry.below;
  }
}

void KacaIndex::ask(uint32_t group) {
  asking_ = group;
  asking_rows_ = groups_.rows(group);
  best_ = {kNone, INT64_MAX};
  levels_.back().rest = 0;
  for (size_t i = space_.columns(); i-- > 0;) {
    Level& level = levels_[i];
    level.own_cell = groups_.cells(group)[level.column];
    level.own_id = ids_[group * space_.columns() + i];
    level.own_kept = level.kept[level.own_id];
    level.own_share = level.uneven ? groups_.shares(group)[level.column - space_.even_trees()] : 1;
    level.rest = levels_[i + 1].rest + (level.uneven ? 0 : level.own_kept);
  }
}

KacaIndex::Loss KacaIndex::loss(const Level& level, uint32_t cell) const {
  const KacaCost joined = space_.kept(level.column, space_.join(level.column, level.own_cell, level.cells[cell]));
  const KacaCost own = (level.own_kept - joined) * level.own_share;
  const KacaCost other = (level.kept[cell] - joined) * (level.uneven ? level.least_share[cell] : 1);
  return {asking_rows_ * own + other_rows_ * other, own};
}

void KacaIndex::tabulate(Level& level) const {
  level.other_cell = 0;
  if (level.range || level.cells.size() > kTabulated) return;
  level.loss.resize(level.cells.size());
  const KacaCost* joined = space_.kept_of_joined(level.column, level.own_id);
  for (uint32_t cell = 0; cell < level.cells.size(); ++cell) {
    if (joined == nullptr) {
      level.loss[cell] = loss(level, cell);
      continue;
    }
    const KacaCost own = (level.own_kept - joined[cell]) * level.own_share;
    const KacaCost other = (level.kept[cell] - joined[cell]) * (level.uneven ? level.least_share[cell] : 1);
    level.loss[cell] = {asking_rows_ * own + other_rows_ * other, own};
  }
  level.other_cell = INT64_MAX;
  for (uint32_t cell = 0; cell < level.loss.size(); ++cell) {
    if (cell != level.own_id) level.other_cell = std::min(level.other_cell, level.loss[cell].bound);
  }
}

// Entries whose cells lie under the highest ancestor of the query's cell that is still worth it.
std::span<const KacaIndex::Entry> KacaIndex::entries_that_matter(const Node& node, const Level& level, const Path& path,
                                                                 uint32_t first_group) const {
  if (node.size() < kLong || level.range) return node;
  const Hierarchy& tree = space_.hierarchy(level.column);
  KacaCell reach = level.own_cell;
  for (uint32_t at = level.own_id; at != Hierarchy::kRoot;) {
    at = tree.node(at).parent;
    const KacaCost lost = (level.own_kept - level.kept[at]) * level.own_share;
    if (hopeless(path.bound + asking_rows_ * lost, first_group)) break;
    reach = level.cells[at];
  }
  const auto first = std::lower_bound(node.begin(), node.end(), reach.first, [&](const Entry& entry, uint32_t leaf) {
    return level.cells[entry.cell].first < leaf;
  });
  const auto last = std::upper_bound(first, node.end(), reach.last, [&](uint32_t leaf, const Entry& entry) {
    return leaf < level.cells[entry.cell].first;
  });
  return {first, last};
}

void KacaIndex::descend(const Entry& above, size_t level, const Path& path) {
  const Node& node = nodes_[above.below];
  const Level& asked = levels_[level];
  // First the query's own cell: it is likely to hold the nearest.
  size_t same = 0;
  if (node.size() < kLong) {
    while (same < node.size() && node[same].cell != asked.own_id) ++same;
  } else {
    same = place_of(node, asked, asked.own_id);
  }
  if (same < node.size() && node[same].cell == asked.own_id) consider(node[same], level, path);
  if (asked.other_cell > best_.distance - path.bound) return;
  for (const Entry& entry : entries_that_matter(node, asked, path, above.first_group)) {
    if (entry.cell != asked.own_id) consider(entry, level, path);
  }
}

inline void KacaIndex::consider(const Entry& entry, size_t level, const Path& path) {
  ++entries_seen_;
  const Level& asked = levels_[level];
  const Loss added = asked.loss.empty() ? loss(asked, entry.cell) : asked.loss[entry.cell];
  Path here{path.bound + added.bound, path.own_lost + added.own, path.other_kept};
  if (hopeless(here.bound, entry.first_group)) return;
  if (!asked.uneven) here.other_kept += asked.kept[entry.cell];
  // In the columns that are not decided yet a joined cell keeps no more than either of the two did.
  const KacaCost rest = levels_[level + 1].rest;
  const KacaCost own = std::max<KacaCost>(rest - (entry.greatest_kept - here.other_kept), 0);
  const KacaCost other = std::max<KacaCost>(entry.least_kept - here.other_kept - rest, 0);
  if (hopeless(here.bound + asking_rows_ * own + other_rows_ * other, entry.first_group)) return;
  if (entry.below & kGroup) {
    look_at(entry.below & ~kGroup, level + 1, here.own_lost);
  } else {
    descend(entry, level + 1, here);
  }
}

void KacaIndex::look_at(uint32_t group, size_t level, KacaCost own_lost) {
  if (group == asking_) return;
  const uint32_t* ids = ids_.data() + group * space_.columns();
  for (size_t i = level; i < space_.columns(); ++i) {
    const Level& asked = levels_[i];
    own_lost += asked.loss.empty() ? loss(asked, ids[i]).own : asked.loss[ids[i]].own;
    if (asking_rows_ * own_lost > best_.distance) return;
  }
  ++groups_seen_;
  KacaCost distance;
  if (space_.uneven_trees() == 0) {  // what is kept together is known from one side
    const auto rows = static_cast<uint64_t>(asking_rows_);
    const auto taken = static_cast<KacaCost>(KacaGroups::rows_taken(rows, groups_.rows(group), k_));
    const KacaCost kept = groups_.kept(asking_) - own_lost;
    distance = asking_rows_ * own_lost + taken * (groups_.kept(group) - kept);
  } else {
    distance = groups_.distance(asking_, group, k_);
  }
  if (distance < best_.distance || (distance == best_.distance && group < best_.group)) best_ = {group, distance};
}

KacaNearest KacaIndex::nearest(uint32_t group) {
  ask(group);
  other_rows_ = 0;  // nothing is worked out for this query yet
  for (const Trie& trie : tries_) {
    if (trie.root.alive == 0) continue;
    const KacaCost other_rows = std::min(trie.least_rows, static_cast<KacaCost>(k_) - asking_rows_);
    if (other_rows != other_rows_) {
      other_rows_ = other_rows;
      for (size_t i = 0; i < space_.columns(); ++i) tabulate(levels_[i]);
    }
    descend(trie.root, 0, {});
  }
  return best_;
}

}  // namespace shoal
