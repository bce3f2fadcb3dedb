// The first lines of a CSV file, before anything is known about it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/read/duck.h"
#include "shoal/read/text_blocks.h"

namespace shoal {

// The first two records (fewer when there are no more) of a file, plain or compressed ("gzip", "zstd"), without their
// line ends; a cell in quotes may span lines. `path`: as DuckDB can open it. Throws DuckError.
std::vector<std::string> first_records(const std::string& path, const std::string& compression, DuckDb& duck,
                                       const Progress& progress);

// The same for a plain file, without DuckDB, which reads some megabytes for it. Nothing when they are not two ordinary
// lines: filled, alike in their ends, with quotes in pairs, UTF-8 without control bytes that the other way treats
// specially.
std::optional<std::vector<std::string>> ordinary_first_lines(const std::string& path);

// Before anybody reads it: throw Error(input) with what to do.
void check_not_utf16(const PackedText& file, const Progress& progress);
void check_header_length(const PackedText& file, const Progress& progress);  // of a CSV file

}  // namespace shoal
