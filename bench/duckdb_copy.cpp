// What moving the bytes costs by itself: DuckDB alone copies a CSV file to a CSV file, as text; or to a Parquet file,
// where the output's name says so.
//   duckdb_copy INPUT.csv OUTPUT.csv|OUTPUT.parquet THREADS
#include <duckdb.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  duckdb_database database;
  duckdb_connection connection;
  if (duckdb_open(nullptr, &database) != DuckDBSuccess || duckdb_connect(database, &connection) != DuckDBSuccess)
    return 1;
  const std::string threads = std::string("SET threads=") + argv[3];
  const bool parquet = std::string(argv[2]).ends_with(".parquet");
  const std::string copy = std::string("COPY (SELECT * FROM read_csv('") + argv[1] +
                           "', header=true, all_varchar=true)) TO '" + argv[2] +
                           (parquet ? "' (FORMAT parquet)" : "' (FORMAT csv, HEADER true)");
  duckdb_result result;
  for (const std::string& sql : {threads, copy}) {
    if (duckdb_query(connection, sql.c_str(), &result) != DuckDBSuccess) {
      std::fprintf(stderr, "%s\n", duckdb_result_error(&result));
      return 1;
    }
    duckdb_destroy_result(&result);
  }
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return 0;
}
