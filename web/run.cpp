#include "web/run.h"

#include <malloc.h>

namespace shoal::web {

void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace shoal::web
