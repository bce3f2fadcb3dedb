// Does every group of the release fit enough people of the population?
#pragma once

#include <vector>

#include "shoal/verify/verify.h"

namespace shoal {

// One check for each model of the population. What a released text covers is read as in the coverage check; the people
// in each released tuple's box are then counted by the engine, which joins the release with the population. Cost: about
// released tuples x the people that fit the column which tells most.
std::vector<VerificationCheck> check_population(const Promise& promise, const ReleaseToVerify& release,
                                                const Progress& progress);

}  // namespace shoal
