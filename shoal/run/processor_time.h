// Processor time of this process: what a busy machine does not change.
#pragma once

#include <ctime>

namespace shoal {

// Seconds of all threads since the process began; only differences mean something. Time of other work that the process
// does at the same time is in it.
inline double processor_seconds() {
  timespec time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace shoal
