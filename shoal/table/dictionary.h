// Texts to small numbers, in order of first appearance. The inner loop of reading.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

// The first `size` <= 7 bytes as a number, as memcpy into a zero would give it, without the call.
inline uint64_t short_word(const char* at, size_t size) {
  if (size >= 4) {
    uint32_t first, last;  // they may overlap: the same bytes then, at the same places
    std::memcpy(&first, at, 4);
    std::memcpy(&last, at + size - 4, 4);
    return first | uint64_t{last} << 8 * (size - 4);
  }
  if (size == 0) return 0;
  auto byte = [at](size_t i) { return uint64_t{static_cast<unsigned char>(at[i])} << 8 * i; };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

// a == b, in line for the short texts that cells are.
inline bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  const size_t size = a.size();
  if (size < 8) return short_word(a.data(), size) == short_word(b.data(), size);
  auto word = [](const char* at) {
    uint64_t bytes;
    std::memcpy(&bytes, at, 8);
    return bytes;
  };
  for (size_t i = 0; i + 8 < size; i += 8) {
    if (word(a.data() + i) != word(b.data() + i)) return false;
  }
  return word(a.data() + size - 8) == word(b.data() + size - 8);
}

// A 64-bit hash of a text; equal texts, equal hashes, on every machine.
inline uint64_t hash_text(std::string_view text) {
  constexpr uint64_t kA = 0x9E3779B97F4A7C15ULL, kB = 0xD6E8FEB86659FD93ULL;
  uint64_t hash = text.size() * kA;
  const char* at = text.data();
  size_t left = text.size();
  auto take = [&hash](uint64_t word) {
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(hash ^ word) * kB;
    hash = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64) ^ kA;
  };
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    take(word);
  }
  take(short_word(at, left) ^ (uint64_t{left} << 56));
  return hash ^ (hash >> 29);
}

class Dictionary {
 public:
  Dictionary() : slots_(256), mask_(255) {}

  uint32_t code(std::string_view text) {
    const uint64_t hash = hash_text(text);
    const auto tag = static_cast<uint32_t>(hash >> 32);
    size_t slot = hash & mask_;
    while (slots_[slot].code != kFree) {
      if (slots_[slot].tag == tag && same_text(texts_[slots_[slot].code], text)) return slots_[slot].code;
      slot = (slot + 1) & mask_;
    }
    slots_[slot] = {tag, static_cast<uint32_t>(texts_.size())};
    texts_.emplace_back(text);
    if (texts_.size() * 2 > mask_) grow();
    return static_cast<uint32_t>(texts_.size() - 1);
  }
  const std::vector<std::string>& texts() const { return texts_; }
  size_t size() const { return texts_.size(); }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  struct Slot {
    uint32_t tag = 0;
    uint32_t code = kFree;
  };
  void grow() {
    slots_.assign(slots_.size() * 4, Slot{});
    mask_ = slots_.size() - 1;
    for (uint32_t code = 0; code < texts_.size(); ++code) {
      const uint64_t hash = hash_text(texts_[code]);
      size_t slot = hash & mask_;
      while (slots_[slot].code != kFree) slot = (slot + 1) & mask_;
      slots_[slot] = {static_cast<uint32_t>(hash >> 32), code};
    }
  }
  std::vector<std::string> texts_;
  std::vector<Slot> slots_;
  size_t mask_;
};

}  // namespace shoal
