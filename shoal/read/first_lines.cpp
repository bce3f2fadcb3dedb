#include "shoal/read/first_lines.h"

#include <fmt/format.h>

#include <fstream>

#include "shoal/read/csv_marks.h"

namespace shoal {

std::vector<std::string> first_lines(const std::string& path, DuckDb& duck, const Progress& progress) {
  // Every line as one cell: \x01 does not occur in tables.
  const auto rows = duck.query(
      fmt::format("SELECT line FROM read_csv({}, auto_detect=false, header=false, delim='\x01', quote='', escape='', "
                  "columns={{'line':'VARCHAR'}}, nullstr='\x02', strict_mode=false, ignore_errors=true) LIMIT 2",
                  sql_literal(path)),
      progress);
  std::vector<std::string> lines;
  lines.reserve(rows.size());
  for (const auto& row : rows) lines.push_back(row[0]);
  return lines;
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
    if (line.empty() || special || !is_utf8(line)) return std::nullopt;
    lines.emplace_back(line);
  }
  return lines;
}

}  // namespace shoal
