#include "shoal/write/write_release.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "shoal/read/descriptor.h"
#include "shoal/read/rows.h"
#include "shoal/recode/apply.h"
#include "shoal/write/csv_cell.h"
#include "shoal/write/lines_in_order.h"
#include "shoal/write/release_query.h"

namespace shoal {
namespace {

// One output column: either a quasi column (index into the table) or a column of the source.
struct OutputColumn {
  std::string name;
  std::optional<size_t> quasi;
  size_t source = 0;
};

std::vector<OutputColumn> output_columns(const std::vector<ColumnPlan>& plan) {
  std::vector<OutputColumn> columns;
  size_t quasi = 0;
  for (size_t j = 0; j < plan.size(); ++j) {
    if (!is_released(plan[j].role)) continue;
    OutputColumn column{plan[j].name, std::nullopt, j};
    if (plan[j].role == Role::quasi) column.quasi = quasi++;
    columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<std::string> released_texts(const ReleaseParts& parts, size_t quasi) {
  std::vector<std::string> texts;
  const ReleasedColumn& released = parts.released.quasi[quasi];
  for (const Released& value : released.values) {
    texts.push_back(released_text(value, parts.table.quasi[quasi], parts.hierarchies[quasi], released.means));
  }
  return texts;
}

// ---- text tables: cells are copied straight into a large buffer, or into lines that wait for their place ----

class FileWriter {
 public:
  FileWriter(const std::string& path, const Progress& progress)
      : file_(open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)), progress_(progress) {
    if (!file_.is_open()) fail(errno);
    buffer_.reserve(kFlushAt + (1 << 20));
  }
  std::string& buffer() { return buffer_; }
  void flush_if_large() {
    if (buffer_.size() >= kFlushAt) flush();
  }
  void finish() {
    flush();
    if (const int error_number = file_.close()) fail(error_number);
  }

 private:
  static constexpr size_t kFlushAt = 4 << 20;
  void flush() {
    write_fully(file_, buffer_, "the release", progress_);
    buffer_.clear();
  }
  [[noreturn]] static void fail(int error_number) {
    throw Error(ErrorKind::job, fmt::format("cannot write the release: {}", reason_of(error_number)));
  }
  Descriptor file_;
  const Progress& progress_;
  std::string buffer_;
};

// The release's lines: released texts for quasi columns, the stream's cells for the others.
class ReleaseLines {
 public:
  ReleaseLines(const ReleaseParts& parts, char delimiter)
      : parts_(parts), delimiter_(delimiter), columns_(output_columns(parts.columns)), printed_(columns_.size()) {
    for (size_t j = 0; j < columns_.size(); ++j) {
      stream_column_.push_back(streamed_.size());
      if (!columns_[j].quasi) {
        streamed_.push_back(columns_[j].source);
        continue;
      }
      for (const std::string& text : released_texts(parts, *columns_[j].quasi)) {
        append(printed_[j].emplace_back(), text);
      }
    }
  }

  // The columns of the source that append() needs in its stream.
  const std::vector<size_t>& streamed() const { return streamed_; }

  void append_header(std::string& out) const {
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (j) out += delimiter_;
      append_cell(out, columns_[j].name, delimiter_);
    }
    out += '\n';
  }

  // Row `row` of the table, which is row `at` of the stream's chunk. `codes`: where the table has none.
  void append(const TextStream& stream, size_t at, size_t row, const uint32_t* codes, std::string& out) const {
    const size_t line_start = out.size();
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (j) out += delimiter_;
      if (columns_[j].quasi) {
        const size_t quasi = *columns_[j].quasi;
        out += printed_[j][codes != nullptr ? codes[quasi] : parts_.released.quasi[quasi].codes[row]];
      } else {
        append(out, stream.cell(stream_column_[j], at));
      }
    }
    if (out.size() == line_start) out += "\"\"";  // one empty cell: an empty line would be lost
    out += '\n';
  }

 private:
  void append(std::string& out, std::string_view cell) const {
    if (parts_.escape_formulas) {
      append_escaped_cell(out, cell, delimiter_);
    } else {
      append_cell(out, cell, delimiter_);
    }
  }

