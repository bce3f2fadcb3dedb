// DuckDB inside this process: it moves the bytes. Thin, owned handles around its C API.
#pragma once

#include <duckdb.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/read/temporary_file.h"
#include "shoal/run/progress.h"
#include "shoal/table/text_stream.h"

namespace shoal {

// What DuckDB said. Callers turn it into an Error that names the file (see input_error in source.h).
class DuckError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string sql_name(std::string_view name);     // "na""me"
std::string sql_literal(std::string_view text);  // 'te''xt'

class DuckDb {
 public:
  // An empty in-memory database that reads and writes files, never the network. What does not fit into the memory limit
  // goes to a private folder beside the file `spill_beside`, or where that cannot be (as for "" and "-") to one in the
  // system's folder for such; it is gone afterwards. Where there can be none, all must fit.
  DuckDb(int threads, std::optional<uint64_t> memory_limit, const std::string& spill_beside = "");
  DuckDb(const DuckDb&) = delete;
  DuckDb& operator=(const DuckDb&) = delete;
  ~DuckDb();

  // Runs a statement to its end; small results come back as text (NULL as ""). Throws DuckError, or Error(job) when the
  // memory limit is too low for it; stops within
  // milliseconds, with Error(cancelled), when progress says so.
  std::vector<std::vector<std::string>> query(const std::string& sql, const Progress& progress);
  // The rows of a query in order, about 2,000 at a time; all its columns must be VARCHAR. The stream throws DuckError.
  // Several may be open at once, each on a connection of its own.
  std::unique_ptr<TextStream> stream(const std::string& sql, const Progress& progress);

  // From now on, for all connections.
  void limit_memory(uint64_t bytes);

  duckdb_connection connection() const { return connection_; }

 private:
  std::optional<PrivateFolder> spill_folder_;
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  std::vector<duckdb_connection> stream_connections_;
};

}  // namespace shoal
