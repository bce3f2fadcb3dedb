// The order in which released rows stand: by what they say, so that it says nothing more.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shoal/release/draft.h"

namespace shoal {

// Places of the texts of one released column, ascending: numbers and ranges first, by their lower and then their upper
// end, then all other texts by their bytes. Equal texts share a place.
std::vector<uint32_t> places_of(std::span<const std::string> texts);

// The original row of each released row, in the order that the job asks for.
//   released  by the places of the recoded cells, the first column first; then by the fingerprint of the other released
//             cells (Table::rest) and the class. A function of the release alone: rows that still tie are equal, so
//             that the order of the input cannot be seen.
//   input     ascending
// Cost: n log of the group size. Memory: some 12 bytes a row besides the answer. Requires: draft.satisfied().
std::vector<uint32_t> row_of_release(const Draft& draft);

}  // namespace shoal