  const ReleaseParts& parts_;
  const char delimiter_;
  const std::vector<OutputColumn> columns_;
  std::vector<size_t> stream_column_, streamed_;
  std::vector<std::vector<std::string>> printed_;  // quasi: each release, quoted as needed
};

// Of each input row in the release.
std::vector<uint32_t> release_positions(const ReleaseParts& parts) {
  uint32_t next = 0;
  if (parts.streamed != nullptr) return {};  // they come with the rows
  if (parts.row_order != nullptr) {
    std::vector<uint32_t> position(parts.table.rows, kDroppedRow);
    for (uint32_t row : *parts.row_order) position[row] = next++;
    return position;
  }
  std::vector<uint32_t> position(parts.table.rows, 0);
  for (uint32_t row : parts.released.dropped_rows) position[row] = kDroppedRow;
  for (uint32_t& place : position) place = place == kDroppedRow ? kDroppedRow : next++;
  return position;
}

void write_text(const ReleaseParts& parts, const std::string& path, char delimiter, DuckDb& duck, Progress& progress) {
  const ReleaseLines lines(parts, delimiter);
  const std::vector<uint32_t> position = release_positions(parts);
  const auto kept = static_cast<uint32_t>(
      parts.streamed != nullptr ? parts.streamed->kept() : parts.table.rows - parts.released.dropped_rows.size());
  const std::string folder = std::filesystem::path(path).parent_path().string();
  read_by_either([&](Reader reader) {
    FileWriter file(path, progress);
    lines.append_header(file.buffer());
    std::optional<LinesInOrder> waiting;
    if (parts.row_order != nullptr) waiting.emplace(kept, folder, progress);
    size_t row = 0;
    if (parts.streamed != nullptr) parts.streamed->begin();
    const auto stream = rows_of(parts.source, lines.streamed(), reader, duck, progress);
    while (stream->next() && row + stream->size() <= parts.table.rows) {
      for (size_t i = 0; i < stream->size(); ++i, ++row) {
        const uint32_t* const streamed = parts.streamed != nullptr ? parts.streamed->next() : nullptr;
        const uint32_t place = streamed != nullptr ? *streamed : position[row];
        if (place == kDroppedRow) continue;
        lines.append(*stream, i, row, streamed != nullptr ? streamed + 1 : nullptr,
                     waiting ? waiting->line(place) : file.buffer());
      }
      file.flush_if_large();
      progress.update(double(row) / double(parts.table.rows));
    }
    if (row != parts.table.rows || stream->size() > 0) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' changed while it was read; nothing was released", parts.source.name()));
    }
    if (waiting) {
      waiting->write([&](std::string_view line) {
        file.buffer().append(line);
        file.flush_if_large();
      });
    }
    file.finish();
  });
}

// ---- everything else: DuckDB writes; the released columns enter the query as a table function ----

struct ReleaseScan {
  const ReleaseParts* parts;
  std::vector<size_t> quasi;
  std::vector<std::vector<std::string>> texts;
  std::vector<uint32_t> position;  // see release_positions
  size_t rows = 0, next_row = 0;
};

void bind_release(duckdb_bind_info info) {
  auto* scan = static_cast<ReleaseScan*>(duckdb_bind_get_extra_info(info));
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  for (size_t j = 0; j < scan->quasi.size(); ++j) {
    duckdb_bind_add_result_column(info, fmt::format("q{}", scan->quasi[j]).c_str(), text);
  }
  duckdb_destroy_logical_type(&text);
  duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_UINTEGER);
  duckdb_bind_add_result_column(info, "position", number);
  duckdb_destroy_logical_type(&number);
  duckdb_bind_set_cardinality(info, scan->rows, true);
}

void init_release(duckdb_init_info info) {
  auto* scan = static_cast<ReleaseScan*>(duckdb_init_get_extra_info(info));
  scan->next_row = 0;
  try {
    if (scan->parts->streamed != nullptr) scan->parts->streamed->begin();
  } catch (const std::exception& error) {
    duckdb_init_set_error(info, error.what());
  }
  duckdb_init_set_max_threads(info, 1);
}

// Rows that come one after the other, each with its place.
void scan_streamed(ReleaseScan& scan, duckdb_data_chunk chunk, size_t count) {
  std::vector<duckdb_vector> vectors;
  for (size_t j = 0; j <= scan.quasi.size(); ++j) vectors.push_back(duckdb_data_chunk_get_vector(chunk, j));
  auto* positions = static_cast<uint32_t*>(duckdb_vector_get_data(vectors.back()));
  for (size_t i = 0; i < count; ++i) {
    const uint32_t* const row = scan.parts->streamed->next();
    positions[i] = row[0];
    for (size_t j = 0; j < scan.quasi.size(); ++j) {
      const std::string& text = scan.texts[j][row[1 + scan.quasi[j]]];
      duckdb_vector_assign_string_element_len(vectors[j], i, text.data(), text.size());
    }
  }
}

