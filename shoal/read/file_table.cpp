#include "shoal/read/file_table.h"

#include <numeric>
#include <string_view>
#include <vector>

#include "shoal/read/rows.h"

namespace shoal {
namespace {

// DuckDB 1.4 fails while it puts an error of some columns of a CSV file into words. Asked for all columns it finds
// them.
DuckError in_words(const DuckError& error, const Source& source, const Progress& progress) {
  if (std::string_view(error.what()).find("INTERNAL Error") == std::string_view::npos) return error;
  std::vector<size_t> all(source.columns().size());
  std::iota(all.begin(), all.end(), size_t{0});
  try {
    DuckDb fresh(1, std::nullopt);  // the other one is of no use after such an error
    const auto rows = source.rows(all, fresh, progress);
    while (rows->next()) progress.check();
  } catch (const DuckError& better) {
    return better;
  }
  return error;
}

}  // namespace

void FileTable::read(std::span<const size_t> columns, const Progress& progress, const Body& body) {
  try {
    if (!irregular_) {
      try {
        return body(*rows_of(source_, columns, Reader::own, duck_, progress));
      } catch (const IrregularCsv&) {
        irregular_ = true;
      }
    }
    body(*rows_of(source_, columns, Reader::duckdb, duck_, progress));
  } catch (const DuckError& error) {
    throw source_.input_error(in_words(error, source_, progress));
  }
}

}  // namespace shoal
