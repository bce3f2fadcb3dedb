// Small files as one text.
#pragma once

#include <string>

namespace shoal {

// Throws Error(input) when a file that could be opened cannot be read to its end: `what` as in "the job file". A file
// that is not there gives an empty text; whoever can say more about that has asked before.
std::string whole_file(const std::string& path, const std::string& what);

}  // namespace shoal
