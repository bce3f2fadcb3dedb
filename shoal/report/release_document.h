// What `anonymize` did, as a document.
#pragma once

#include "shoal/report/document.h"
#include "shoal/report/report.h"

namespace shoal {

// All fields of the interface are there whatever happened: numbers that do not apply (a run that released nothing has
// no measures, a table without target no CM) are null, and so are empty texts.
Document release_document(const Report& report);

// The checks of a verification under `verification`, or, with an empty path, at the top. The
// culprit of a failed check is data.
std::vector<Block> verification_blocks(const Verification& verification, const std::string& path, Readers readers);

}  // namespace shoal
