#include "shoal/files/packed_numbers.h"

#include <algorithm>
#include <bit>

namespace shoal {

PackedNumbers::PackedNumbers(const std::vector<size_t>& cardinalities) {
  int used = 0;
  for (const size_t cardinality : cardinalities) {
    const int bits = static_cast<int>(std::bit_width(std::max<size_t>(cardinality, 1) - 1));  // at most 32
    if (used + bits > 64) {
      ++words_;
      used = 0;
    }
    used += bits;
    places_.push_back({words_ - 1, used, bits == 0 ? 0 : ~uint64_t{0} >> (64 - bits)});
  }
  for (Place& place : places_) place.shift = 64 - place.shift;
}

void PackedNumbers::pack(const uint32_t* numbers, uint64_t* words) const {
  std::fill(words, words + words_, 0);
  for (size_t j = 0; j < places_.size(); ++j) {
    if (places_[j].mask != 0) words[places_[j].word] |= uint64_t{numbers[j]} << places_[j].shift;
  }
}

void PackedNumbers::unpack(const uint64_t* words, uint32_t* numbers) const {
  for (size_t j = 0; j < places_.size(); ++j) {
    const Place& place = places_[j];
    numbers[j] = place.mask == 0 ? 0 : static_cast<uint32_t>(words[place.word] >> place.shift & place.mask);
  }
}

}  // namespace shoal
