// Files to texts, through the same reader as everything else.
#pragma once

#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/learn/dataset.h"
#include "shoal/run/progress.h"

namespace shoal {

// All columns of a CSV, TSV, JSON or Parquet file, in file order. Throws Error(input) as the reader does.
std::vector<TextColumn> read_text_columns(const std::string& path, Progress& progress);

// The same with a source that is open already, some columns only (indices into source.columns()).
std::vector<TextColumn> read_text_columns(TableSource& source, const std::vector<size_t>& columns, Progress& progress);

}  // namespace shoal
