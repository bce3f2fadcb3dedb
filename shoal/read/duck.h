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

#include "shoal/progress.h"

namespace shoal {

// What DuckDB said. Callers turn it into an Error that names the file (see input_error in source.h).
class DuckError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string sql_name(std::string_view name);     // "na""me"
std::string sql_literal(std::string_view text);  // 'te''xt'

// The rows of a query, a chunk of about 2,000 at a time, in order. All columns must be VARCHAR.
class TextStream {
 public:
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;
  ~TextStream();

  // Moves to the next chunk; false at the end. Throws DuckError.
  bool next();
  size_t size() const { return size_; }  // rows in this chunk
  // The cell's text, valid until next(); an empty view with data() == nullptr for NULL.
  std::string_view cell(size_t column, size_t row) const {
    const ColumnData& data = columns_[column];
    if (data.validity && !((data.validity[row / 64] >> (row % 64)) & 1)) return {};
    const duckdb_string_t& text = data.texts[row];
    if (text.value.inlined.length <= 12) return {text.value.inlined.inlined, text.value.inlined.length};
    return {text.value.pointer.ptr, text.value.pointer.length};
  }

 private:
  friend class DuckDb;
  TextStream() = default;
  struct ColumnData {
    const duckdb_string_t* texts;
    const uint64_t* validity;
  };
  const Progress* progress_ = nullptr;
  duckdb_result result_{};
  duckdb_data_chunk chunk_ = nullptr;
  size_t size_ = 0;
  std::vector<ColumnData> columns_;
};

class DuckDb {
 public:
  // An empty in-memory database that reads and writes files, never the network.
  DuckDb(int threads, std::optional<uint64_t> memory_limit);
  DuckDb(const DuckDb&) = delete;
  DuckDb& operator=(const DuckDb&) = delete;
  ~DuckDb();

  // Runs a statement to its end; small results come back as text (NULL as ""). Throws DuckError; stops within
  // milliseconds, with Error(cancelled), when progress says so.
  std::vector<std::vector<std::string>> query(const std::string& sql, const Progress& progress);
  // The rows of a query in order. Several streams may be open at once, each on a connection of its own.
  std::unique_ptr<TextStream> stream(const std::string& sql, const Progress& progress);

  duckdb_connection connection() const { return connection_; }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
  std::vector<duckdb_connection> stream_connections_;
};

}  // namespace shoal
