// The columns as kaca's tries see them: in an order that makes searches short, each cell a small number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "shoal/method/kaca/kaca_groups.h"

namespace shoal {

// A column as a level of the tries. Cells have ids: in a tree its node, in a range the order of appearance.
struct KacaLevel {
  size_t column = 0;
  bool uneven = false, range = false;
  KacaCost least_share = 1;                    // of any leaf; 1 outside uneven trees
  std::vector<KacaCell> cells;                 // [id]
  std::vector<KacaCost> kept;                  // [id]
  std::vector<KacaCost> up, down;              // [id], trees: the cheapest step from it; 0 where there is none
  std::vector<uint8_t> mark;                   // [id], even trees: a number below 64 for the node, not its alone
  std::vector<uint64_t> marks;                 // [id]: of it and of the nodes above, as a set; none outside even trees
  std::vector<KacaCost> share_below;           // [id], uneven trees: the least share of leaves under it
  std::unordered_map<uint64_t, uint32_t> ids;  // ranges

  // Cells that begin together: the wider one first, so that a tree node stands before all that is under it.
  bool before(uint32_t a, uint32_t b) const {
    const KacaCell one = cells[a], other = cells[b];
    return one.first != other.first ? one.first < other.first : one.last > other.last;
  }
};

// Not safe to share between threads. Memory: 4 bytes per column and group, ~40 per cell that occurs.
class KacaLevels {
 public:
  // groups must outlive the levels; all that are there are added, unless `progress` runs out of time.
  KacaLevels(const KacaGroups& groups, const Progress& progress);

  size_t size() const { return levels_.size(); }
  const KacaLevel& operator[](size_t level) const { return levels_[level]; }

  // Works out the ids of a new group's cells.
  void add(uint32_t group);
  // The ids of the group's cells, level by level.
  const uint32_t* ids(uint32_t group) const { return ids_.data() + group * levels_.size(); }
  // The marks of the group's cells from this level on.
  uint64_t marks(uint32_t group, size_t level) const {
    uint64_t all = 0;
    for (size_t i = level; i < levels_.size(); ++i) all |= levels_[i].marks[ids(group)[i]];
    return all;
  }
  // All distinct rows, by the leaves of the first level, those alike by the second, .. Cost: rows x levels.
  std::vector<uint32_t> sorted_distinct(const Progress& progress) const;

 private:
  void place_tree(KacaLevel& level) const;
  void mark_tree(KacaLevel& level);
  uint32_t id_of(KacaLevel& level, KacaCell cell) const;

  const KacaGroups& groups_;
  const KacaSpace& space_;
  std::vector<KacaLevel> levels_;
  uint64_t marked_ = 0;        // nodes that have a mark
  std::vector<uint32_t> ids_;  // [group * levels + level]
};

}  // namespace shoal
