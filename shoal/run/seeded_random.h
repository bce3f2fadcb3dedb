// Random numbers: the same for the same seed on every machine and with every compiler, unlike the distributions and the
// shuffle of the standard library. Every draw of the engine comes from here, and from the job's seed.
#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace shoal {

// For searches that start many streams, one for each part of the work: splitmix64, small enough for that.
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

// For one long stream: folds, queries, the order of a shuffled release, kaca, kactus, mingen. Another generator than
// the above only because what they drew before must be drawn again: the same job gives the same release.
class LongRandom {
 public:
  explicit LongRandom(uint64_t seed) : engine_(seed) {}
  uint64_t operator()() { return engine_(); }
  // 0 .. bound-1. Requires bound > 0. The bias is below bound / 2^64.
  uint64_t below(uint64_t bound) { return engine_() % bound; }
  // The same without any bias, by drawing again.
  uint64_t fairly_below(uint64_t bound) {
    constexpr uint64_t kMost = std::mt19937_64::max();
    const uint64_t usable = kMost - kMost % bound;
    uint64_t drawn = engine_();
    while (drawn >= usable) drawn = engine_();
    return drawn % bound;
  }

 private:
  std::mt19937_64 engine_;
};

// Every order as likely, up to the generator's bias.
template <typename Value, typename Random>
void shuffle(std::vector<Value>& values, Random& random) {
  for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

}  // namespace shoal
