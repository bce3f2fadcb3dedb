#include "shoal/read/rows.h"

#include <fmt/format.h>

namespace shoal {

std::unique_ptr<TextStream> rows_of(const Source& source, std::span<const size_t> columns, Reader reader, DuckDb& duck,
                                    const Progress& progress) {
  if (reader == Reader::own && source.format() == FileFormat::csv && source.kind().compression.empty() &&
      CsvStream::knows(source.delimiter()[0])) {
    return std::make_unique<CsvStream>(source.path(), CsvShape{source.delimiter()[0], source.columns().size()}, columns,
                                       progress);
  }
  std::string list;
  for (size_t column : columns) list += (list.empty() ? "" : ", ") + source.text(column);
  if (list.empty()) list = "''";  // rows are still counted
  return duck.stream(fmt::format("SELECT {} FROM {}", list, source.relation()), progress);
}

}  // namespace shoal
