// Rows put into groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shoal {

// A partition of (some) rows: group g has rows[starts[g]] .. rows[starts[g+1]-1].
struct RowGroups {
  std::vector<uint32_t> rows;
  std::vector<uint32_t> starts{0};
  size_t size() const { return starts.size() - 1; }
  size_t rows_in(size_t group) const { return starts[group + 1] - starts[group]; }
  std::span<const uint32_t> group(size_t group) const { return {rows.data() + starts[group], rows_in(group)}; }
};

}  // namespace shoal
