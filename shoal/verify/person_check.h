// Does every group of the release have enough different persons?
#pragma once

#include <vector>

#include "shoal/verify/verify.h"

namespace shoal {

// The release does not say who its rows are about: the persons of the original rows are put beside the released rows,
// `row_of_release` saying which (empty: row by row, all of them in order), and the engine counts. One check for each
// requirement that has persons.
std::vector<VerificationCheck> check_persons(const Promise& promise, const ReleaseToVerify& release,
                                             TableSource& original, const std::vector<uint32_t>* row_of_release,
                                             const Progress& progress);
// Who each row of the original is about, as numbers. Requires the person column in it.
std::vector<uint32_t> persons_of(const Promise& promise, TableSource& original, const Progress& progress);
// The same checks where nobody can say who a released row is about.
std::vector<VerificationCheck> persons_not_checked(const Promise& promise, const std::string& why);

}  // namespace shoal
