// Releases in memory, verified by the DuckDB of this library.
#pragma once

#include "shoal/release/anonymize.h"

namespace shoal {

// anonymize() with DuckDB as the second engine, and hierarchy files of the job read.
Release anonymize(const Job& job, TableSource& source, Progress& progress, const TablesBeside& beside = {});

}  // namespace shoal
