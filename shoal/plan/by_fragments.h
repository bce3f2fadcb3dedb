// A search in fragments: a large table is cut where a pilot's groups are crossed least, and every fragment is searched
// alone, with the whole table's hierarchies, weights and rules. What holds for the groups of each fragment holds for
// the release (rules.h: groups that hold also hold as one), whatever the cuts are like; these decide about the loss
// alone.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/method/space/row_groups.h"
#include "shoal/plan/plan_fragments.h"
#include "shoal/run/progress.h"

namespace shoal {

// The search that the problem's setting `fragments` asks for: in one piece, or in fragments. Methods without that
// setting search in one piece. This, not Method::search, is what those call who have a whole table.
//
// Requirements that share no column, not even through others, are cut each for itself, and their answers put together.
//
// By fragments the answer depends on the contents of the rows (those of a person column apart), not on their order or
// on the number of threads; the time budget is shared out over the fragments by their rows.
SearchResult run_search(const MethodEntry& method, const Problem& problem, Progress& progress);

// Calls search(fragment, threads, progress) once for each fragment, the largest first, several side by side; `rows`: of
// each. Threads are shared out, and so is the time budget, by rows.
using SearchOne = std::function<void(size_t fragment, int threads, Progress& progress)>;
void over_fragments(const std::vector<uint64_t>& rows, int threads, Progress& progress, const SearchOne& search);
// The seed of a fragment's search.
uint64_t fragment_seed(uint64_t seed, size_t fragment);

// Searches every fragment, puts the answers together and has the method conclude. Where a fragment has no answer all
// rows are searched in one piece. Requires fragments that have every row once, and k rows each that hold as one group.
SearchResult search_fragments(const MethodEntry& method, const Problem& problem, const RowGroups& fragments,
                              Progress& progress);

// What search_fragments answers for one fragment, where the problem's table has the rows of that fragment and no others
// (another process holds those): the same rows, in whatever order they stand, get the same releases. No conclusion.
SearchResult search_as_fragment(const MethodEntry& method, const Problem& fragment, size_t number, Progress& progress);

}  // namespace shoal
