// All nodes lie in one list (entries_), a node's entries behind each other, and an entry says where the node below it
// begins: a query that goes down touches nothing else. Rooms are powers of two, so that their size follows from the
// number of entries; a node that outgrows its room moves. A node is never left with a single group: that group stands
// in the entry above, and a query sees it one step earlier.
#include "shoal/method/kaca/kaca_trie.h"

#include <algorithm>
#include <bit>

namespace shoal {

size_t KacaTrie::place_of(std::span<const KacaEntry> node, size_t level, uint32_t cell) const {
  const KacaLevel& own = levels_[level];
  const auto place = std::lower_bound(node.begin(), node.end(), cell, [&](const KacaEntry& entry, uint32_t wanted) {
    return own.before(entry.cell, wanted);
  });
  return static_cast<size_t>(place - node.begin());
}

KacaEntry KacaTrie::entry_of(uint32_t group, size_t level) const {
  KacaEntry entry{.cell = levels_.ids(group)[level], .below = group};
  widen(entry, group, level + 1);
  return entry;
}

inline void KacaTrie::widen(KacaEntry& entry, uint32_t group, size_t below) const {
  entry.first_group = std::min(entry.first_group, group);
  entry.least_kept = std::min(entry.least_kept, groups_.plain_kept(group));
  entry.greatest_kept = std::max(entry.greatest_kept, groups_.plain_kept(group));
  entry.marks |= levels_.marks(group, below);
}

uint32_t KacaTrie::open_room(uint32_t size) {
  const uint32_t room = std::bit_ceil(size);
  auto& free = free_[static_cast<size_t>(std::countr_zero(room))];
  if (free.empty()) {
    const auto start = static_cast<uint32_t>(entries_.size());
    entries_.resize(entries_.size() + room);
    return start;
  }
  const uint32_t start = free.back();
  free.pop_back();
  return start;
}

void KacaTrie::give_room(uint32_t start, uint32_t room) {
  if (room > 0) free_[static_cast<size_t>(std::countr_zero(room))].push_back(start);
}

void KacaTrie::build(std::span<const uint32_t> sorted, const Progress& progress) {
  if (sorted.empty()) return;
  entries_.reserve(sorted.size() * 2);
  build_node(0, sorted, 0, progress);
}

void KacaTrie::build_node(uint32_t above, std::span<const uint32_t> sorted, size_t level, const Progress& progress) {
  uint32_t size = 1;
  for (size_t i = 1; i < sorted.size(); ++i) {
    size += levels_.ids(sorted[i])[level] != levels_.ids(sorted[i - 1])[level];
  }
  const uint32_t start = open_room(size);
  entries_[above].below = start;
  entries_[above].size = size;
  for (uint32_t at = start; !sorted.empty(); ++at) {
    const uint32_t cell = levels_.ids(sorted[0])[level];
    size_t alike = 1;
    while (alike < sorted.size() && levels_.ids(sorted[alike])[level] == cell) ++alike;
    if (alike == 1) {
      entries_[at] = entry_of(sorted[0], level);
    } else {
      entries_[at].cell = cell;
      build_node(at, sorted.first(alike), level + 1, progress);
    }
    KacaEntry& whole = entries_[above];
    whole.first_group = std::min(whole.first_group, entries_[at].first_group);
    whole.least_kept = std::min(whole.least_kept, entries_[at].least_kept);
    whole.greatest_kept = std::max(whole.greatest_kept, entries_[at].greatest_kept);
    whole.marks |= entries_[at].marks | levels_[level].marks[cell];
    sorted = sorted.subspan(alike);
    if (alike < 1024 && (at - start) % 1024 != 0) continue;
    progress.check();
    if (progress.out_of_time()) return;
  }
}

void KacaTrie::put(uint32_t above, size_t place, const KacaEntry& entry) {
  const uint32_t size = entries_[above].size, old = entries_[above].below;
  uint32_t start = old;
  if (size == 0 || std::has_single_bit(size)) {  // its room is full
    start = open_room(size + 1);
    std::copy_n(entries_.begin() + old, place, entries_.begin() + start);
    std::copy_n(entries_.begin() + old + static_cast<uint32_t>(place), size - place,
                entries_.begin() + start + static_cast<uint32_t>(place) + 1);
    give_room(old, size);
  } else {
    const auto end = entries_.begin() + start + size;
    std::copy_backward(entries_.begin() + start + static_cast<uint32_t>(place), end, end + 1);
  }
  entries_[start + place] = entry;
  entries_[above].below = start;
  entries_[above].size = size + 1;
}

void KacaTrie::take_out(uint32_t above, size_t place) {
  const uint32_t start = entries_[above].below, size = --entries_[above].size;
  const auto hole = entries_.begin() + start + static_cast<uint32_t>(place);
  std::copy(hole + 1, entries_.begin() + start + size + 1, hole);
  if (size == 0 || std::has_single_bit(size)) give_room(start + size, std::bit_ceil(size + 1) - size);
}

void KacaTrie::insert(uint32_t group) {
  const uint32_t* ids = levels_.ids(group);
  widen(entries_[0], group, 0);
  uint32_t above = 0;
  for (size_t level = 0;; ++level) {
    const auto node = below(entries_[above]);
    const size_t place = place_of(node, level, ids[level]);
    if (place == node.size() || node[place].cell != ids[level]) {
      put(above, place, entry_of(group, level));
      return;
    }
    above = entries_[above].below + static_cast<uint32_t>(place);
    if (entries_[above].is_group()) {  // from now on two begin alike
      const KacaEntry other = entry_of(entries_[above].below, level + 1);
      const uint32_t start = open_room(1);
      entries_[start] = other;
      entries_[above].below = start;
      entries_[above].size = 1;
    }
    widen(entries_[above], group, level + 1);
  }
}

void KacaTrie::erase(uint32_t group) {
  const uint32_t* ids = levels_.ids(group);
  way_.assign(1, 0);
  for (size_t level = 0;; ++level) {
    const size_t place = find(below(entries_[way_.back()]), level, ids[level]);
    const uint32_t at = entries_[way_.back()].below + static_cast<uint32_t>(place);
    if (entries_[at].is_group()) {
      take_out(way_.back(), place);
      break;
    }
    way_.push_back(at);
  }
  for (; way_.size() > 1; way_.pop_back()) {
    const KacaEntry above = entries_[way_.back()], only = entries_[above.below];
    if (above.size > 1 || !only.is_group()) return;
    give_room(above.below, 1);
    entries_[way_.back()] = entry_of(only.below, way_.size() - 2);
  }
}

}  // namespace shoal
