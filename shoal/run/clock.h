// Time that passes, as timings and deadlines count it.
#pragma once

#include <chrono>

namespace shoal {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}
inline double seconds_since(Clock::time_point start) { return seconds_between(start, Clock::now()); }
inline Clock::time_point seconds_after(Clock::time_point start, double seconds) {
  return start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace shoal
