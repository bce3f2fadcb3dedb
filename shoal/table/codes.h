// One column's values as small whole numbers, in the narrowest of 8, 16 and 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shoal/run/variant.h"

namespace shoal {

class Codes {
 public:
  Codes() = default;
  // `size` zeros, able to hold values 0 .. cardinality-1.
  Codes(size_t size, size_t cardinality) {
    if (cardinality <= 256) {
      store_ = std::vector<uint8_t>(size);
    } else if (cardinality <= 65536) {
      store_ = std::vector<uint16_t>(size);
    } else {
      store_ = std::vector<uint32_t>(size);
    }
  }

  explicit Codes(std::vector<uint8_t> codes) : store_(std::move(codes)) {}
  explicit Codes(std::vector<uint16_t> codes) : store_(std::move(codes)) {}
  explicit Codes(std::vector<uint32_t> codes) : store_(std::move(codes)) {}

  // Calls f with a std::span of the concrete type: the way into inner loops.
  template <typename F>
  decltype(auto) visit(F&& f) const {
    return std::visit([&](const auto& codes) -> decltype(auto) { return f(std::span(codes)); }, store_);
  }
  template <typename F>
  decltype(auto) visit(F&& f) {
    return std::visit([&](auto& codes) -> decltype(auto) { return f(std::span(codes)); }, store_);
  }

  size_t size() const {
    return visit([](auto codes) { return codes.size(); });
  }
  uint32_t operator[](size_t row) const {
    return visit([row](auto codes) -> uint32_t { return codes[row]; });
  }
  void set(size_t row, uint32_t code) {
    visit([row, code](auto codes) { codes[row] = static_cast<typename decltype(codes)::value_type>(code); });
  }

 private:
  Variant<std::vector<uint8_t>, std::vector<uint16_t>, std::vector<uint32_t>> store_;
};

}  // namespace shoal
