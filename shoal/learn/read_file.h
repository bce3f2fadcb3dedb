// Files to texts, through the same reader as everything else.
#pragma once

#include <string>
#include <vector>

#include "shoal/learn/dataset.h"
#include "shoal/progress.h"
#include "shoal/read/read_table.h"

namespace shoal {

// All columns of a CSV, TSV, JSON or Parquet file, in file order. Throws Error(input) as the reader does.
std::vector<TextColumn> read_text_columns(const std::string& path, Progress& progress);

// The same with a source that is open already, some columns only (indices into source.columns()).
std::vector<TextColumn> read_text_columns(const Source& source, const std::vector<size_t>& columns, DuckDb& duck,
                                          Progress& progress);

}  // namespace shoal
