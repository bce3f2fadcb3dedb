#include "shoal/recode/write_release.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "shoal/read/rows.h"
#include "shoal/recode/apply.h"

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
    if (plan[j].role == Role::identifier) continue;
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

// ---- text tables, rows in input order: cells are copied straight into a large buffer ----

class FileWriter {
 public:
  explicit FileWriter(const std::string& path) : descriptor_(open(path.c_str(), O_WRONLY | O_TRUNC)) {
    if (descriptor_ < 0) fail();
    buffer_.reserve(kFlushAt + (1 << 20));
  }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  std::string& buffer() { return buffer_; }
  void flush_if_large() {
    if (buffer_.size() >= kFlushAt) flush();
  }
  void finish() {
    flush();
    if (close(std::exchange(descriptor_, -1)) != 0) fail();
  }

 private:
  static constexpr size_t kFlushAt = 4 << 20;
  void flush() {
    for (size_t done = 0; done < buffer_.size();) {
      const ssize_t count = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail();
      done += static_cast<size_t>(count);
    }
    buffer_.clear();
  }
  [[noreturn]] static void fail() {
    throw Error(ErrorKind::job,
                fmt::format("cannot write the release: {}; nothing was released", std::strerror(errno)));
  }
  int descriptor_;
  std::string buffer_;
};

bool needs_quotes(std::string_view cell, char delimiter) {
  bool special = false;  // looked at in the end only: cells are short, and hardly any is
  for (char c : cell) special |= (c == delimiter) | (c == '"') | (c == '\n') | (c == '\r');
  if (special) return true;
  // A lone empty cell would read back as an empty line; blanks at the ends may be trimmed by other readers.
  return !cell.empty() && (cell.front() == ' ' || cell.back() == ' ');
}

void append_cell(std::string& out, std::string_view cell, char delimiter) {
  if (!needs_quotes(cell, delimiter)) {
    out.append(cell);
    return;
  }
  out += '"';
  for (char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

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
        append_cell(printed_[j].emplace_back(), text, delimiter);
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

  // Row `row` of the table, which is row `at` of the stream's chunk.
  void append(const TextStream& stream, size_t at, size_t row, std::string& out) const {
    const size_t line_start = out.size();
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (j) out += delimiter_;
      if (columns_[j].quasi) {
        out += printed_[j][parts_.released.quasi[*columns_[j].quasi].codes[row]];
      } else {
        append_cell(out, stream.cell(stream_column_[j], at), delimiter_);
      }
    }
    if (out.size() == line_start) out += "\"\"";  // one empty cell: an empty line would be lost
    out += '\n';
  }

 private:
  const ReleaseParts& parts_;
  const char delimiter_;
  const std::vector<OutputColumn> columns_;
  std::vector<size_t> stream_column_, streamed_;
  std::vector<std::vector<std::string>> printed_;  // quasi: each release, quoted as needed
};

void write_text_in_order(const ReleaseParts& parts, const std::string& path, char delimiter, DuckDb& duck,
                         Progress& progress) {
  const ReleaseLines lines(parts, delimiter);
  const auto& dropped = parts.released.dropped_rows;
  read_by_either([&](Reader reader) {
    FileWriter file(path);
    lines.append_header(file.buffer());
    size_t row = 0, next_dropped = 0;
    const auto stream = rows_of(parts.source, lines.streamed(), reader, duck, progress);
    while (stream->next() && row + stream->size() <= parts.table.rows) {
      for (size_t i = 0; i < stream->size(); ++i, ++row) {
        if (next_dropped < dropped.size() && dropped[next_dropped] == row) {
          ++next_dropped;
        } else {
          lines.append(*stream, i, row, file.buffer());
        }
      }
      file.flush_if_large();
      progress.update(double(row) / double(parts.table.rows));
    }
    if (row != parts.table.rows || stream->size() > 0) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' changed while it was read; nothing was released", parts.source.name()));
    }
    file.finish();
  });
}

// ---- everything else: DuckDB writes; the released columns enter the query as a table function ----

struct ReleaseScan {
  const ReleaseParts* parts;
  std::vector<size_t> quasi;
  std::vector<std::vector<std::string>> texts;
  std::vector<int64_t> position;  // of each input row in the release; -1: dropped
  size_t next_row = 0;
};

