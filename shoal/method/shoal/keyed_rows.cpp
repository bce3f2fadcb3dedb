// Keys are numbers of some 30 to 60 bits. Sorting by the last byte, then by the one before and so on, each time keeping
// the order of equals, sorts by the whole key; and rows that came in ascending stay so where keys are equal.
#include "shoal/method/shoal/keyed_rows.h"

#include <algorithm>
#include <array>

namespace shoal {
namespace {

constexpr size_t kFewRows = 64;  // comparing them is faster than counting 256 bytes

size_t byte_of(uint64_t key, int shift) { return (key >> shift) & 0xFF; }

}  // namespace

void sort_keyed(std::span<KeyedRow> rows, KeyedRows& spare) {
  const auto by_row = [](const KeyedRow& a, const KeyedRow& b) { return a.second < b.second; };
  if (rows.size() < kFewRows || !std::is_sorted(rows.begin(), rows.end(), by_row)) {
    std::sort(rows.begin(), rows.end());
    return;
  }
  uint64_t used = 0;
  for (const KeyedRow& row : rows) used |= row.first;
  spare.resize(rows.size());
  KeyedRow *from = rows.data(), *to = spare.data();
  for (int shift = 0; shift < 64 && used >> shift != 0; shift += 8) {
    std::array<uint32_t, 256> place{};
    for (size_t i = 0; i < rows.size(); ++i) ++place[byte_of(from[i].first, shift)];
    uint32_t before = 0;
    for (uint32_t& count : place) before += std::exchange(count, before);
    for (size_t i = 0; i < rows.size(); ++i) to[place[byte_of(from[i].first, shift)]++] = from[i];
    std::swap(from, to);
  }
  if (from != rows.data()) std::copy_n(from, rows.size(), rows.data());
}

}  // namespace shoal
