// The rows of a source, by whoever reads them cheapest.
#pragma once

#include <memory>
#include <span>

#include "shoal/read/csv_stream.h"
#include "shoal/read/duck.h"
#include "shoal/read/source.h"
#include "shoal/table/text_stream.h"

namespace shoal {

enum class Reader { own, duckdb };

// The given columns (numbers into source.columns(), any order, also twice or none) of all rows, in file order.
// Reader::own parses plain CSV itself (CsvStream) and leaves other formats to DuckDB all the same; its stream may throw
// IrregularCsv. Both give the same cells.
std::unique_ptr<TextStream> rows_of(const Source& source, std::span<const size_t> columns, Reader reader, DuckDb& duck,
                                    const Progress& progress);

// body(Reader::own); if that meets a file of an irregular kind, body(Reader::duckdb), from the start: it accepts the
// file, or throws the DuckError that says what is wrong with it. `body` must not keep anything of its first attempt.
template <typename Body>
auto read_by_either(Body&& body) {
  try {
    return body(Reader::own);
  } catch (const IrregularCsv&) {
  }
  return body(Reader::duckdb);
}

}  // namespace shoal
