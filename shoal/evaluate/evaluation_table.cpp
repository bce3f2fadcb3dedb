#include "shoal/evaluate/evaluation_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/learn/read_file.h"
#include "shoal/recode/apply.h"

namespace shoal {
namespace {

// Both files as one, all cells as text, so that values are numbered together.
std::unique_ptr<TemporaryFile> joined(const Source& train, const Source& test, DuckDb& duck, const Progress& progress) {
  auto file = std::make_unique<TemporaryFile>(".csv");
  auto list = [&](const Source& source) {
    std::string columns;
    for (const std::string& name : train.columns()) {
      const auto column = source.find(name);
      if (!column) {
        throw Error(ErrorKind::input,
                    fmt::format("'{}' has no column '{}', which '{}' has", source.name(), name, train.name()));
      }
      columns += (columns.empty() ? "" : ", ") + source.text(*column) + " AS " + sql_name(name);
    }
    return fmt::format("SELECT {} FROM {}", columns, source.relation());
  };
  try {
    duck.query(fmt::format("COPY ({} UNION ALL {}) TO {} (FORMAT csv, HEADER true)", list(train), list(test),
                           sql_literal(file->path())),
               progress);
  } catch (const DuckError& error) {
    throw test.input_error(error);
  }
  return file;
}

uint64_t count_rows(const Source& source, DuckDb& duck, const Progress& progress) {
  return std::stoull(duck.query("SELECT count(*) FROM " + source.relation(), progress)[0][0]);
}

}  // namespace

Codes codes_of(const Codes& codes, std::span<const uint32_t> rows, size_t cardinality) {
  Codes result(rows.size(), cardinality);
  codes.visit([&](auto from) {
    result.visit([&](auto to) {
      using Code = typename decltype(to)::value_type;
      for (size_t i = 0; i < rows.size(); ++i) to[i] = static_cast<Code>(from[rows[i]]);
    });
  });
  return result;
}

EvaluationTable::EvaluationTable(const Job& job, const std::string& test, Progress& progress) {
  progress.stage("read");
  DuckDb duck(job.thread_count(), job.memory_limit);
  auto source = std::make_unique<Source>(job.input, job.delimiter, duck, progress);
  std::unique_ptr<TemporaryFile> both;
  if (!test.empty()) {
    training_rows_ = count_rows(*source, duck, progress);
    both = joined(*source, Source(test, job.delimiter, duck, progress), duck, progress);
    source = std::make_unique<Source>(both->path(), "", duck, progress);
  }
  const std::vector<ColumnPlan> columns = plan_columns(job, *source);
  requirements_ = plan_requirements(job, columns);
  ReadTimings timings;
  encoded_ = read_table(job, *source, duck, false, timings, progress);
  std::vector<size_t> others;
  size_t quasi = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].role == Role::quasi) order_.push_back({true, quasi++});
    if (columns[i].role != Role::plain && columns[i].role != Role::sensitive) continue;
    order_.push_back({false, others.size()});
    others.push_back(i);
  }
  if (!others.empty()) others_ = read_text_columns(*source, others, duck, progress);
  if (test.empty()) training_rows_ = rows();

  const Column& target = *encoded_.table.target;
  reading_.target = target.name;
  reading_.missing = {"", "?", "*"};
  reading_.missing.insert(reading_.missing.end(), job.missing.begin(), job.missing.end());
  for (size_t j = 0; j < encoded_.table.quasi.size(); ++j) {
    const Column& column = encoded_.table.quasi[j];
    const Hierarchy& hierarchy = encoded_.hierarchies[j];
    ColumnReading reading{hierarchy.numeric() ? ReadAs::numeric : ReadAs::categorical, std::nullopt};
    if (encoded_.quasi[j].tree) reading.tree = label_tree(hierarchy, column);
    reading_.columns.emplace_back(column.name, std::move(reading));
  }
  for (const TextColumn& column : others_) {
    const ColumnJob* entry = job.find_column(column.name);
    if (!entry || entry->type == ColumnType::automatic) continue;
    reading_.columns.emplace_back(
        column.name,
        ColumnReading{entry->type == ColumnType::numeric ? ReadAs::numeric : ReadAs::categorical, std::nullopt});
  }
  for (size_t row = 0; row < rows(); ++row) class_of_.push_back(target.codes[row]);
}

Table EvaluationTable::subset(std::span<const uint32_t> rows) const {
  Table part;
  part.rows = rows.size();
  auto add = [&](const Column& column) {
    return Column{column.name, codes_of(column.codes, rows, column.values.size()), column.values};
  };
  for (const Column& column : encoded_.table.quasi) part.quasi.push_back(add(column));
  for (const Column& column : encoded_.table.sensitive) part.sensitive.push_back(add(column));
  part.target = add(*encoded_.table.target);
  return part;
}

TextColumn EvaluationTable::quasi_texts(size_t j, std::span<const uint32_t> rows) const {
  const Column& column = encoded_.table.quasi[j];
  return {column.name, codes_of(column.codes, rows, column.values.size()), column.values};
}

// Columns in the order of the file, so that a learner's ties fall as they would on the file itself.
std::vector<TextColumn> EvaluationTable::texts(std::vector<TextColumn> quasi, std::span<const uint32_t> rows) const {
  std::vector<TextColumn> columns;
  for (const Place& place : order_) {
    if (place.quasi) {
      columns.push_back(std::move(quasi[place.number]));
    } else {
      const TextColumn& column = others_[place.number];
      columns.push_back({column.name, codes_of(column.codes, rows, column.texts.size()), column.texts});
    }
  }
  const Column& target = *encoded_.table.target;
  columns.push_back({target.name, codes_of(target.codes, rows, target.values.size()), target.values});
  return columns;
}

std::vector<TextColumn> EvaluationTable::raw_texts(std::span<const uint32_t> rows) const {
  std::vector<TextColumn> columns;
  for (size_t j = 0; j < encoded_.table.quasi.size(); ++j) columns.push_back(quasi_texts(j, rows));
  return texts(std::move(columns), rows);
}

std::vector<TextColumn> EvaluationTable::released_texts(std::span<const uint32_t> rows,
                                                        std::span<const ReleasedColumn> released) const {
  std::vector<TextColumn> columns;
  for (size_t j = 0; j < released.size(); ++j) {
    TextColumn column{encoded_.table.quasi[j].name, released[j].codes, {}};
    for (const Released& value : released[j].values) {
      column.texts.push_back(released_text(value, encoded_.table.quasi[j], encoded_.hierarchies[j], released[j].means));
    }
    columns.push_back(std::move(column));
  }
  return texts(std::move(columns), rows);
}

}  // namespace shoal
