#include "shoal/read/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <span>

#include "shoal/job/job.h"
#include "shoal/read/first_lines.h"
#include "shoal/read/json_rows.h"
#include "shoal/read/plain_copy.h"

namespace shoal {
namespace {

namespace fs = std::filesystem;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && std::equal(end.rbegin(), end.rend(), text.rbegin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

// Standard input has no name to tell its kind, so its first bytes do.
std::string suffix_by_content(std::string_view start) {
  if (start.starts_with("PAR1")) return ".parquet";
  if (start.starts_with("\x1f\x8b")) return ".csv.gz";
  if (start.starts_with("\x28\xb5\x2f\xfd")) return ".csv.zst";
  if (start.starts_with("{") || start.starts_with("[{")) return ".jsonl";
  return ".csv";
}

// The next bytes; 0 at the end. A signal ends the wait for them.
size_t read_some(const Descriptor& from, std::span<char> buffer, const std::string& name, const Progress& progress) {
  for (;;) {
    progress.check();
    const ssize_t count = ::read(from.number(), buffer.data(), buffer.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) {
      throw Error(ErrorKind::input, fmt::format("cannot read {}: {}", name, std::strerror(errno)));
    }
  }
}

Descriptor open_to_spool(const std::string& path, const std::string& name, const Progress& progress) {
  for (;;) {
    Descriptor from(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
                                : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (from.is_open()) return from;
    if (errno != EINTR) throw Error(ErrorKind::input, fmt::format("cannot read {}: {}", name, std::strerror(errno)));
    progress.check();
  }
}

// What can be read only once (standard input, a pipe, a device), as a private file: tables are read several times.
std::unique_ptr<TemporaryFile> spool(const std::string& path, const std::string& name, const Progress& progress) {
  const Descriptor from = open_to_spool(path, name, progress);
  std::vector<char> buffer(1 << 16);
  size_t count = 0;
  while (count < 4) {  // a pipe may give byte by byte, and four tell the format
    const size_t more = read_some(from, std::span(buffer).subspan(count), name, progress);
    if (more == 0) break;
    count += more;
  }
  const std::string_view start(buffer.data(), count);
  const std::string endings = endings_of(path);
  auto copy = std::make_unique<TemporaryFile>(endings.empty() ? suffix_by_content(start) : endings);
  const std::string place = fmt::format("{} to a temporary file", name);
  for (; count > 0; count = read_some(from, buffer, name, progress)) {
    write_fully(copy->descriptor(), std::string_view(buffer.data(), count), place, progress);
  }
  return copy;
}

// A JSON file by its name: one row a line, or all in one list.
bool has_json_lines(std::string path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (ends_with(path, packed)) path.resize(path.size() - packed.size());
  }
  return ends_with(path, "l") || ends_with(path, ".ndjson");
}

size_t count_outside_quotes(std::string_view line, char wanted) {
  size_t count = 0;
  bool quoted = false;
  for (char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == wanted && !quoted) ++count;
  }
  return count;
}

// The delimiter that cuts the header most often, and the first data line as often; the header alone decides otherwise.
std::string guess_delimiter(const std::vector<std::string>& lines) {
  constexpr std::string_view candidates = ",;\t|";
  char best = ',';
  size_t best_count = 0;
  bool best_agrees = false;
  for (char candidate : candidates) {
    const size_t count = count_outside_quotes(lines[0], candidate);
    const bool agrees = lines.size() > 1 && count_outside_quotes(lines[1], candidate) == count;
    if (count == 0 || std::pair(best_agrees, best_count) >= std::pair(agrees, count)) continue;
    best = candidate;
    best_count = count;
    best_agrees = agrees;
  }
  return std::string(1, best);
}

}  // namespace

FileKind file_kind(const std::string& path) {
  FileKind kind;
  std::string rest = path;
  if (ends_with(rest, ".gz")) {
    kind.compression = "gzip";
    rest.resize(rest.size() - 3);
  } else if (ends_with(rest, ".zst")) {
    kind.compression = "zstd";
    rest.resize(rest.size() - 4);
  }
  if (ends_with(rest, ".csv") || ends_with(rest, ".txt") || ends_with(rest, ".data")) return kind;
  if (ends_with(rest, ".tsv") || ends_with(rest, ".tab")) {
    kind.delimiter = "\t";
    return kind;
  }
  if (ends_with(rest, ".json") || ends_with(rest, ".jsonl") || ends_with(rest, ".ndjson")) {
    kind.format = FileFormat::json;
    return kind;
  }
  if (ends_with(rest, ".parquet") && kind.compression.empty()) {
    kind.format = FileFormat::parquet;
    return kind;
  }
  throw Error(ErrorKind::job, fmt::format("cannot tell the format of '{}' from its name; use .csv, .tsv, .json, .jsonl "
                                          "(each also with .gz or .zst) or .parquet",
                                          path));
}

Source::Source(const std::string& path, const TextReading& reading, DuckDb& duck, const Progress& progress)
    : name_(path), path_(path), delimiter_(reading.delimiter) {
  std::error_code ignored;
  if (path == "-") name_ = "standard input";
  if (path == "-" || fs::is_fifo(path, ignored) || fs::is_character_file(path, ignored) ||
      fs::is_socket(path, ignored)) {
    spooled_ = spool(path, path == "-" ? name_ : fmt::format("'{}'", path), progress);
    path_ = spooled_->path();
  }
  if (!fs::exists(path_, ignored)) throw Error(ErrorKind::input, fmt::format("no file '{}'", name_));
  if (fs::is_directory(path_, ignored))
    throw Error(ErrorKind::input, fmt::format("'{}' is a folder, not a table", name_));
  if (access(path_.c_str(), R_OK) != 0) {
    throw Error(ErrorKind::input, fmt::format("cannot read '{}': {}", name_, std::strerror(errno)));
  }
  kind_ = file_kind(path_);
  if (fs::file_size(path_, ignored) == 0) {
    throw Error(ErrorKind::input, fmt::format("'{}' is empty; a table needs a header line and rows", name_));
  }
  plain_path_ = path_;
  if (kind_.format == FileFormat::csv) copy_text(reading, progress);
  if (kind_.format == FileFormat::json) check_not_utf16(plain_text(), progress);
  open_for_sql();
  try {
    switch (kind_.format) {
      case FileFormat::csv:
        find_csv_columns(duck, progress);
        break;
      case FileFormat::json:
        find_json_columns(duck, progress);
        break;
      case FileFormat::parquet:
        find_parquet_columns(duck, progress);
        break;
    }
  } catch (const DuckError& error) {
    throw input_error(error);
  }
  check_columns();
  if (kind_.format == FileFormat::csv) copy_numbers(reading, progress);
}

void Source::open_for_sql() {
  sql_path_ = plain_path_;
  if (is_plain_path(plain_path_)) return;
  opened_ = Descriptor(open(plain_path_.c_str(), O_RDONLY | O_CLOEXEC));
  sql_path_ = fmt::format("/proc/self/fd/{}", opened_.number());
}

PackedText Source::plain_text() const { return {plain_path_, name_, kind_.compression}; }

void Source::read_from(const TemporaryFile& copy) {
  plain_path_ = copy.path();
  kind_.compression.clear();
}

void Source::copy_text(const TextReading& reading, const Progress& progress) {
  TextCopy copy = plain_text_copy(plain_text(), reading, progress);
  encoding_ = copy.encoding;
  if (copy.encoding_found) {
    notices_.push_back(fmt::format("'{}' is not UTF-8; it was read as {}", name_, copy.encoding));
  }
  if (!copy.delimiter.empty()) {
    lines_before_header_ = 1;
    notices_.push_back(
        fmt::format("the first line of '{}' only says what stands between cells (sep={}); the header is "
                    "the line after it",
                    name_, copy.delimiter == "\t" ? "tab" : copy.delimiter));
    if (delimiter_.empty()) delimiter_ = copy.delimiter;
  }
  if (!copy.file) return;
  text_copy_ = std::move(copy.file);
  read_from(*text_copy_);
}

void Source::copy_numbers(const TextReading& reading, const Progress& progress) {
  if (reading.decimal == "." && reading.thousands.empty()) return;
  const bool look = reading.decimal.empty() && reading.thousands.empty();
  std::vector<size_t> numbers;
  for (const std::string& column : reading.numbers) {
    if (const auto found = find(column)) numbers.push_back(*found);
  }
  TextReading how = reading;
  if (look) {
    const CommaColumns found = find_comma_numbers(plain_text(), delimiter_[0], numbers, reading.missing, progress);
    numbers = found.columns;
    how.decimal = ",";
    if (found.grouped) how.thousands = ".";
    std::string names;
    for (const size_t column : numbers) names += (names.empty() ? "" : ", ") + columns_[column];
    if (!numbers.empty()) {
      notices_.push_back(
          fmt::format("'{}': numbers with a decimal comma{} were found and read as such: {} (decimal: "
                      "point would keep them as texts)",
                      name_, found.grouped ? " and points between thousands" : "", names));
    }
  }
  if (numbers.empty()) return;
  number_copy_ = plain_number_copy(plain_text(), delimiter_[0], how, numbers, progress);
  text_copy_.reset();
  read_from(*number_copy_);
  open_for_sql();
}

void Source::find_csv_columns(DuckDb& duck, const Progress& progress) {
  std::optional<std::vector<std::string>> ordinary;
  if (kind_.compression.empty()) ordinary = ordinary_first_lines(plain_path_);
  if (!ordinary) check_header_length(plain_text(), progress);
  const std::vector<std::string> lines =
      ordinary ? *ordinary : first_records(sql_path_, kind_.compression, duck, progress);
  if (lines.empty()) {
    throw Error(ErrorKind::input, fmt::format("'{}' is empty; a table needs a header line and rows", name_));
  }
  if (delimiter_.empty()) delimiter_ = kind_.delimiter.empty() ? guess_delimiter(lines) : kind_.delimiter;
  columns_ = split_csv_line(lines[0], delimiter_[0]);
}

void Source::find_json_columns(DuckDb& duck, const Progress& progress) {
  add_json_functions(duck);
  try {
    columns_ = json_columns(*duck.stream("SELECT json FROM " + relation(), progress));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    throw Error(ErrorKind::input, fmt::format("'{}' {}", name_, error.what()));
  }
}

// DuckDB renames columns whose names differ only by case, so the names come from the file's schema: a list of all nodes
// of its tree, parents before their children.
void Source::find_parquet_columns(DuckDb& duck, const Progress& progress) {
  for (const auto& row : duck.query("DESCRIBE SELECT * FROM " + relation(), progress)) {
    const std::string& type = row[1];
    const bool nested = type.ends_with("]") || type.starts_with("STRUCT(") || type.starts_with("MAP(") ||
                        type.starts_with("UNION(") || type == "VARIANT";
    sql_columns_.push_back(row[0]);
    nested_types_.push_back(nested ? type : "");
  }
  size_t inside = 1;  // nodes to come that belong to the root or to a column met before
  for (const auto& row :
       duck.query(fmt::format("SELECT name, coalesce(num_children, 0) FROM parquet_schema({})", sql_literal(sql_path_)),
                  progress)) {
    const size_t children = std::stoull(row[1]);
    if (inside == 0) {
      columns_.push_back(row[0]);
      inside = children;
    } else {
      inside += columns_.empty() ? 0 : children;
      --inside;
    }
  }
  if (columns_.size() != sql_columns_.size()) columns_ = sql_columns_;
}

void Source::check_columns() const {
  std::set<std::string> seen;
  for (size_t j = 0; j < columns_.size(); ++j) {
    if (columns_[j].empty()) {
      throw Error(ErrorKind::input,
                  fmt::format("column {} of '{}' has no name; give every column one in the header line", j + 1, name_));
    }
    if (!seen.insert(columns_[j]).second) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' has two columns named '{}'; rename one of them", name_, columns_[j]));
    }
  }
}

