#include "shoal/files/duck_table.h"

#include <fmt/format.h>

namespace shoal {
namespace {

struct Appender {
  duckdb_appender handle = nullptr;
  ~Appender() { duckdb_appender_destroy(&handle); }
};

}  // namespace

void create_duck_table(DuckDb& duck, const std::string& name, const std::vector<std::string>& columns, TextStream& rows,
                       const Progress& progress) {
  std::string list;
  for (const std::string& column : columns)
    list += fmt::format("{}{} VARCHAR", list.empty() ? "" : ", ", sql_name(column));
  duck.query(fmt::format("CREATE OR REPLACE TABLE {} ({})", sql_name(name), list), progress);
  Appender appender;
  duckdb_appender_create(duck.connection(), nullptr, name.c_str(), &appender.handle);
  while (rows.next()) {
    progress.check();
    for (size_t row = 0; row < rows.size(); ++row) {
      for (size_t j = 0; j < columns.size(); ++j) {
        const std::string_view cell = rows.cell(j, row);
        if (cell.data() == nullptr) {
          duckdb_append_null(appender.handle);
        } else {
          duckdb_append_varchar_length(appender.handle, cell.data(), cell.size());
        }
      }
      duckdb_appender_end_row(appender.handle);
    }
  }
  if (duckdb_appender_close(appender.handle) != DuckDBSuccess) throw DuckError(duckdb_appender_error(appender.handle));
}

}  // namespace shoal
