// What the engine advises, in the words of the command line.
#pragma once

#include <string>

#include "shoal/shoal.h"

namespace shoal::cli {

// How to follow the error's advice here, as in " (--k 5; in a job file `k: 5`)"; "" when it has none.
std::string how_to_say(const Error& error);

}  // namespace shoal::cli