void scan_held(const ReleaseScan& scan, duckdb_data_chunk chunk, size_t count) {
  for (size_t j = 0; j < scan.quasi.size(); ++j) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, j);
    const Codes& codes = scan.parts->released.quasi[scan.quasi[j]].codes;
    for (size_t i = 0; i < count; ++i) {
      const std::string& text = scan.texts[j][codes[scan.next_row + i]];
      duckdb_vector_assign_string_element_len(vector, i, text.data(), text.size());
    }
  }
  auto* positions =
      static_cast<uint32_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, scan.quasi.size())));
  std::copy_n(scan.position.begin() + static_cast<ptrdiff_t>(scan.next_row), count, positions);
}

void scan_release(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto* scan = static_cast<ReleaseScan*>(duckdb_function_get_extra_info(info));
  const size_t count = std::min<size_t>(duckdb_vector_size(), scan->rows - scan->next_row);
  try {
    if (scan->parts->streamed != nullptr) {
      scan_streamed(*scan, chunk, count);
    } else {
      scan_held(*scan, chunk, count);
    }
  } catch (const std::exception& error) {
    duckdb_function_set_error(info, error.what());
    return;
  }
  scan->next_row += count;
  duckdb_data_chunk_set_size(chunk, count);
}

void register_scan(DuckDb& duck, ReleaseScan& scan) {
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, "shoal_release");
  duckdb_table_function_set_extra_info(function, &scan, nullptr);
  duckdb_table_function_set_bind(function, bind_release);
  duckdb_table_function_set_init(function, init_release);
  duckdb_table_function_set_function(function, scan_release);
  const auto state = duckdb_register_table_function(duck.connection(), function);
  duckdb_destroy_table_function(&function);
  if (state != DuckDBSuccess) throw DuckError("DuckDB did not take the released columns");
}

void write_with_duckdb(const ReleaseParts& parts, const std::string& path, const FileKind& kind,
                       const std::string& delimiter, DuckDb& duck, Progress& progress) {
  ReleaseScan scan{&parts, {}, {}, release_positions(parts), parts.table.rows, 0};
  std::vector<QueriedColumn> cells;
  for (const OutputColumn& column : output_columns(parts.columns)) {
    cells.push_back({column.name, column.quasi ? fmt::format("r.q{}", *column.quasi) : "", column.source});
    if (!column.quasi) continue;
    scan.quasi.push_back(*column.quasi);
    scan.texts.push_back(released_texts(parts, *column.quasi));
  }
  const bool escaped = parts.escape_formulas && kind.format == FileFormat::csv;
  const std::string list =
      escaped ? selected_escaped(cells, parts.source) : selected(cells, parts.source, kind.format, duck, progress);
  register_scan(duck, scan);
  duck.query(
      fmt::format("COPY (SELECT {} FROM {} o POSITIONAL JOIN shoal_release() r WHERE r.position <> {} {}) TO {} ({})",
                  list, parts.source.relation(), kDroppedRow, parts.row_order == nullptr ? "" : "ORDER BY r.position",
                  sql_literal(path), copy_options(cells, kind, delimiter)),
      progress);
}

}  // namespace

void write_release(const ReleaseParts& parts, const std::string& path, const FileKind& kind,
                   const std::string& asked_delimiter, DuckDb& duck, Progress& progress) {
  // A table of one column shows no delimiter, and readers then take it for one with commas: cells that have some must
  // be quoted.
  const bool shows_none = kind.delimiter.empty() && output_columns(parts.columns).size() == 1;
  const std::string delimiter = shows_none ? "," : asked_delimiter;
  try {
    if (kind.format == FileFormat::csv && kind.compression.empty()) {
      write_text(parts, path, delimiter[0], duck, progress);
    } else {
      write_with_duckdb(parts, path, kind, delimiter, duck, progress);
    }
  } catch (const DuckError& error) {
    throw Error(ErrorKind::job, fmt::format("cannot write the release: {}; nothing was released",
                                            reason_of(error.what(), path, "the release")));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::job) throw;
    throw Error(ErrorKind::job, fmt::format("{}; nothing was released", error.what()));
  }
}

}  // namespace shoal