void bind_release(duckdb_bind_info info) {
  auto* scan = static_cast<ReleaseScan*>(duckdb_bind_get_extra_info(info));
  duckdb_logical_type text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
  for (size_t j = 0; j < scan->quasi.size(); ++j) {
    duckdb_bind_add_result_column(info, fmt::format("q{}", scan->quasi[j]).c_str(), text);
  }
  duckdb_destroy_logical_type(&text);
  duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
  duckdb_bind_add_result_column(info, "position", number);
  duckdb_destroy_logical_type(&number);
  duckdb_bind_set_cardinality(info, scan->position.size(), true);
}

void init_release(duckdb_init_info info) {
  static_cast<ReleaseScan*>(duckdb_init_get_extra_info(info))->next_row = 0;
  duckdb_init_set_max_threads(info, 1);
}

void scan_release(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto* scan = static_cast<ReleaseScan*>(duckdb_function_get_extra_info(info));
  const size_t count = std::min<size_t>(duckdb_vector_size(), scan->position.size() - scan->next_row);
  for (size_t j = 0; j < scan->quasi.size(); ++j) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, j);
    const Codes& codes = scan->parts->released.quasi[scan->quasi[j]].codes;
    for (size_t i = 0; i < count; ++i) {
      const std::string& text = scan->texts[j][codes[scan->next_row + i]];
      duckdb_vector_assign_string_element_len(vector, i, text.data(), text.size());
    }
  }
  auto* positions =
      static_cast<int64_t*>(duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, scan->quasi.size())));
  std::copy_n(scan->position.begin() + static_cast<ptrdiff_t>(scan->next_row), count, positions);
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

std::vector<int64_t> release_positions(const ReleaseParts& parts) {
  std::vector<int64_t> position(parts.table.rows, -1);
  int64_t next = 0;
  if (!parts.row_order.empty()) {
    for (uint32_t row : parts.row_order) position[row] = next++;
    return position;
  }
  size_t next_dropped = 0;
  const auto& dropped = parts.released.dropped_rows;
  for (size_t row = 0; row < parts.table.rows; ++row) {
    if (next_dropped < dropped.size() && dropped[next_dropped] == row) {
      ++next_dropped;
    } else {
      position[row] = next++;
    }
  }
  return position;
}

std::string copy_options(const FileKind& kind, const std::string& delimiter) {
  std::string options;
  switch (kind.format) {
    case FileFormat::csv:
      options = fmt::format("FORMAT csv, HEADER true, DELIMITER {}", sql_literal(delimiter));
      break;
    case FileFormat::json:
      options = "FORMAT json";
      break;
    case FileFormat::parquet:
      options = "FORMAT parquet";
      break;
  }
  options += ", USE_TMP_FILE false";  // the file is already a temporary one, and only we may leave or remove it
  if (!kind.compression.empty()) options += fmt::format(", COMPRESSION {}", kind.compression);
  return options;
}

void write_with_duckdb(const ReleaseParts& parts, const std::string& path, const FileKind& kind,
                       const std::string& delimiter, DuckDb& duck, Progress& progress) {
  ReleaseScan scan{&parts, {}, {}, release_positions(parts), 0};
  std::string list;
  for (const OutputColumn& column : output_columns(parts.columns)) {
    const std::string expression =
        column.quasi ? fmt::format("r.q{}", *column.quasi) : parts.source.typed(column.source);
    list += fmt::format("{}{} AS {}", list.empty() ? "" : ", ", expression, sql_name(column.name));
    if (!column.quasi) continue;
    scan.quasi.push_back(*column.quasi);
    scan.texts.push_back(released_texts(parts, *column.quasi));
  }
  register_scan(duck, scan);
  duck.query(
      fmt::format("COPY (SELECT {} FROM {} o POSITIONAL JOIN shoal_release() r WHERE r.position >= 0 {}) TO {} ({})",
                  list, parts.source.relation(), parts.row_order.empty() ? "" : "ORDER BY r.position",
                  sql_literal(path), copy_options(kind, delimiter)),
      progress);
}

}  // namespace

void write_release(const ReleaseParts& parts, const std::string& path, const FileKind& kind,
                   const std::string& delimiter, DuckDb& duck, Progress& progress) {
  try {
    if (kind.format == FileFormat::csv && kind.compression.empty() && parts.row_order.empty()) {
      write_text_in_order(parts, path, delimiter[0], duck, progress);
    } else {
      write_with_duckdb(parts, path, kind, delimiter, duck, progress);
    }
  } catch (const DuckError& error) {
    const std::string said = error.what();
    throw Error(ErrorKind::job,
                fmt::format("cannot write the release: {}; nothing was released", said.substr(0, said.find('\n'))));
  }
}

}  // namespace shoal
