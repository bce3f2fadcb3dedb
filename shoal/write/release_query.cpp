#include "shoal/write/release_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "shoal/table/formula_cell.h"
#include "shoal/write/csv_cell.h"

namespace shoal {
namespace {

// For each column of a JSON source the SQL of its cells in Parquet, asked of all rows in one query.
std::vector<std::string> parquet_cells_of_json(std::span<const QueriedColumn> columns, const Source& source,
                                               DuckDb& duck, const Progress& progress) {
  constexpr const char* kTypes[] = {"BIGINT", "BOOLEAN", "DOUBLE"};
  std::string questions;
  for (const QueriedColumn& column : columns) {
    if (!column.released.empty()) continue;
    for (const char* type : kTypes) {
      questions += fmt::format(
          "{}bool_and(TRY_CAST(nullif({},'null') AS {})::VARCHAR IS NOT DISTINCT FROM nullif({},'null')) AND "
          "bool_or({} <> 'null')",
          questions.empty() ? "" : ", ", source.json(column.source), type, source.json(column.source),
          source.json(column.source));
    }
  }
  std::vector<std::string> answers;
  if (!questions.empty()) {
    answers = duck.query(fmt::format("SELECT {} FROM {}", questions, source.relation()), progress).front();
  }
  std::vector<std::string> cells;
  size_t question = 0;
  for (const QueriedColumn& column : columns) {
    if (!column.released.empty()) {
      cells.emplace_back();
      continue;
    }
    cells.push_back(source.text(column.source));
    for (size_t i = std::size(kTypes); i-- > 0;) {
      if (answers[question + i] == "true")
        cells.back() = fmt::format("({})::{}", source.text(column.source), kTypes[i]);
    }
    question += std::size(kTypes);
  }
  return cells;
}

std::string parquet_row(std::span<const QueriedColumn> columns, const Source& source, DuckDb& duck,
                        const Progress& progress) {
  std::vector<std::string> of_json;
  if (source.format() == FileFormat::json) of_json = parquet_cells_of_json(columns, source, duck, progress);
  std::string list;
  for (size_t j = 0; j < columns.size(); ++j) {
    const QueriedColumn& column = columns[j];
    const std::string cell = !column.released.empty() ? fmt::format("nullif({}, '')", column.released)
                             : of_json.empty()        ? source.typed(column.source)
                                                      : of_json[j];
    list += fmt::format("{}{} AS {}", list.empty() ? "" : ", ", cell, sql_name(column.name));
  }
  return list;
}

std::string json_row(std::span<const QueriedColumn> columns, const Source& source) {
  std::string parts;
  for (const QueriedColumn& column : columns) {
    const std::string name = nlohmann::json(column.name).dump();
    const std::string cell = column.released.empty()
                                 ? source.json(column.source)
                                 : fmt::format("coalesce(to_json(nullif({}, ''))::VARCHAR, 'null')", column.released);
    parts += fmt::format("{}, {}, ", sql_literal((parts.empty() ? "{" : ",") + name + ":"), cell);
  }
  return fmt::format("concat({}'}}') AS line", parts);
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string selected(std::span<const QueriedColumn> columns, const Source& source, FileFormat format, DuckDb& duck,
                     const Progress& progress) {
  switch (format) {
    case FileFormat::parquet:
      return parquet_row(columns, source, duck, progress);
    case FileFormat::json:
      return json_row(columns, source);
    case FileFormat::csv:
      break;
  }
  std::string list;
  for (const QueriedColumn& column : columns) {
    list += (list.empty() ? "" : ", ") + (column.released.empty() ? source.text(column.source) : column.released);
  }
  return list;
}

std::string selected_escaped(std::span<const QueriedColumn> columns, const Source& source) {
  std::string list;
  for (const QueriedColumn& column : columns) {
    list += (list.empty() ? "" : ", ") +
            sql_with_apostrophe(column.released.empty() ? source.text(column.source) : column.released);
  }
  return list;
}

std::string copy_options(std::span<const QueriedColumn> columns, const FileKind& kind, const std::string& delimiter) {
  std::string options;
  switch (kind.format) {
    case FileFormat::csv: {
      std::string header;
      for (const QueriedColumn& column : columns) {
        if (!header.empty()) header += delimiter;
        append_cell(header, column.name, delimiter[0]);
      }
      options = fmt::format("FORMAT csv, HEADER false, PREFIX {}, SUFFIX '\n', DELIMITER {}",
                            sql_literal(header + "\n"), sql_literal(delimiter));
      break;
    }
    case FileFormat::json:  // each row is one text, which has no line breaks
      options = "FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\n'";
      break;
    case FileFormat::parquet:
      options = "FORMAT parquet";
      break;
  }
  options += ", USE_TMP_FILE false";  // the file is already a temporary one, and only we may leave or remove it
  if (!kind.compression.empty()) options += fmt::format(", COMPRESSION {}", kind.compression);
  return options;
}

void check_column_names(const std::vector<std::string>& names, FileFormat format) {
  if (format != FileFormat::parquet) return;
  std::map<std::string, std::string> met;
  for (const std::string& name : names) {
    const auto [other, fresh] = met.emplace(lower(name), name);
    if (fresh) continue;
    throw Error(
        ErrorKind::job,
        fmt::format("the columns '{}' and '{}' differ only by case, and a Parquet file must not have both; release "
                    "into CSV or JSON lines, or rename one of them",
                    other->second, name),
        Advice{Setting::output});
  }
}

void check_no_formula_names(const std::vector<std::string>& names, FileFormat format) {
  if (format != FileFormat::csv) return;
  for (const std::string& name : names) {
    if (!needs_apostrophe(name)) continue;
    throw Error(ErrorKind::job,
                fmt::format("a spreadsheet would run the name of the column '{}', and names cannot have an "
                            "apostrophe in front; rename it, or leave the column or `escape_formulas` out",
                            name));
  }
}

}  // namespace shoal
