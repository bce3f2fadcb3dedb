// Texts to small numbers, in order of first appearance. The inner loop of reading.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

// A 64-bit hash of a text; equal texts, equal hashes, on every machine.
inline uint64_t hash_text(std::string_view text) {
  constexpr uint64_t kA = 0x9E3779B97F4A7C15ULL, kB = 0xD6E8FEB86659FD93ULL;
  uint64_t hash = text.size() * kA;
  const char* at = text.data();
  size_t left = text.size();
  auto take = [&hash](uint64_t word) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(hash ^ word) * kB;
    hash = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64) ^ kA;
  };
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    take(word);
  }
  uint64_t word = 0;
  if (left > 0) std::memcpy(&word, at, left);
  take(word ^ (uint64_t{left} << 56));
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
      if (slots_[slot].tag == tag && texts_[slots_[slot].code] == text) return slots_[slot].code;
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
