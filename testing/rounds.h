// How many random tables a test tries.
#pragma once

#include <cstdlib>

namespace shoal::testing {

// `usual`, and twenty times as many with SHOAL_LONG set.
inline int rounds(int usual) { return std::getenv("SHOAL_LONG") ? usual * 20 : usual; }

}  // namespace shoal::testing
