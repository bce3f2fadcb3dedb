#include "shoal/read/text_columns.h"

#include <numeric>

#include "shoal/encode/raw_table.h"
#include "shoal/read/input_file.h"

namespace shoal {

std::vector<TextColumn> read_text_columns(TableSource& source, const std::vector<size_t>& columns, Progress& progress) {
  RawTable table = read_columns(source, columns, {}, progress);
  std::vector<TextColumn> texts;
  for (RawColumn& column : table.columns) {
    texts.push_back({std::move(column.name), std::move(column.codes), std::move(column.texts)});
  }
  return texts;
}

std::vector<TextColumn> read_text_columns(const std::string& path, Progress& progress) {
  FileJob one_thread;
  one_thread.threads = 1;
  InputFile input(path, one_thread, progress);
  std::vector<size_t> all(input.table.columns().size());
  std::iota(all.begin(), all.end(), size_t{0});
  return read_text_columns(input.table, all, progress);
}

}  // namespace shoal
