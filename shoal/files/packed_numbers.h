// Rows of numbers that sort as words do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace shoal {

// Small numbers of several columns side by side in words of 64 bits, the first column highest: sorting the words sorts
// by the first column, then the second, and so on.
class PackedNumbers {
 public:
  // `cardinalities`: how many different numbers each column has.
  explicit PackedNumbers(const std::vector<size_t>& cardinalities);
  size_t words() const { return words_; }
  void pack(const uint32_t* numbers, uint64_t* words) const;
  void unpack(const uint64_t* words, uint32_t* numbers) const;

 private:
  struct Place {
    size_t word;
    int shift;
    uint64_t mask;
  };
  std::vector<Place> places_;
  size_t words_ = 1;
};

}  // namespace shoal
