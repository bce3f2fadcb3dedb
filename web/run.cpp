#include "web/run.h"

#include <malloc.h>

#include <algorithm>
#include <thread>

namespace shoal::web {

void limit_memory_pools() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, static_cast<int>(std::max(2U, std::thread::hardware_concurrency())));
#endif
}

void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace shoal::web
