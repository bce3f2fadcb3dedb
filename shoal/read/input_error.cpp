// What DuckDB says about a file, in words of ours.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "shoal/read/source.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

std::string line_after(const std::string& text, std::string_view start) {
  const size_t found = text.find(start);
  if (found == std::string::npos) return "";
  const size_t begin = found + start.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

// The first line of a file that is no JSON value, from 1; 0: none is found. DuckDB counts from another line.
size_t malformed_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    const bool blank = line.find_first_not_of(" \t\r") == std::string::npos;
    if (!blank && !nlohmann::json::accept(line)) return number;
  }
  return 0;
}

}  // namespace

Error Source::input_error(const DuckError& error) const {
  const std::string said = error.what();
  const std::string line = line_after(said, "CSV Error on Line: ");
  const std::string where = line.empty() ? fmt::format("'{}'", name_) : fmt::format("'{}' line {}", name_, line);
  if (said.find("Expected Number of Columns") != std::string::npos) {
    const std::string found = line_after(said, "Found: ");
    return Error(
        ErrorKind::input,
        fmt::format("{}: {} {}, but the header has {}; add the missing cells or quote cells that "
                    "contain the delimiter '{}'",
                    where, found, found == "1" ? "cell" : "cells", counted(columns_.size(), "column"), delimiter_));
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
  if (said.find("Maximum line size") != std::string::npos || said.find("Parallel CSV Reader") != std::string::npos) {
    return Error(ErrorKind::input,
                 fmt::format("{}: a row of more than 2 MB; is a quote not closed? Rows as long as that "
                             "can be read from JSON lines (up to 16 MB) and Parquet",
                             where));
  }
  if (said.find("maximum_object_size") != std::string::npos) {
    return Error(ErrorKind::input,
                 fmt::format("{}: a row of more than 16 MB; is a bracket or quote not closed? Rows as "
                             "long as that can be read from Parquet",
                             where));
  }
  if (said.find("Malformed JSON") != std::string::npos) {
    const size_t number = kind_.compression.empty() ? malformed_line(path_) : 0;
    return Error(
        ErrorKind::input,
        fmt::format("{}{}: not valid JSON; every line must hold one object, as in {{\"age\": 31, \"sex\": \"f\"}}",
                    where, number == 0 ? "" : fmt::format(" line {}", number)));
  }
  return Error(ErrorKind::input, fmt::format("cannot read {}: {}", where, said.substr(0, said.find('\n'))));
}

}  // namespace shoal
