// How many random tables a test tries.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace shoal::testing {

// `usual` in the plain build and twenty times as many with SHOAL_LONG set. Under sanitizers a quarter: they look for
// mistakes that every table through the same lines shows, and are several times slower.
inline int rounds(int usual) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  usual = std::max(1, usual / 4);
#endif
  return std::getenv("SHOAL_LONG") ? usual * 20 : usual;
}

}  // namespace shoal::testing
