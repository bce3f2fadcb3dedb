// Looks at the pairs of rows that whoever made the release says it consists of.
#pragma once

#include <span>

#include "shoal/verify/mean_check.h"
#include "shoal/verify/pairing.h"

namespace shoal {

// Released row i must stand for original row row_of_release[i], in any order, and no two for the same one. Some columns
// at a time are held in memory: as many as stay below 256 MB, at least one; of columns that are released as they are no
// texts are held, for their cells are compared by two hashes of all of them (128 bits, 16 bytes a row), and looked at
// themselves only where these differ. `means` (may be nullptr) gets every pair, the cells of the columns `alike`
// (numbers into tables.columns).
Pairing pair_by_witness(const ComparedTables& tables, std::span<const uint32_t> row_of_release, MeanCheck* means,
                        const std::vector<size_t>& alike);

}  // namespace shoal
