#include "shoal/read/duck.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>

namespace shoal {
namespace {

// DuckDB's library is not built with the thread sanitizer, which takes what its threads do to each other's memory for
// races. A build with that sanitizer starts none of them: each instance works in the thread that asks.
#ifdef __SANITIZE_THREAD__
constexpr bool kThreadsOfItsOwn = false;
#else
constexpr bool kThreadsOfItsOwn = true;
#endif

constexpr const char* kNotStarted = "DuckDB did not start";

std::string quoted(std::string_view text, char quote) {
  std::string result(1, quote);
  for (char c : text) {
    if (c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

// Throws what DuckDB said; when it was short of memory that is a matter of the limit, not of the file.
[[noreturn]] void fail(const std::string& said) {
  if (said.starts_with("Out of Memory Error")) {
    throw Error(
        ErrorKind::job,
        fmt::format("DuckDB needs more memory to read, write and verify than it may have ({}); raise the memory "
                    "limit, if there is one, or use fewer threads",
                    said.substr(0, said.find('\n'))));
  }
  throw DuckError(said);
}

// Prepares and runs `sql`, polling for cancellation between DuckDB's tasks.
duckdb_result execute(duckdb_connection connection, const std::string& sql, bool streaming, const Progress& progress) {
  duckdb_prepared_statement statement = nullptr;
  if (duckdb_prepare(connection, sql.c_str(), &statement) != DuckDBSuccess) {
    const char* said = duckdb_prepare_error(statement);
    const std::string words = said ? said : "DuckDB could not prepare a statement";
    duckdb_destroy_prepare(&statement);
    fail(words);
  }
  duckdb_pending_result pending = nullptr;
  const auto state =
      streaming ? duckdb_pending_prepared_streaming(statement, &pending) : duckdb_pending_prepared(statement, &pending);
  duckdb_result result{};
  bool ok = state == DuckDBSuccess;
  std::string message;
  if (!ok) {
    message = duckdb_pending_error(pending) ? duckdb_pending_error(pending) : "DuckDB could not start a statement";
  } else {
    duckdb_pending_state step = DUCKDB_PENDING_RESULT_NOT_READY;
    while (!streaming && !duckdb_pending_execution_is_finished(step) && !progress.cancelled()) {
      step = duckdb_pending_execute_task(pending);
    }
    if (progress.cancelled()) duckdb_interrupt(connection);
    ok = step != DUCKDB_PENDING_ERROR && duckdb_execute_pending(pending, &result) == DuckDBSuccess;
    if (step == DUCKDB_PENDING_ERROR) {
      message = duckdb_pending_error(pending) ? duckdb_pending_error(pending) : "DuckDB failed without saying why";
    } else if (!ok) {
      const char* said = duckdb_result_error(&result);
      if (!said) said = duckdb_pending_error(pending);
      message = said ? said : "DuckDB failed without saying why";
      duckdb_destroy_result(&result);
    }
  }
  duckdb_destroy_pending(&pending);
  duckdb_destroy_prepare(&statement);
  progress.check();
  if (!ok) fail(message);
  return result;
}

class DuckStream : public TextStream {
 public:
  DuckStream(duckdb_result result, const Progress& progress) : progress_(progress), result_(result) {}
  ~DuckStream() override {
    if (chunk_) duckdb_destroy_data_chunk(&chunk_);
    duckdb_destroy_result(&result_);
  }

  bool next() override {
    progress_.check();
    if (chunk_) duckdb_destroy_data_chunk(&chunk_);
    size_ = 0;
    chunk_ = duckdb_fetch_chunk(result_);
    if (!chunk_) {
      const char* said = duckdb_result_error(&result_);
      if (said && *said) fail(said);
      return false;
    }
    size_ = duckdb_data_chunk_get_size(chunk_);
    const size_t columns = duckdb_data_chunk_get_column_count(chunk_);
    views_.resize(columns * size_);
    cells_.resize(columns);
    for (size_t j = 0; j < columns; ++j) {
      view_column(duckdb_data_chunk_get_vector(chunk_, j), views_.data() + j * size_);
      cells_[j] = views_.data() + j * size_;
    }
    return size_ > 0;
  }

 private:
  void view_column(duckdb_vector vector, std::string_view* views) const {
    const auto* texts = static_cast<const duckdb_string_t*>(duckdb_vector_get_data(vector));
    const uint64_t* validity = duckdb_vector_get_validity(vector);
    for (size_t row = 0; row < size_; ++row) {
      const auto& text = texts[row].value;
      if (validity && !((validity[row / 64] >> (row % 64)) & 1)) {
        views[row] = {};
      } else if (text.inlined.length <= 12) {
        views[row] = {text.inlined.inlined, text.inlined.length};
      } else {
        views[row] = {text.pointer.ptr, text.pointer.length};
      }
    }
  }

  const Progress& progress_;
  duckdb_result result_;
  duckdb_data_chunk chunk_ = nullptr;
  std::vector<std::string_view> views_;
};

}  // namespace

std::string sql_name(std::string_view name) { return quoted(name, '"'); }
std::string sql_literal(std::string_view text) { return quoted(text, '\''); }

DuckDb::DuckDb(int threads, std::optional<uint64_t> memory_limit, const std::string& spill_beside) {
  const auto spill_in = [&](const std::string& folder) {
    if (is_plain_path(folder)) spill_folder_.emplace(folder);
    return spill_folder_ && spill_folder_->error_number() == 0;
  };
  const bool beside = !spill_beside.empty() && spill_beside != "-" &&
                      spill_in(std::filesystem::path(spill_beside).parent_path().string());
  const bool spills = beside || spill_in(system_temporary_folder());
  duckdb_config config = nullptr;
  duckdb_create_config(&config);
  duckdb_set_config(config, "threads", std::to_string(kThreadsOfItsOwn ? threads : 1).c_str());
  duckdb_set_config(config, "autoinstall_known_extensions", "false");
  duckdb_set_config(config, "autoload_known_extensions", "false");
  duckdb_set_config(config, "temp_directory", spills ? spill_folder_->path().c_str() : "");
  if (memory_limit) duckdb_set_config(config, "memory_limit", fmt::format("{}B", *memory_limit).c_str());
  char* said = nullptr;
  const auto state = duckdb_open_ext(nullptr, &database_, config, &said);
  duckdb_destroy_config(&config);
  if (state != DuckDBSuccess) {
    const std::string words = said ? said : kNotStarted;
    duckdb_free(said);
    fail(words);
  }
  if (duckdb_connect(database_, &connection_) != DuckDBSuccess) {
    duckdb_close(&database_);
    fail(kNotStarted);
  }
}

DuckDb::~DuckDb() {
  for (duckdb_connection& connection : stream_connections_) duckdb_disconnect(&connection);
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
}

std::vector<std::vector<std::string>> DuckDb::query(const std::string& sql, const Progress& progress) {
  duckdb_result result = execute(connection_, sql, false, progress);
  std::vector<std::vector<std::string>> rows(duckdb_row_count(&result));
  const size_t columns = duckdb_column_count(&result);
  for (size_t row = 0; row < rows.size(); ++row) {
    for (size_t column = 0; column < columns; ++column) {
      char* text = duckdb_value_varchar(&result, column, row);
      rows[row].emplace_back(text ? text : "");
      duckdb_free(text);
    }
  }
  duckdb_destroy_result(&result);
  return rows;
}

void DuckDb::limit_memory(uint64_t bytes) {
  duckdb_query(connection_, fmt::format("SET memory_limit='{}B'", bytes).c_str(), nullptr);
  // What it has given up is given back at once: its limit does not count what waits to be used again.
  for (const char* threshold : {"allocator_flush_threshold", "allocator_bulk_deallocation_flush_threshold"}) {
    duckdb_query(connection_, fmt::format("SET {}='1MB'", threshold).c_str(), nullptr);
  }
}

std::unique_ptr<TextStream> DuckDb::stream(const std::string& sql, const Progress& progress) {
  duckdb_connection connection = nullptr;
  duckdb_connect(database_, &connection);
  stream_connections_.push_back(connection);
  // Larger than the default of 1 MB: the readers then need not wait for the consumer at every chunk. A setting of the
  // connection, not of the database.
  duckdb_query(connection, "SET streaming_buffer_size='64MB'", nullptr);
  return std::make_unique<DuckStream>(execute(connection, sql, true, progress), progress);
}

}  // namespace shoal
