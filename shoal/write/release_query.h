// A release as a query, for the formats that DuckDB writes: what is selected, and how it is written.
//
// The names of columns never reach DuckDB's CSV and JSON writers, which know no difference between "a" and "A": the
// header of CSV is a text before the rows, and a row of JSON is made as one text, in which plain cells of a JSON input
// stand byte by byte.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shoal/read/source.h"

namespace shoal {

struct QueriedColumn {
  std::string name;
  std::string released;  // SQL of the released text of a quasi column; "": the source's cells
  size_t source = 0;     // column of the source
};

// What to select from the source's relation. A missing cell is NULL in Parquet, null in JSON. Columns of a JSON file
// become Parquet's numbers or truth values where every cell is one and reads back as the same text; else text.
std::string selected(std::span<const QueriedColumn> columns, const Source& source, FileFormat format, DuckDb& duck,
                     const Progress& progress);

// The same for CSV, with an apostrophe before what a spreadsheet would run (formula_cell.h).
std::string selected_escaped(std::span<const QueriedColumn> columns, const Source& source);

// What stands in brackets behind COPY ... TO.
std::string copy_options(std::span<const QueriedColumn> columns, const FileKind& kind, const std::string& delimiter);

// Throws Error(job) when a file of this format cannot have columns of these names: Parquet, and two that differ only by
// case. Better asked before the work.
void check_column_names(const std::vector<std::string>& names, FileFormat format);
// The same for names that a spreadsheet would run: they cannot be escaped, for columns are found by them.
void check_no_formula_names(const std::vector<std::string>& names, FileFormat format);

}  // namespace shoal
