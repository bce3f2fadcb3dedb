#include "shoal/encode/streamed_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "shoal/encode/raw_encoding.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/missing_texts.h"

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

// The columns to read: coded ones first (quasi, the target, sensitive, the person), then those of the fingerprint.
struct StreamedColumns {
  std::vector<size_t> read;
  std::vector<Role> roles;  // of coded ones
  size_t coded() const { return roles.size(); }
};

StreamedColumns columns_of(const Job& job, const TableSource& source) {
  StreamedColumns columns;
  const std::vector<ColumnPlan> plan = plan_columns(job, source);
  for (const Role role : {Role::quasi, Role::target, Role::sensitive, Role::person}) {
    for (size_t j = 0; j < plan.size(); ++j) {
      if (plan[j].role != role) continue;
      columns.read.push_back(j);
      columns.roles.push_back(role);
    }
  }
  for (size_t j = 0; j < plan.size(); ++j) {
    if (plan[j].role == Role::plain || plan[j].role == Role::sensitive) columns.read.push_back(j);
  }
  return columns;
}

// The encoding of the quasi and sensitive columns, in the order of the source as encode_table has them.
Encoding encoding_of_seen(const Job& job, const StreamedColumns& columns, std::vector<RawColumn>& raw,
                          const TableSource& source) {
  std::vector<std::pair<size_t, RawColumn*>> bound;
  for (size_t j = 0; j < columns.coded(); ++j) {
    if (columns.roles[j] == Role::quasi || columns.roles[j] == Role::sensitive) {
      bound.emplace_back(columns.read[j], &raw[j]);
    }
  }
  std::sort(bound.begin(), bound.end());
  std::vector<RawColumn*> in_order;
  in_order.reserve(bound.size());
  for (const auto& [place, column] : bound) in_order.push_back(column);
  return encoding_of(job, in_order, source);
}

}  // namespace

StreamedTable stream_table(const Job& job, TableSource& source, const RowTaker& taker, const Progress& progress) {
  const StreamedColumns columns = columns_of(job, source);
  const size_t width = columns.coded();
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
    raw.push_back({source.columns()[columns.read[j]],
                   {},
                   seen[j].dictionary.texts(),
                   std::move(seen[j].counts),
                   std::move(seen[j].first_rows)});
    table.code_of.push_back(number_by_text(raw.back()));
  }
  seen.clear();
  table.encoding = encoding_of_seen(job, columns, raw, source);
  table.whole.rows = table.rows;
  for (size_t j = 0; j < width; ++j) {
    RawColumn& column = raw[j];
    if (columns.roles[j] == Role::quasi) {
      const ColumnEncoding& encoding = table.encoding.columns[table.quasi.size()];
      for (uint32_t& number : table.code_of[j]) number = encoding.leaf_of_text[number];
      table.quasi.push_back(std::move(column.name));
    } else if (columns.roles[j] == Role::sensitive) {
      const ColumnEncoding& encoding = table.encoding.sensitive[table.sensitive.size()];
      std::vector<uint32_t>& counts = table.whole.counts.emplace_back(encoding.leaf_texts.size(), 0);
      for (size_t text = 0; text < column.texts.size(); ++text) {
        counts[encoding.leaf_of_text[text]] += static_cast<uint32_t>(column.counts[text]);
      }
      for (uint32_t& number : table.code_of[j]) number = encoding.leaf_of_text[number];
      table.sensitive.push_back(std::move(column.name));
    } else if (columns.roles[j] == Role::target) {
      table.target = std::move(column.name);
      table.target_values = std::move(column.texts);
    } else {
      refuse_missing_persons(column, MissingTexts(job.missing), source);
      table.whole.persons = static_cast<uint32_t>(column.texts.size());
      table.person = std::move(column.name);
    }
  }
  return table;
}

}  // namespace shoal
