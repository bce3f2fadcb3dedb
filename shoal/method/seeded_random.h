// Random numbers for searches that start many streams, one for each part of the work.
#pragma once

#include <cstdint>

namespace shoal {

// The same numbers for the same seed on every machine (splitmix64); small enough to start one for every part.
class SeededRandom {
 public:
  explicit SeededRandom(uint64_t seed) : state_(seed) {}
  uint64_t operator()() {
    uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  // 0 .. bound-1. Requires bound > 0. The bias is below bound / 2^64.
  uint64_t below(uint64_t bound) { return (*this)() % bound; }  // NOLINT(clang-analyzer-core.DivideZero)
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace shoal