std::optional<size_t> Source::find(std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) return std::nullopt;
  return static_cast<size_t>(found - columns_.begin());
}

std::string Source::relation() const {
  if (kind_.format == FileFormat::parquet) {
    return fmt::format("read_parquet({}, hive_partitioning=false)", sql_literal(sql_path_));
  }
  if (kind_.format == FileFormat::json) return json_relation(sql_path_, kind_.compression);
  std::string columns;
  // Named by position: DuckDB's names know no difference between "A" and "a".
  for (size_t j = 0; j < columns_.size(); ++j) columns += fmt::format("{}'c{}':'VARCHAR'", j ? "," : "", j);
  return fmt::format(
      "read_csv({}, auto_detect=false, header=true, delim={}, quote='\"', escape='\"', nullstr='', null_padding=false, "
      "strict_mode=true, buffer_size=8000000, columns={{{}}}{})",  // a quarter of the usual: every thread has two
      sql_literal(sql_path_), sql_literal(delimiter_), columns,
      kind_.compression.empty() ? "" : fmt::format(", compression={}", sql_literal(kind_.compression)));
}

std::string Source::text(size_t column) const {
  switch (kind_.format) {
    case FileFormat::csv:
      return fmt::format("c{}", column);
    case FileFormat::json: {
      // Texts by DuckDB, a second reader beside ours; the rest by ours, since DuckDB rounds numbers.
      std::string pointer = "/";
      for (const char c : columns_[column]) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
      return fmt::format(
          "(CASE WHEN json_type(json, {0}) = 'VARCHAR' THEN json_extract_string(json, {0}) ELSE "
          "json_member_text(json, {1}) END)",
          sql_literal(pointer), sql_literal(columns_[column]));
    }
    case FileFormat::parquet:
      return fmt::format("{}::VARCHAR", typed(column));
  }
  return "";
}

