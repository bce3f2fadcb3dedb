// The query error of a release: draws a workload, asks original and release, compares.
#pragma once

#include "shoal/encode/encoding.h"
#include "shoal/examine/examine.h"
#include "shoal/read/duck.h"
#include "shoal/read/source.h"
#include "shoal/recode/recoding.h"

namespace shoal {

// Throws Error(job) when the workload makes no sense for these columns: unknown or repeated ones, no queries, a sum
// over a column that is not numeric or not quasi, no column left for the conditions.
void check_workload(const QueryWorkload& workload, const EncodedTable& original);

// Requires a workload that check_workload accepts. The same numbers for the same seed, whatever the number of threads.
QueryErrors query_errors(const QueryWorkload& workload, const Job& job, const Source& source,
                         const EncodedTable& original, const ReleasedTable& released, DuckDb& duck, Progress& progress);

}  // namespace shoal
