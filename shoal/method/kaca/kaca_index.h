// Finds the group nearest to a given one, exactly as a scan over all groups would, by looking at few of them.
//
// Two tries, one over the distinct rows and one over merged groups. A level of a trie is a column, those whose first
// step up costs most come first; an entry of a node is a cell of that column. On the way down the cost of the columns
// decided so far is known, and what the others cost at least: so an entry has a lower bound, and what lies below it is
// left out when nothing there can be nearer than the best group so far. Entries are in the order of their cells'
// leaves, so that all cells under one node of a column's tree are neighbours and the rest of a long node is skipped
// unseen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "shoal/method/kaca/kaca_groups.h"

namespace shoal {

struct KacaNearest {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t group = kNone;
  KacaCost distance = 0;
};

// Not safe to share between threads. Memory: 4 bytes per column and group, 32 per entry, one to a few entries per
// group.
class KacaIndex {
 public:
  // groups must outlive the index; changes to them are told by the calls below. Once `progress` is out of time the
  // index stays incomplete, and may not be asked.
  KacaIndex(const KacaGroups& groups, uint64_t k, const Progress& progress);

  // A new group; a group that has no rows any more. A change in rows or shares alone need not be told.
  void insert(uint32_t group);
  void erase(uint32_t group);

  // The group with rows, other than this one, at the least distance from it; of equally near ones the one created
  // first. kNone when there is no other. Requires: group has less than k rows.
  KacaNearest nearest(uint32_t group);

  uint64_t entries_seen() const { return entries_seen_; }
  uint64_t groups_seen() const { return groups_seen_; }  // whose distance was computed

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr size_t kLong = 16;           // entries from which on it pays to search for those that matter
  static constexpr size_t kTabulated = 4096;    // cells up to which a query works out all its losses at once
  static constexpr uint32_t kGroup = 1u << 31;  // marks `below` as a group
  struct Entry {
    uint32_t cell;         // id
    uint32_t below;        // the only group that begins like this (marked), or a node
    uint32_t alive;        // groups below
    uint32_t first_group;  // at most
    // By a row of the groups below, without uneven trees; not tight where groups have gone.
    KacaCost least_kept, greatest_kept;
  };
  using Node = std::vector<Entry>;
  struct Trie {
    Entry root;
    KacaCost least_rows;  // any of its groups has
  };
  // What is known of the columns above a node.
  struct Path {
    KacaCost bound = 0;       // distance that they make, at least
    KacaCost own_lost = 0;    // by a row of the query
    KacaCost other_kept = 0;  // by a row of the groups below, without uneven trees
  };
  struct Loss {
    KacaCost bound, own;  // what a cell adds to Path
  };
  // A column as a level of the tries. Cells have ids: in a tree its node, in a range the order of appearance.
  struct Level {
    size_t column;
    bool uneven, range;
    std::vector<KacaCell> cells;                 // [id]
    std::vector<KacaCost> kept;                  // [id]
    std::vector<KacaCost> least_share;           // [id]: of leaves under it; uneven trees
    std::unordered_map<uint64_t, uint32_t> ids;  // ranges
    // Of the query:
    uint32_t own_id;
    KacaCell own_cell;
    KacaCost own_kept, own_share;
    KacaCost rest;           // kept of the columns from this one on, without uneven trees
    std::vector<Loss> loss;  // [id]; empty: to be worked out
    KacaCost other_cell;     // what any other cell than the query's own adds to a bound, at least
  };

  void place_tree(Level& level) const;
  uint32_t id_of(Level& level, KacaCell cell) const;
  bool before(const Level& level, uint32_t a, uint32_t b) const;
  size_t place_of(const Node& node, const Level& level, uint32_t cell) const;
  Trie& trie_of(uint32_t group) { return tries_[group < groups_.distinct() ? 0 : 1]; }
  Entry entry_of(uint32_t group, size_t level) const;
  void widen(Entry& entry, uint32_t group) const;

  void ask(uint32_t group);
  void tabulate(Level& level) const;
  Loss loss(const Level& level, uint32_t cell) const;
  bool hopeless(KacaCost bound, uint32_t first_group) const {
    return bound > best_.distance || (bound == best_.distance && first_group > best_.group);
  }
  std::span<const Entry> entries_that_matter(const Node& node, const Level& level, const Path& path,
                                             uint32_t first_group) const;
  void descend(const Entry& above, size_t level, const Path& path);
  void consider(const Entry& entry, size_t level, const Path& path);
  void look_at(uint32_t group, size_t level, KacaCost own_lost);

  const KacaGroups& groups_;
  const KacaSpace& space_;
  const uint64_t k_;
  std::vector<Level> levels_;  // one more than there are columns
  std::vector<Node> nodes_;    // 0 and 1: the tries' roots
  std::vector<uint32_t> ids_;  // [group * columns + level]
  Trie tries_[2];

  uint32_t asking_ = 0;  // the group that asks
  KacaCost asking_rows_ = 0;
  KacaCost other_rows_ = 0;  // rows taken from any group of the trie in hand, at least
  KacaNearest best_;
  uint64_t entries_seen_ = 0, groups_seen_ = 0;
};

}  // namespace shoal
