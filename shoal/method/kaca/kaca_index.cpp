// The plain scan of kaca.txt takes |E| distances per merge. Here a query walks down the two tries with a lower bound:
// what the decided columns cost, plus what the undecided ones cost at least, since a joined cell keeps no more than
// either of the two did. What cannot be nearer than the best group so far is left out; equal distances go to the older
// group, as in the scan, so an entry also knows the oldest group below it. A query sees some hundred entries, of
// the thousands of cells that the columns may have: so nothing is worked out for a cell before it is met.
#include "shoal/method/kaca/kaca_index.h"

#include <algorithm>
#include <bit>

namespace shoal {

KacaIndex::KacaIndex(const KacaGroups& groups, uint64_t k, const Progress& progress)
    : groups_(groups),
      space_(groups.space()),
      k_(k),
      levels_(groups, progress),
      tries_{KacaTrie(groups, levels_), KacaTrie(groups, levels_)},
      asked_(levels_.size() + 1) {
  if (!progress.out_of_time()) tries_[0].build(levels_.sorted_distinct(progress), progress);
}

void KacaIndex::insert(uint32_t group) {
  levels_.add(group);
  tries_[trie_of(group)].insert(group);
}

void KacaIndex::erase(uint32_t group) { tries_[trie_of(group)].erase(group); }

void KacaIndex::ask(uint32_t group) {
  asking_ = group;
  asking_rows_ = groups_.rows(group);
  best_ = {KacaNearest::kNone, INT64_MAX};
  const uint32_t* ids = levels_.ids(group);
  for (size_t i = levels_.size(); i-- > 0;) {
    const KacaLevel& level = levels_[i];
    Asked& asked = asked_[i];
    asked.own_id = ids[i];
    asked.uneven = level.uneven;
    asked.kept = level.kept.data();
    asked.joined = level.range ? nullptr : space_.kept_of_joined(level.column, ids[i]);
    asked.own_kept = level.kept[ids[i]];
    asked.own_share = level.uneven ? groups_.shares(group)[level.column - space_.even_trees()] : 1;
    asked.rest = asked_[i + 1].rest + (level.uneven ? 0 : asked.own_kept);
    asked.marks = asked_[i + 1].marks;
    if (!level.uneven && !level.range) ask_marks(asked, level);
  }
}

void KacaIndex::ask_marks(Asked& asked, const KacaLevel& level) {
  const Hierarchy& tree = space_.hierarchy(level.column);
  for (uint32_t node = asked.own_id; node != Hierarchy::kRoot; node = tree.node(node).parent) {
    const uint64_t mark = uint64_t{1} << level.mark[node];
    if (asked.marks & mark) continue;  // it stands for a node of a later level already
    asked.marks |= mark;
    step_[level.mark[node]] = level.up[node];
  }
}

void KacaIndex::ask_trie(size_t trie) {
  trie_ = &tries_[trie];
  other_rows_ = std::min(KacaCost{trie == 0 ? 1 : 2},  // two rows at least were merged
                         static_cast<KacaCost>(k_) - asking_rows_);
  for (size_t i = 0; i < levels_.size(); ++i) asked_[i].other_cell = other_cell(asked_[i], levels_[i], trie == 0);
}

// Another cell is under the query's own one, and its rows go up to that; or it is not, and the query's rows go up, at
// least to the parent. Where all cells are leaves of an even tree, they go up all the way in the first case, and as far
// as the query's rows or farther in the second.
KacaCost KacaIndex::other_cell(const Asked& asked, const KacaLevel& level, bool leaves_only) const {
  if (level.range) return 0;
  const uint32_t own = asked.own_id;
  const bool leaf = level.cells[own].first == level.cells[own].last;
  if (leaves_only && !level.uneven) {
    const KacaCost leaf_kept = level.kept.back();
    return leaf ? (asking_rows_ + other_rows_) * level.up[own] : other_rows_ * (leaf_kept - asked.own_kept);
  }
  const KacaCost up = asking_rows_ * level.up[own] * asked.own_share;
  const KacaCost down = other_rows_ * level.down[own] * level.least_share;
  if (own == Hierarchy::kRoot) return down;
  return leaf ? up : std::min(up, down);
}

// Where there is no table of it.
KacaCost KacaIndex::kept_joined(size_t level, uint32_t cell) const {
  const KacaLevel& own = levels_[level];
  return space_.kept(own.column, space_.join(own.column, own.cells[asked_[level].own_id], own.cells[cell]));
}

// Entries whose cells lie under the highest ancestor of the query's cell that is still worth it.
std::span<const KacaEntry> KacaIndex::entries_that_matter(std::span<const KacaEntry> node, size_t level, KacaCost bound,
                                                          uint32_t first_group) const {
  const KacaLevel& own = levels_[level];
  if (node.size() < KacaTrie::kLong || own.range) return node;
  const Asked& asked = asked_[level];
  const Hierarchy& tree = space_.hierarchy(own.column);
  KacaCell reach = own.cells[asked.own_id];
  for (uint32_t at = asked.own_id; at != Hierarchy::kRoot;) {
    at = tree.node(at).parent;
    const KacaCost lost = (asked.own_kept - own.kept[at]) * asked.own_share;
    if (hopeless(bound + asking_rows_ * lost, first_group)) break;
    reach = own.cells[at];
  }
  const auto first =
      std::lower_bound(node.begin(), node.end(), reach.first,
                       [&](const KacaEntry& entry, uint32_t leaf) { return own.cells[entry.cell].first < leaf; });
  const auto last = std::upper_bound(first, node.end(), reach.last, [&](uint32_t leaf, const KacaEntry& entry) {
    return leaf < own.cells[entry.cell].first;
  });
  return {first, last};
}

void KacaIndex::descend(const KacaEntry& above, size_t level, const Path& path) {
  const std::span<const KacaEntry> node = trie_->below(above);
  const Asked& asked = asked_[level];
  // First the query's own cell: it is likely to hold the nearest.
  const size_t same = trie_->find(node, level, asked.own_id);
  if (same < node.size()) consider(node[same], level, path);
  if (asked.other_cell > best_.distance - path.bound) return;
  for (const KacaEntry& entry : entries_that_matter(node, level, path.bound, above.first_group)) {
    if (entry.cell != asked.own_id) consider(entry, level, path);
  }
}

inline void KacaIndex::consider(const KacaEntry& entry, size_t level, const Path& path) {
  ++entries_seen_;
  const Asked& asked = asked_[level];
  const KacaCost joined = asked.joined != nullptr ? asked.joined[entry.cell] : kept_joined(level, entry.cell);
  KacaCost own = asked.own_kept - joined, other = asked.kept[entry.cell] - joined;
  if (asked.uneven) {
    own *= asked.own_share;
    other *= levels_[level].share_below[entry.cell];
  }
  Path here{path.bound + asking_rows_ * own + other_rows_ * other, path.joined, path.other_kept};
  if (hopeless(here.bound, entry.first_group)) return;
  if (!asked.uneven) {
    here.joined += joined;
    here.other_kept += asked.kept[entry.cell];
  }
  // In the columns that are not decided yet a joined cell keeps no more than either of the two did, and nothing of
  // nodes that none of the groups below has.
  const KacaCost rest = asked_[level + 1].rest;
  KacaCost most = rest;
  for (uint64_t lacking = asked_[level + 1].marks & ~entry.marks; lacking != 0; lacking &= lacking - 1) {
    most -= step_[static_cast<size_t>(std::countr_zero(lacking))];
  }
  most = std::min(most, entry.greatest_kept - here.other_kept);
  const KacaCost own_rest = rest - most;
  const KacaCost other_rest = std::max<KacaCost>(entry.least_kept - here.other_kept - most, 0);
  if (hopeless(here.bound + asking_rows_ * own_rest + other_rows_ * other_rest, entry.first_group)) return;
  if (entry.is_group()) {
    look_at(entry, level + 1, here.joined);
  } else {
    descend(entry, level + 1, here);
  }
}

void KacaIndex::look_at(const KacaEntry& entry, size_t level, KacaCost joined) {
  const uint32_t group = entry.below;
  if (group == asking_) return;
  ++groups_seen_;
  KacaCost distance;
  if (space_.uneven_trees() == 0) {  // what is kept together is the same on both sides
    const uint32_t* ids = levels_.ids(group);
    for (size_t i = level; i < levels_.size(); ++i) {
      joined += asked_[i].joined != nullptr ? asked_[i].joined[ids[i]] : kept_joined(i, ids[i]);
    }
    const auto rows = static_cast<uint64_t>(asking_rows_);
    const auto taken = static_cast<KacaCost>(KacaGroups::rows_taken(rows, groups_.rows(group), k_));
    distance = asking_rows_ * (asked_[0].rest - joined) + taken * (entry.least_kept - joined);
  } else {
    distance = groups_.distance(asking_, group, k_);
  }
  if (distance < best_.distance || (distance == best_.distance && group < best_.group)) best_ = {group, distance};
}

KacaNearest KacaIndex::nearest(uint32_t group) {
  ask(group);
  for (size_t trie = 0; trie < tries_.size(); ++trie) {
    if (tries_[trie].empty()) continue;
    ask_trie(trie);
    descend(trie_->root(), 0, {});
  }
  return best_;
}

}  // namespace shoal
