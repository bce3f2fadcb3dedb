// From groups of rows to groups that also fit enough people of a population (k-map).
#pragma once

#include "shoal/method/method.h"

namespace shoal {

// Merges the groups of an answer (Shape::groups or regions), the one of fewest rows that fits too few people first,
// each with the group where that adds least to the table's NCP, until all fit enough: a wider box never fits fewer. The
// answer becomes NoAnswer where even all rows in one group fit too few. Requires one requirement, whose rule asks about
// a population, and no dropped rows. Cost: per merge about that of finding a neighbour and of a count.
void merge_for_population(const Problem& problem, SearchResult& result, Progress& progress);

}  // namespace shoal
