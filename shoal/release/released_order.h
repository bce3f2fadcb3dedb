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

// The fingerprint of a row's other released cells: that of its plain ones (Table::rest) and the hash of its class.
inline uint64_t print_with_class(uint64_t rest, uint64_t class_hash) {
  const uint64_t print = (rest ^ class_hash) * 0xD6E8FEB86659FD93ULL;
  return print ^ (print >> 29);
}

// The original row of each released row, in the order that the job asks for.
//   released  by the places of the recoded cells, the first column first; then by a fingerprint (64 bits) of the other
//             released cells. A function of the release alone: rows that still tie are equal, so that the order of the
//             input cannot be seen. (Two different rows with the same fingerprint, which chance does not bring about,
//             stand as in the input.)
//   input     ascending
// Cost: n log of the group size. Memory: some 12 bytes a row besides the answer. Requires: draft.satisfied().
std::vector<uint32_t> row_of_release(const Draft& draft);

}  // namespace shoal
