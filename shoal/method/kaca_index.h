// Finds the group nearest to a given one, exactly as a scan over all groups would, by looking at few of them.
//
// Two tries, one over the distinct rows and one over merged groups (whose wide cells would blur the first). A level of
// a trie is a column, those whose first step up costs most come first; an entry of a node is a cell of that column. On
// the way down the cost of the columns decided so far is known, and what the others cost at least: so an entry has a
// lower bound, and what lies below it is left out when nothing there can be nearer than the best group so far. Entries
// are in the order of their cells' leaves, so that all cells under one node of a column's tree are neighbours and the
// rest of a long node is skipped unseen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/kaca_groups.h"

namespace shoal {

struct KacaNearest {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t group = kNone;
  KacaCost distance = 0;
};

// Not safe to share between threads. Memory: 64 bytes per entry, one to a few entries per group.
class KacaIndex {
 public:
  // groups must outlive the index; changes to them are told by the calls below.
  KacaIndex(const KacaGroups& groups, uint64_t k);

  // A new group; a group that has other rows or shares than before; a group that has no rows any more.
  void insert(uint32_t group);
  void refresh(uint32_t group);
  void erase(uint32_t group);

  // The group with rows, other than this one, at the least distance from it; of equally near ones the one created
  // first. kNone when there is no other. Requires: group has less than k rows.
  KacaNearest nearest(uint32_t group);

  uint64_t entries_seen() const { return entries_seen_; }
  uint64_t groups_seen() const { return groups_seen_; }  // distances computed to the end

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr size_t kLong = 12;  // entries from which on it pays to search for those that matter
  struct Entry {
    KacaCell cell;
    KacaCost kept;  // of the cell
    bool is_group;  // `below` is the only group with this beginning; else a node
    uint32_t below;
    uint32_t alive;  // groups below
    // Bounds over the groups below. They need not be tight where groups have gone.
    uint32_t least_rows;
    uint32_t first_group;
    KacaCost least_kept, greatest_kept;  // without uneven trees
    KacaCost least_share;                // in this column, if it is an uneven tree
  };
  using Node = std::vector<Entry>;
  // What is known of the columns above a node.
  struct Path {
    KacaCost own_lost = 0, other_lost = 0;  // by a row of the query, and at least by a row of theirs
    KacaCost other_kept = 0;                // by the cells of the path, without uneven trees
  };
  struct Level {  // of the query
    size_t column;
    KacaCell cell;
    const KacaCost* kept_with;  // [leaf]; nullptr: to be worked out
    bool uneven, range;
    KacaCost kept;   // of its own cell
    KacaCost share;  // 1 outside uneven trees
    KacaCost rest;   // kept of the columns from this one on, without uneven trees
  };

  Entry entry_of(uint32_t group, size_t level) const;
  void widen(Entry& entry, uint32_t group, size_t level) const;
  size_t place_of(const Node& node, KacaCell cell) const;
  void insert_into(uint32_t node, uint32_t group);
  uint32_t root_of(uint32_t group) const { return group < groups_.distinct() ? 0 : 1; }
  void ask(uint32_t group);
  KacaCost kept_beside(const Level& level, KacaCell cell) const;
  KacaCost bound(const Path& path, const Entry& below, KacaCost rest) const;
  bool hopeless(KacaCost bound, uint32_t first_group) const;
  std::span<const Entry> entries_that_matter(const Node& node, size_t level, const Path& path,
                                             const Entry& above) const;
  void descend(const Entry& above, size_t level, const Path& path);
  void consider(const Entry& entry, size_t level, const Path& path);
  void look_at(uint32_t group);

  const KacaGroups& groups_;
  const KacaSpace& space_;
  const uint64_t k_;
  std::vector<size_t> order_;  // [level]: column
  std::vector<Node> nodes_;    // 0: the root over distinct rows, 1: over merged groups
  Entry roots_[2];

  uint32_t asking_ = 0;  // the group that asks
  KacaCost asking_rows_ = 0;
  std::vector<Level> levels_;
  std::vector<std::vector<KacaCost>> buffers_;
  KacaNearest best_;
  uint64_t entries_seen_ = 0, groups_seen_ = 0;
};

}  // namespace shoal
