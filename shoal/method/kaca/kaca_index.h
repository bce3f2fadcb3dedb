// Finds the group nearest to a given one, exactly as a scan over all groups would, by looking at few of them.
//
// Two tries (kaca_trie.h), one over the distinct rows and one over merged groups. On the way down the cost of the
// columns decided so far is known, and what the others cost at least: so an entry has a lower bound, and what lies
// below it is left out when nothing there can be nearer than the best group so far.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/method/kaca/kaca_trie.h"

namespace shoal {

struct KacaNearest {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t group = kNone;
  KacaCost distance = 0;
};

// Not safe to share between threads. Memory: that of KacaLevels and two KacaTries.
class KacaIndex {
 public:
  KacaIndex(const KacaIndex&) = delete;  // the tries refer to the levels
  KacaIndex& operator=(const KacaIndex&) = delete;
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
  // What is known of the columns above a node.
  struct Path {
    KacaCost bound = 0;       // distance that they make, at least
    KacaCost joined = 0;      // kept by a row of the query joined with the groups below, without uneven trees
    KacaCost other_kept = 0;  // by a row of the groups below, without uneven trees
  };
  // The query as a level sees it.
  struct Asked {
    uint32_t own_id = 0;
    bool uneven = false;
    const KacaCost* kept = nullptr;    // [id]
    const KacaCost* joined = nullptr;  // [id]: kept when joined with the query's cell; none for ranges and large trees
    KacaCost own_kept = 0, own_share = 1;
    KacaCost rest = 0;        // kept of the columns from this one on, without uneven trees
    uint64_t marks = 0;       // of its cells from this level on
    KacaCost other_cell = 0;  // what any other cell than the query's own adds to a bound, at least
  };

  size_t trie_of(uint32_t group) const { return group < groups_.distinct() ? 0 : 1; }
  void ask(uint32_t group);
  void ask_marks(Asked& asked, const KacaLevel& level);
  void ask_trie(size_t trie);
  KacaCost other_cell(const Asked& asked, const KacaLevel& level, bool leaves_only) const;
  KacaCost kept_joined(size_t level, uint32_t cell) const;
  bool hopeless(KacaCost bound, uint32_t first_group) const {
    return bound > best_.distance || (bound == best_.distance && first_group > best_.group);
  }
  std::span<const KacaEntry> entries_that_matter(std::span<const KacaEntry> node, size_t level, KacaCost bound,
                                                 uint32_t first_group) const;
  void descend(const KacaEntry& above, size_t level, const Path& path);
  void consider(const KacaEntry& entry, size_t level, const Path& path);
  void look_at(const KacaEntry& entry, size_t level, KacaCost joined);

  const KacaGroups& groups_;
  const KacaSpace& space_;
  const uint64_t k_;
  KacaLevels levels_;
  std::array<KacaTrie, 2> tries_;  // distinct rows; merged groups

  // Of the query:
  uint32_t asking_ = 0;  // the group that asks
  KacaCost asking_rows_ = 0;
  std::array<KacaCost, 64> step_{};  // [mark]: from the node of the query that it stands for up to the parent
  std::vector<Asked> asked_;         // [level], and one more
  const KacaTrie* trie_ = nullptr;   // in hand
  KacaCost other_rows_ = 0;          // rows taken from any of its groups, at least
  KacaNearest best_;
  uint64_t entries_seen_ = 0, groups_seen_ = 0;
};

}  // namespace shoal
