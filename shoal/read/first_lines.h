// The first lines of a CSV file, before anything is known about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/read/duck.h"

namespace shoal {

// The first two lines (fewer when there are no more) of a file, plain or compressed. Throws DuckError.
std::vector<std::string> first_lines(const std::string& path, DuckDb& duck, const Progress& progress);

// The same for a plain file, without DuckDB, which reads some megabytes for it. Nothing when they are not two ordinary
// lines: filled, alike in their ends, UTF-8 without control bytes that the other way treats specially.
std::optional<std::vector<std::string>> ordinary_first_lines(const std::string& path);

}  // namespace shoal
