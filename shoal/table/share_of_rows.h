// How many rows a share of them is: the same for those who drop rows and those who count what was dropped.
#pragma once

#include <cstdint>

namespace shoal {

// Rounded down; but 0.29 of 100 rows, which is a little less than 29 in binary, are 29.
inline uint64_t share_of_rows(double share, uint64_t rows) {
  return static_cast<uint64_t>(share * static_cast<double>(rows) + 1e-9);
}

}  // namespace shoal
