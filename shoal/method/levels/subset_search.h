// Incognito's search: every part of the lattice decided by growing sets of columns.
//
// A vector over a set of columns counts groups on these columns only, which is the same as the vector over all columns
// with the others at the top. So the states of all sets together are the vectors of the lattice, each at home in the
// set of its columns below the top. Sets are taken by size; a set's vectors are counted only when every vector with one
// more column at the top satisfies (the a priori property), from finer to coarser, and what is coarser than a
// satisfying one is marked without counting.
#pragma once

#include <cstdint>

#include "shoal/method/levels/level_search.h"

namespace shoal {

// Fills in the verdicts of all parts, unless time runs out; returns how many vectors they have. Sets of the same size
// are shared out to the problem's threads.
uint64_t decide_by_subsets(LevelSearch& search);

}  // namespace shoal
