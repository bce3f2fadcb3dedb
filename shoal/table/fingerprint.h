// Rows that may be too many to keep, told apart by 128 bits.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "shoal/table/dictionary.h"

namespace shoal {

// A 64-bit hash of a text that has nothing in common with hash_text().
inline uint64_t other_hash_text(std::string_view text) {
  constexpr uint64_t kA = 0xA0761D6478BD642FULL, kB = 0xE7037ED1A0B428DBULL;
  __extension__ using Product = unsigned __int128;
  uint64_t hash = ~text.size() * kB;
  const auto take = [&hash](uint64_t word) {
    const Product product = static_cast<Product>(std::rotl(hash, 23) + word) * kA;
    hash = (static_cast<uint64_t>(product) + static_cast<uint64_t>(product >> 64)) ^ kB;
  };
  const char* at = text.data();
  size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    take(word);
  }
  take(short_word(at, left) + (uint64_t{left} << 57));
  return hash ^ (hash >> 32);
}

// Stands for the cells added to it, in their order. Rows of different cells share one with a probability of 2^-128 each
// pair: 2 in 10^25 for any two of ten million rows. (Not by chance: whoever writes cells of a table can find two that
// do.)
struct Fingerprint {
  uint64_t first = 0;
  uint64_t second = 0;

  static uint64_t first_with(uint64_t first, std::string_view cell) {
    first = (first ^ hash_text(cell)) * 0x9E3779B97F4A7C15ULL;
    return first ^ (first >> 31);
  }
  void add(std::string_view cell) {
    first = first_with(first, cell);
    second = (std::rotl(second, 17) + other_hash_text(cell)) * 0xD6E8FEB86659FD93ULL;
    second ^= second >> 29;
  }
  bool operator==(const Fingerprint&) const = default;
};

// Makes the first halves of fingerprints tell rows apart as well as both halves do: rows with the same first and
// another second one get first halves of their own. Depends on which fingerprints there are, not on their order. Cost:
// linear.
void tell_apart(std::span<uint64_t> first, std::span<const uint64_t> second);

}  // namespace shoal
