// A table on disk (or standard input) as something SQL can read: format, delimiter and column names found out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/error.h"
#include "shoal/read/duck.h"
#include "shoal/read/temporary_file.h"

namespace shoal {

enum class FileFormat { csv, json, parquet };

// What a path's extensions say: .csv .tsv .txt .json .jsonl .ndjson .parquet, the text ones also with .gz or .zst.
struct FileKind {
  FileFormat format = FileFormat::csv;
  std::string compression;  // "", "gzip", "zstd"
  std::string delimiter;    // "\t" for .tsv, else ""
};
// Throws Error(job) on an extension we do not know.
FileKind file_kind(const std::string& path);

class Source {
 public:
  // Opens `path` ("-": standard input, copied to a temporary file first) and finds delimiter (unless given) and
  // columns. Throws Error(input): missing, unreadable, empty file, header without rows is found later by the reader;
  // duplicate or empty column names.
  Source(const std::string& path, const std::string& delimiter, DuckDb& duck, const Progress& progress);

  const std::string& name() const { return name_; }  // for messages
  const std::string& path() const { return path_; }  // the file to read, for hashing
  FileFormat format() const { return kind_.format; }
  const FileKind& kind() const { return kind_; }
  const std::string& delimiter() const { return delimiter_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::optional<size_t> find(std::string_view column) const;

  // SQL: the whole table; use it in FROM. Rows come in file order.
  std::string relation() const;
  // SQL expression over relation(): the cell's text (CSV: exactly as in the file).
  std::string text(size_t column) const;
  // The same with the file's own type (JSON numbers stay numbers, Parquet types stay).
  std::string typed(size_t column) const;

  // Where data row `row` (from 0) stands: "line 17", or "row 16" where lines cannot be known. Reads the file again.
  std::string place(uint64_t row) const;

  // DuckDB's words about this file as an Error(input) that says what, where and what to do.
  Error input_error(const DuckError& error) const;

 private:
  void find_csv_columns(DuckDb& duck, const Progress& progress);
  void check_columns() const;

  std::string name_, path_, delimiter_;
  FileKind kind_;
  std::vector<std::string> columns_;
  std::unique_ptr<TemporaryFile> spooled_;  // standard input's copy
};

// Splits one CSV record; quotes as in RFC 4180.
std::vector<std::string> split_csv_line(std::string_view line, char delimiter);

}  // namespace shoal
