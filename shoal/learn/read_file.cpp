#include "shoal/learn/read_file.h"

#include <numeric>

namespace shoal {

std::vector<TextColumn> read_text_columns(const Source& source, const std::vector<size_t>& columns, DuckDb& duck,
                                          Progress& progress) {
  RawTable table = read_columns(source, columns, {}, duck, progress);
  std::vector<TextColumn> texts;
  for (RawColumn& column : table.columns) {
    texts.push_back({std::move(column.name), std::move(column.codes), std::move(column.texts)});
  }
  return texts;
}

std::vector<TextColumn> read_text_columns(const std::string& path, Progress& progress) {
  DuckDb duck(1, std::nullopt);
  const Source source(path, "", duck, progress);
  std::vector<size_t> all(source.columns().size());
  std::iota(all.begin(), all.end(), size_t{0});
  return read_text_columns(source, all, duck, progress);
}

}  // namespace shoal
