#include "shoal/read/source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "shoal/job.h"
#include "shoal/read/first_lines.h"

namespace shoal {
namespace {

namespace fs = std::filesystem;

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && std::equal(end.rbegin(), end.rend(), text.rbegin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

// Standard input has no name to tell its kind, so its first bytes do.
std::string suffix_by_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char head[4] = {};
  file.read(head, sizeof head);
  const std::string_view start(head, static_cast<size_t>(file.gcount()));
  if (start.starts_with("PAR1")) return ".parquet";
  if (start.starts_with("\x1f\x8b")) return ".csv.gz";
  if (start.starts_with("\x28\xb5\x2f\xfd")) return ".csv.zst";
  if (start.starts_with("{") || start.starts_with("[{")) return ".jsonl";
  return ".csv";
}

std::unique_ptr<TemporaryFile> spool_standard_input(const Progress& progress) {
  auto copy = std::make_unique<TemporaryFile>(".input");
  std::ofstream file(copy->path(), std::ios::binary);
  std::vector<char> buffer(1 << 16);
  for (;;) {
    progress.check();
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(ErrorKind::input, fmt::format("cannot read standard input: {}", std::strerror(errno)));
    if (count == 0) break;
    file.write(buffer.data(), count);
  }
  file.close();
  if (!file) throw Error(ErrorKind::input, "cannot keep standard input in a temporary file: is the disk full?");
  auto named = std::make_unique<TemporaryFile>(suffix_by_content(copy->path()));
  copy->rename_to(named->path());
  return named;
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

std::string line_after(const std::string& text, std::string_view start) {
  const size_t found = text.find(start);
  if (found == std::string::npos) return "";
  const size_t begin = found + start.size();
  return text.substr(begin, text.find('\n', begin) - begin);
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

Source::Source(const std::string& path, const std::string& delimiter, DuckDb& duck, const Progress& progress)
    : name_(path), path_(path), delimiter_(delimiter) {
  if (path == "-") {
    spooled_ = spool_standard_input(progress);
    name_ = "standard input";
    path_ = spooled_->path();
  }
  std::error_code ignored;
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
  if (path_.find_first_of("*?[") != std::string::npos) {
    // DuckDB would read the name as a pattern.
    throw Error(ErrorKind::input, fmt::format("the name '{}' has one of the characters * ? [; rename the file", name_));
  }
  try {
    if (kind_.format == FileFormat::csv) {
      find_csv_columns(duck, progress);
    } else {
      const std::string reader = kind_.format == FileFormat::json
                                     ? fmt::format("read_json({}, sample_size=-1)", sql_literal(path_))
                                     : fmt::format("read_parquet({})", sql_literal(path_));
      for (const auto& row : duck.query("DESCRIBE SELECT * FROM " + reader, progress)) columns_.push_back(row[0]);
    }
  } catch (const DuckError& error) {
    throw input_error(error);
  }
  check_columns();
}

void Source::find_csv_columns(DuckDb& duck, const Progress& progress) {
  std::optional<std::vector<std::string>> ordinary;
  if (kind_.compression.empty()) ordinary = ordinary_first_lines(path_);
  const std::vector<std::string> lines = ordinary ? *ordinary : first_lines(path_, duck, progress);
  if (lines.empty()) {
    throw Error(ErrorKind::input, fmt::format("'{}' is empty; a table needs a header line and rows", name_));
  }
  if (delimiter_.empty()) delimiter_ = kind_.delimiter.empty() ? guess_delimiter(lines) : kind_.delimiter;
  columns_ = split_csv_line(lines[0], delimiter_[0]);
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
  if (kind_.format == FileFormat::parquet) return fmt::format("read_parquet({})", sql_literal(path_));
  std::string columns;
  for (size_t j = 0; j < columns_.size(); ++j) {
    // CSV columns are named by position: DuckDB's names know no difference between "A" and "a".
    columns += kind_.format == FileFormat::csv ? fmt::format("{}'c{}':'VARCHAR'", j ? "," : "", j)
                                               : fmt::format("{}{}:'JSON'", j ? "," : "", sql_literal(columns_[j]));
  }
  if (kind_.format == FileFormat::json)
    return fmt::format("read_json({}, columns={{{}}})", sql_literal(path_), columns);
  return fmt::format(
      "read_csv({}, auto_detect=false, header=true, delim={}, quote='\"', escape='\"', nullstr='', null_padding=false, "
      "strict_mode=true, columns={{{}}})",
      sql_literal(path_), sql_literal(delimiter_), columns);
}

std::string Source::text(size_t column) const {
  switch (kind_.format) {
    case FileFormat::csv:
      return fmt::format("c{}", column);
    case FileFormat::json:
      return fmt::format("({} ->> '$')", sql_name(columns_[column]));
    case FileFormat::parquet:
      return fmt::format("{}::VARCHAR", sql_name(columns_[column]));
  }
  return "";
}

std::string Source::typed(size_t column) const {
  return kind_.format == FileFormat::csv ? fmt::format("c{}", column) : sql_name(columns_[column]);
}

std::string Source::place(uint64_t row) const {
  if (kind_.format == FileFormat::parquet || !kind_.compression.empty() ||
      (kind_.format == FileFormat::json && !ends_with(path_, "l") && !ends_with(path_, ".ndjson"))) {
    return fmt::format("row {}", row + 1);
  }
  // A quoted cell may span lines, so records are counted from the start.
  std::ifstream file(path_, std::ios::binary);
  const uint64_t header = kind_.format == FileFormat::csv ? 1 : 0;
  uint64_t line = 1, record = 0, record_line = 1;
  bool quoted = false, blank = true;
  std::vector<char> buffer(1 << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())), file.gcount() > 0) {
    for (std::streamsize i = 0; i < file.gcount(); ++i) {
      const char c = buffer[static_cast<size_t>(i)];
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
      if (record == row + header) return fmt::format("line {}", record_line);
      ++record;
      record_line = line;
      blank = true;
    }
  }
  return fmt::format("line {}", record_line);
}

Error Source::input_error(const DuckError& error) const {
  const std::string said = error.what();
  const std::string line = line_after(said, "CSV Error on Line: ");
  const std::string where = line.empty() ? fmt::format("'{}'", name_) : fmt::format("'{}' line {}", name_, line);
  if (said.find("Expected Number of Columns") != std::string::npos) {
    return Error(ErrorKind::input,
                 fmt::format("{}: {} cells, but the header has {} columns; add the missing cells or quote cells that "
                             "contain the delimiter '{}'",
                             where, line_after(said, "Found: "), columns_.size(), delimiter_));
  }
  if (said.find("nvalid unicode") != std::string::npos) {
    return Error(
        ErrorKind::input,
        fmt::format("{}: not valid UTF-8; convert the file first, for instance with iconv -f LATIN1 -t UTF-8", where));
  }
  if (said.find("unterminated quote") != std::string::npos) {
    return Error(ErrorKind::input, fmt::format("{}: a quote that is not closed, or text after a closing quote; double "
                                               "quotes inside a cell must be doubled",
                                               where));
  }
  if (said.find("state machine reached an invalid state") != std::string::npos) {
    return Error(ErrorKind::input, fmt::format("{}: not a well-formed table; are line ends mixed (\\n and \\r\\n), or "
                                               "quotes inside unquoted cells?",
                                               where));
  }
  return Error(ErrorKind::input, fmt::format("cannot read {}: {}", where, said.substr(0, said.find('\n'))));
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
