// Where the source folder and the program under test are; the build tells places.cpp alone.
#pragma once

namespace shoal::testing {

extern const char* const kSourceFolder;
extern const char* const kProgram;

}  // namespace shoal::testing
