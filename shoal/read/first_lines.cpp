#include "shoal/read/first_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "shoal/error.h"
#include "shoal/read/csv_marks.h"

namespace shoal {

namespace {

constexpr size_t kHeaderLines = 256;      // that a header may span
constexpr size_t kLongestLine = 2 << 20;  // DuckDB's limit

bool quotes_in_pairs(std::string_view line) { return std::count(line.begin(), line.end(), '"') % 2 == 0; }

}  // namespace

std::vector<std::string> first_records(const std::string& path, const std::string& compression, DuckDb& duck,
                                       const Progress& progress) {
  // Every line as one cell: \x01 does not occur in tables.
  const auto rows = duck.query(
      fmt::format("SELECT line FROM read_csv({}, auto_detect=false, header=false, delim='\x01', quote='', escape='', "
                  "columns={{'line':'VARCHAR'}}, nullstr='\x02', strict_mode=false, ignore_errors=true, "
                  "buffer_size=8000000{}) LIMIT {}",
                  sql_literal(path),
                  compression.empty() ? "" : fmt::format(", compression={}", sql_literal(compression)), kHeaderLines),
      progress);
  std::vector<std::string> records;
  bool open = false;
  for (const auto& row : rows) {
    if (!open && records.size() == 2) break;
    if (open) {
      records.back() += "\n" + row[0];
    } else {
      records.push_back(row[0]);
    }
    open = !quotes_in_pairs(records.back());
  }
  return records;
}

void check_not_utf16(const PackedText& file, const Progress& progress) {
  const std::string head = start_of(file, 2, progress);
  const bool marked = head == "\xff\xfe" || head == "\xfe\xff";
  const bool wide = head.size() == 2 && (head[0] == '\0') != (head[1] == '\0');  // the first character is a plain one
  if (!marked && !wide) return;
  throw Error(
      ErrorKind::input,
      fmt::format("'{}' is UTF-16 text; save it as UTF-8, for instance with iconv -f UTF-16 -t UTF-8", file.name));
}

void check_header_length(const PackedText& file, const Progress& progress) {
  const std::string head = start_of(file, kLongestLine, progress);
  if (head.size() < kLongestLine || head.find_first_of("\r\n") != std::string::npos) return;
  throw Error(ErrorKind::input,
              fmt::format("the first line of '{}' has more than 2 MB; is it a table of cells with line "
                          "ends, and a header line with the names of its columns?",
                          file.name));
}

std::optional<std::vector<std::string>> ordinary_first_lines(const std::string& path) {
  std::string head(1 << 16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(file.gcount()));
  std::string_view rest = head;
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  std::vector<std::string> lines;
  bool with_return = false;
  while (lines.size() < 2) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    const bool returned = line.ends_with('\r');
    if (returned) line.remove_suffix(1);
    if (!lines.empty() && returned != with_return) return std::nullopt;
    with_return = returned;
    const bool special = line.find_first_of(std::string_view("\0\x01\x02\r", 4)) != std::string_view::npos;
    if (line.empty() || special || !quotes_in_pairs(line) || !is_utf8(line)) return std::nullopt;
    lines.emplace_back(line);
  }
  return lines;
}

}  // namespace shoal
