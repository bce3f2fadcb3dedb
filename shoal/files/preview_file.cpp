#include "shoal/files/preview_file.h"

#include <numeric>

#include "shoal/read/input_file.h"

namespace shoal {

TablePreview preview_file(const FileJob& job, size_t rows, const Progress& progress) {
  FileJob as_written = job;
  as_written.files.decimal.clear();  // with these numbers would come as they are computed with
  as_written.files.thousands.clear();
  InputFile input(job.files.input, as_written, progress);
  TablePreview preview;
  const bool text = input.source.format() == FileFormat::csv;
  preview.format = text ? "csv" : input.source.format() == FileFormat::json ? "json" : "parquet";
  preview.columns = input.source.columns();
  if (text) {
    preview.encoding = input.source.encoding();
    preview.delimiter = input.source.delimiter();
  }
  std::vector<size_t> all(preview.columns.size());
  std::iota(all.begin(), all.end(), size_t{0});
  input.table.read(all, progress, [&](TextStream& stream) {
    preview.rows.clear();  // the source may begin again
    while (preview.rows.size() < rows && stream.next()) {
      for (size_t row = 0; row < stream.size() && preview.rows.size() < rows; ++row) {
        std::vector<std::string>& cells = preview.rows.emplace_back();
        for (size_t column = 0; column < all.size(); ++column) cells.emplace_back(stream.cell(column, row));
      }
    }
  });
  return preview;
}

}  // namespace shoal
