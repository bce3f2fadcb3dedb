// Where the source folder, the program under test and a library that makes its calls fail are; the build tells
// places.cpp alone.
#pragma once

namespace shoal::testing {

extern const char* const kSourceFolder;
extern const char* const kProgram;
extern const char* const kFailCalls;  // the library made from fail_calls.cpp

}  // namespace shoal::testing
