#include "shoal/encode/streamed_table.h"

#include <fmt/format.h>

#include <stdexcept>

#include "shoal/encode/raw_encoding.h"
#include "shoal/table/dictionary.h"

namespace shoal {
namespace {

// Texts of a column with how often and where first, but without the rows' codes.
struct SeenColumn {
  Dictionary dictionary;
  std::vector<uint64_t> counts, first_rows;

  uint32_t see(std::string_view cell, uint64_t row) {
    const uint32_t number = dictionary.code(cell);
    if (number == counts.size()) {
      counts.push_back(0);
      first_rows.push_back(row);
    }
    ++counts[number];
    return number;
  }
};

// The columns to read: coded ones first (quasi, then the target), then those of the fingerprint.
struct StreamedColumns {
  std::vector<size_t> read;
  size_t coded = 0, quasi = 0;
};

StreamedColumns columns_of(const Job& job, const TableSource& source) {
  StreamedColumns columns;
  std::vector<size_t> target, rest;
  const std::vector<ColumnPlan> plan = plan_columns(job, source);
  for (size_t j = 0; j < plan.size(); ++j) {
    if (plan[j].role == Role::sensitive || plan[j].role == Role::person) {
      throw std::logic_error("a streamed table has no sensitive or person columns");
    }
    if (plan[j].role == Role::quasi) columns.read.push_back(j);
    if (plan[j].role == Role::target) target.push_back(j);
    if (plan[j].role == Role::plain) rest.push_back(j);
  }
  columns.quasi = columns.read.size();
  columns.read.insert(columns.read.end(), target.begin(), target.end());
  columns.coded = columns.read.size();
  columns.read.insert(columns.read.end(), rest.begin(), rest.end());
  return columns;
}

}  // namespace

StreamedTable stream_table(const Job& job, TableSource& source, const RowTaker& taker, const Progress& progress) {
  const StreamedColumns columns = columns_of(job, source);
  const size_t width = columns.coded;
  StreamedTable table;
  table.has_rest = columns.read.size() > width;
  std::vector<SeenColumn> seen;
  source.read(columns.read, progress, [&](TextStream& stream) {
    taker.begin_anew();
    table.rows = 0;
    seen.assign(width, {});
    std::vector<uint32_t> numbers;
    std::vector<uint64_t> rest;
    while (stream.next()) {
      progress.check();
      numbers.resize(stream.size() * width);
      for (size_t j = 0; j < width; ++j) {
        for (size_t row = 0; row < stream.size(); ++row) {
          numbers[row * width + j] = seen[j].see(stream.cell(j, row), table.rows + row);
        }
      }
      rest.assign(stream.size(), 0);
      for (size_t j = width; j < columns.read.size(); ++j) add_to_first_halves(stream, j, rest);
      taker.take(numbers, rest);
      table.rows += stream.size();
      if (table.rows > UINT32_MAX - 1) {
        throw Error(ErrorKind::input, fmt::format("'{}' has more than {} rows", source.name(), UINT32_MAX - 1));
      }
    }
  });
  if (table.rows == 0) throw Error(ErrorKind::input, fmt::format("'{}' has a header but no rows", source.name()));
  std::vector<RawColumn> raw;
  for (size_t j = 0; j < width; ++j) {
    raw.push_back({source.columns()[columns.read[j]], {}, seen[j].dictionary.texts(), std::move(seen[j].counts),
                   std::move(seen[j].first_rows)});
    table.code_of.push_back(number_by_text(raw.back()));
  }
  seen.clear();
  std::vector<RawColumn*> quasi;
  for (size_t j = 0; j < columns.quasi; ++j) quasi.push_back(&raw[j]);
  table.encoding = encoding_of(job, quasi, source);
  for (size_t j = 0; j < columns.quasi; ++j) {
    table.quasi.push_back(raw[j].name);
    for (uint32_t& number : table.code_of[j]) number = table.encoding.columns[j].leaf_of_text[number];
  }
  if (columns.quasi < width) {
    table.target = raw.back().name;
    table.target_values = std::move(raw.back().texts);
  }
  return table;
}

}  // namespace shoal
