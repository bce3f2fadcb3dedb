// A table on disk (or standard input) as something SQL can read: format, delimiter and column names found out.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/error.h"
#include "shoal/read/descriptor.h"
#include "shoal/read/duck.h"
#include "shoal/read/temporary_file.h"
#include "shoal/read/text_blocks.h"
#include "shoal/read/text_reading.h"

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
  // Opens `path` ("-": standard input, copied to a temporary file first; any characters in its name) and finds
  // encoding, delimiter (unless given) and columns. A text table that is not UTF-8, begins with a line `sep=;` or has
  // numbers with decimal commas (in the columns that the reading names) is read from a private copy that is and has not
  // (plain_copy.h). Throws Error(input): missing, unreadable, empty file, header without rows is found later
  // by the reader; duplicate or empty column names.
  Source(const std::string& path, const TextReading& reading, DuckDb& duck, const Progress& progress);

  const std::string& name() const { return name_; }  // for messages
  const std::string& path() const { return path_; }  // the file as it was given, for hashing
  // The file to read: that one, or its copy.
  const std::string& plain_path() const { return plain_path_; }
  // What was found by looking and a careful user should know: "'x.csv' is not UTF-8; it was read as windows-1252".
  const std::vector<std::string>& notices() const { return notices_; }
  FileFormat format() const { return kind_.format; }
  const FileKind& kind() const { return kind_; }  // of the file to read
  const std::string& delimiter() const { return delimiter_; }
  const std::string& encoding() const { return encoding_; }  // "utf-8" where nobody looked
  const std::vector<std::string>& columns() const { return columns_; }
  std::optional<size_t> find(std::string_view column) const;

  // SQL: the whole table; use it in FROM. Rows come in file order.
  std::string relation() const;
  // SQL expression over relation(): the cell's text, exactly as in the file (Parquet: as DuckDB prints its type); NULL
  // for what is missing.
  std::string text(size_t column) const;
  // The same with Parquet's own type.
  std::string typed(size_t column) const;
  // The same as the text of a JSON value, `null` for what is missing: of JSON files exactly as it stands there.
  std::string json(size_t column) const;

  // Throws Error(input) when one of these columns cannot be read as cells: nested Parquet types. A column that nobody
  // asks for may be of any type.
  void check_readable(std::span<const size_t> columns) const;
  // The rows' columns (as for check_readable) in file order, read by DuckDB. The stream throws DuckError and
  // Error(input).
  std::unique_ptr<TextStream> rows(std::span<const size_t> columns, DuckDb& duck, const Progress& progress) const;

  // Where data row `row` (from 0) stands: "line 17", or "row 16" where lines cannot be known. Reads the file again.
  std::string place(uint64_t row) const;

  // DuckDB's words about this file as an Error(input) that says what, where and what to do.
  Error input_error(const DuckError& error) const;

 private:
  void find_csv_columns(DuckDb& duck, const Progress& progress);
  void find_json_columns(DuckDb& duck, const Progress& progress);
  void find_parquet_columns(DuckDb& duck, const Progress& progress);
  void check_columns() const;
  void copy_text(const TextReading& reading, const Progress& progress);
  void copy_numbers(const TextReading& reading, const Progress& progress);
  void open_for_sql();
  PackedText plain_text() const;              // the file to read
  void read_from(const TemporaryFile& copy);  // which is not compressed

  std::string name_, path_, plain_path_, delimiter_;
  std::vector<std::string> notices_;
  std::string encoding_ = "utf-8";
  uint64_t lines_before_header_ = 0;
  std::string sql_path_;  // under which DuckDB can open it: names may have characters that it takes for a pattern
  Descriptor opened_;     // keeps sql_path_ valid then
  FileKind kind_;
  std::vector<std::string> columns_;
  std::vector<std::string> sql_columns_;    // Parquet: DuckDB's names, which differ where names differ only by case
  std::vector<std::string> nested_types_;   // Parquet: of each column, "" where it has cells
  std::unique_ptr<TemporaryFile> spooled_;  // standard input's copy
  std::unique_ptr<TemporaryFile> text_copy_, number_copy_;
};

// Splits one CSV record; quotes as in RFC 4180.
std::vector<std::string> split_csv_line(std::string_view line, char delimiter);

}  // namespace shoal
