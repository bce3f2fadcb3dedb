#include "testing/places.h"

namespace shoal::testing {

const char* const kSourceFolder = SHOAL_SOURCE_DIR;
const char* const kProgram = SHOAL_PROGRAM;
const char* const kFailCalls = SHOAL_FAIL_CALLS;

}  // namespace shoal::testing
