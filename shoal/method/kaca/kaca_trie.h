// A trie over groups of method `kaca`: a level is a column, an entry of a node is a cell of that column. Entries are in
// the order of their cells' leaves, so that all cells under one node of a column's tree are neighbours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/kaca/kaca_levels.h"

namespace shoal {

struct KacaEntry {
  uint32_t cell = 0;                  // id
  uint32_t below = 0;                 // the only group that begins like this, or where the node below begins
  uint32_t size = 0;                  // entries of that node; 0: it is a group
  uint32_t first_group = UINT32_MAX;  // of those below, at most
  // Of the groups below; exact for a single group, else not tight where groups have gone. Kept by a row, without uneven
  // trees; the marks (KacaLevel) of their cells at the levels below.
  KacaCost least_kept = INT64_MAX, greatest_kept = 0;
  uint64_t marks = 0;

  bool is_group() const { return size == 0; }
};

// Not safe to share between threads. Memory: 40 bytes per entry; one to a few entries per group.
class KacaTrie {
 public:
  static constexpr size_t kLong = 16;  // entries from which on it pays to search for the ones wanted

  // Both must outlive the trie, which begins empty.
  KacaTrie(const KacaGroups& groups, const KacaLevels& levels) : groups_(groups), levels_(levels), entries_(1) {}

  bool empty() const { return root().size == 0; }
  const KacaEntry& root() const { return entries_.front(); }
  // The entries of the node below; valid until the trie changes. Requires: the entry is no group.
  std::span<const KacaEntry> below(const KacaEntry& entry) const { return {entries_.data() + entry.below, entry.size}; }
  // Where the cell stands in a node of this level, or would.
  size_t place_of(std::span<const KacaEntry> node, size_t level, uint32_t cell) const;

  // The place of the cell's entry, or the node's size when there is none.
  size_t find(std::span<const KacaEntry> node, size_t level, uint32_t cell) const {
    if (node.size() < kLong) {
      size_t place = 0;
      while (place < node.size() && node[place].cell != cell) ++place;
      return place;
    }
    const size_t place = place_of(node, level, cell);
    return place < node.size() && node[place].cell == cell ? place : node.size();
  }

  // The trie of these groups, in the order of their leaves (KacaLevels::sorted_distinct()). Requires: it is empty.
  // Stays incomplete, and may not be asked, once `progress` is out of time.
  void build(std::span<const uint32_t> sorted, const Progress& progress);
  void insert(uint32_t group);
  void erase(uint32_t group);

 private:
  KacaEntry entry_of(uint32_t group, size_t level) const;
  void widen(KacaEntry& entry, uint32_t group, size_t below) const;  // below: the level under the entry
  void build_node(uint32_t above, std::span<const uint32_t> sorted, size_t level, const Progress& progress);
  void put(uint32_t above, size_t place, const KacaEntry& entry);
  void take_out(uint32_t above, size_t place);
  uint32_t open_room(uint32_t size);
  void give_room(uint32_t start, uint32_t room);

  const KacaGroups& groups_;
  const KacaLevels& levels_;
  std::vector<KacaEntry> entries_;                // 0: the root; a node of n entries has room for bit_ceil(n)
  std::array<std::vector<uint32_t>, 32> free_{};  // [bits]: starts of rooms of 2^bits entries that nobody has
  std::vector<uint32_t> way_;                     // of an erased group: entries above it
};

}  // namespace shoal
