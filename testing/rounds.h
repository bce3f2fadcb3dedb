// How many random tables a test tries.
#pragma once

#include <cstdlib>

namespace shoal::testing {

// `usual`, and five times as many with SHOAL_LONG set: what `make check-all` can still end.
inline int rounds(int usual) { return std::getenv("SHOAL_LONG") ? usual * 5 : usual; }

}  // namespace shoal::testing
