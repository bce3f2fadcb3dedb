#include "shoal/read/rows.h"

namespace shoal {

std::unique_ptr<TextStream> rows_of(const Source& source, std::span<const size_t> columns, Reader reader, DuckDb& duck,
                                    const Progress& progress) {
  if (reader == Reader::own && source.format() == FileFormat::csv && source.kind().compression.empty() &&
      CsvStream::knows(source.delimiter()[0])) {
    return std::make_unique<CsvStream>(source.plain_path(), CsvShape{source.delimiter()[0], source.columns().size()},
                                       columns, progress);
  }
  return source.rows(columns, duck, progress);
}

}  // namespace shoal