std::string Source::typed(size_t column) const {
  return kind_.format == FileFormat::parquet ? sql_name(sql_columns_[column]) : text(column);
}

std::string Source::json(size_t column) const {
  const std::string value = kind_.format == FileFormat::json
                                ? fmt::format("json_member(json, {})", sql_literal(columns_[column]))
                                : fmt::format("to_json({})::VARCHAR", typed(column));
  return fmt::format("coalesce({}, 'null')", value);
}

void Source::check_readable(std::span<const size_t> columns) const {
  for (const size_t column : columns) {
    if (column >= nested_types_.size() || nested_types_[column].empty()) continue;
    throw Error(ErrorKind::input,
                fmt::format("the column '{}' of '{}' is nested ({}), and a cell holds one value; leave it out (role "
                            "identifier), or make columns of its parts",
                            columns_[column], name_, nested_types_[column]));
  }
}

std::unique_ptr<TextStream> Source::rows(std::span<const size_t> columns, DuckDb& duck,
                                         const Progress& progress) const {
  check_readable(columns);
  if (kind_.format == FileFormat::json) {
    std::vector<std::string> names;
    for (const size_t column : columns) names.push_back(columns_[column]);
    return json_cells(duck.stream("SELECT json FROM " + relation(), progress), names);
  }
  std::string list;
  for (const size_t column : columns) list += (list.empty() ? "" : ", ") + text(column);
  if (list.empty()) list = "''";  // rows are still counted
  return duck.stream(fmt::format("SELECT {} FROM {}", list, relation()), progress);
}

std::string Source::place(uint64_t row) const {
  if (kind_.format == FileFormat::parquet || (kind_.format == FileFormat::json && !has_json_lines(path_))) {
    return fmt::format("row {}", row + 1);
  }
  // A quoted cell may span lines, so records are counted from the start.
  const uint64_t header = kind_.format == FileFormat::csv ? 1 : 0;
  uint64_t line = 1 + lines_before_header_, record = 0, record_line = line;
  bool quoted = false, blank = true;
  for_blocks(plain_text(), Progress(), [&](std::string_view text) {
    for (const char c : text) {
      if (c == '"' && kind_.format == FileFormat::csv) quoted = !quoted;
      if (c != '\n') {
        blank = blank && c == '\r';
        continue;
      }
      ++line;
      if (quoted) continue;
      if (blank && columns_.size() > 1) {  // an empty line is no record
        record_line = line;
        continue;
      }
      if (record == row + header) return false;
      ++record;
      record_line = line;
      blank = true;
    }
    return true;
  });
  return fmt::format("line {}", record_line);
}

std::vector<std::string> split_csv_line(std::string_view line, char delimiter) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == delimiter && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace shoal
