// Rows or groups with their places on a line.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace shoal {

using KeyedRow = std::pair<uint64_t, uint32_t>;
using KeyedRows = std::vector<KeyedRow>;

// Sorts by key, of equal keys by row. Rows that are ascending already, as they mostly are, are sorted byte by byte of
// the key, several times faster than by comparing. `spare`: memory, kept between calls. Cost: rows x bytes of the
// greatest key.
void sort_keyed(std::span<KeyedRow> rows, KeyedRows& spare);

}  // namespace shoal
