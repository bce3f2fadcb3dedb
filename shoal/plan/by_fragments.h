// A search in fragments: a large table is cut where a pilot's groups are crossed least, and every fragment is searched
// alone, with the whole table's hierarchies, weights and rules. What holds for the groups of each fragment holds for
// the release (rules.h: groups that hold also hold as one), whatever the cuts are like; these decide about the loss
// alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/plan/cut_tree.h"
#include "shoal/plan/fragments.h"
#include "shoal/run/progress.h"

namespace shoal {

// When a search should end with its best answer so far, as the progress knows as well but does not say; nothing: when
// it is done.
using Deadline = std::optional<Clock::time_point>;

// The search that the problem's setting `fragments` asks for: in one piece, or in fragments. Methods without that
// setting search in one piece. This, not Method::search, is what those call who have a whole table.
//
// By fragments the answer depends on the contents of the rows (those of a person column apart), not on their order or
// on the number of threads; the time budget is shared out over the fragments by their rows.
SearchResult run_search(const MethodEntry& method, const Problem& problem, Progress& progress, Deadline deadline = {});

// How a table is cut, and in words.
struct FragmentPlan {
  RowGroups fragments;  // every row once; rows of a fragment by their contents
  std::string words;    // for the report
  std::string reason;   // why it is not cut, where it was asked for; else ""
};
// The plan that run_search follows. One fragment: search in one piece.
FragmentPlan plan_fragments(const Problem& problem, Progress& progress, Deadline deadline = {});

// The parts of plan_fragments, for a table that is not in memory as a whole (files/outsized_table.h).
struct FragmentWish {
  FragmentSizes sizes = {};  // fewer than two fragments: in one piece
  bool asked = false;        // by the user, else by the rule of docs/scale.md
  std::string reason;        // why it is not cut, where it was asked for; else ""
};
// What the problem's settings ask for; its table is not looked at: it has so many rows.
FragmentWish wanted_fragments(const Problem& problem, size_t rows);
// A pilot's rows, of so many, and the fragments that are wanted. `sample` must outlive it.
struct DrawnRows {
  const Table& sample;
  size_t rows;
  FragmentSizes sizes;
};
// How many rows of the whole table each leaf of a tree has: [node].
using CountLeaves = std::function<std::vector<uint64_t>(const CutTree& tree)>;
// The tree of cuts; leaves with far more rows than planned are cut again, so that rows may be counted several times.
// Nothing: the pilot has no answer. The problem's own table is not looked at.
std::optional<CutTree> grow_tree(const Problem& problem, const DrawnRows& drawn, const CountLeaves& count,
                                 Progress& progress);
// "15, of 42000 to 99000 rows, cut by a pilot of 30000 rows". `rows`: of each fragment, at least one.
std::string fragment_words(const std::vector<uint64_t>& rows, size_t pilot);

// Calls search(fragment, threads, progress) once for each fragment, the largest first, several side by side; `rows`: of
// each. Threads are shared out, and so is the time budget, by rows.
using SearchOne = std::function<void(size_t fragment, int threads, Progress& progress)>;
void over_fragments(const std::vector<uint64_t>& rows, int threads, Progress& progress, Deadline deadline,
                    const SearchOne& search);
// The seed of a fragment's search.
uint64_t fragment_seed(uint64_t seed, size_t fragment);

// Searches every fragment, puts the answers together and has the method conclude. Where a fragment has no answer all
// rows are searched in one piece. Requires fragments that have every row once, and k rows each that hold as one group.
SearchResult search_fragments(const MethodEntry& method, const Problem& problem, const RowGroups& fragments,
                              Progress& progress, Deadline deadline = {});

// What search_fragments answers for one fragment, where the problem's table has the rows of that fragment and no others
// (another process holds those): the same rows, in whatever order they stand, get the same releases. No conclusion.
SearchResult search_as_fragment(const MethodEntry& method, const Problem& fragment, size_t number, Progress& progress);

}  // namespace shoal
