#include "shoal/evaluate/evaluation_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/encode/joined_table.h"
#include "shoal/recode/apply.h"
#include "shoal/table/subset.h"

namespace shoal {

EvaluationTable::EvaluationTable(const Job& job, TableSource& source, TableSource* test, Progress& progress) {
  progress.stage("read");
  if (test == nullptr) {
    read(job, source, progress);
    training_rows_ = rows();
  } else {
    JoinedTable both(source, *test);
    read(job, both, progress);
    training_rows_ = both.rows_of_first();
  }
}

void EvaluationTable::read(const Job& job, TableSource& source, Progress& progress) {
  const std::vector<ColumnPlan> columns = plan_columns(job, source);
  ReadTimings timings;
  encoded_ = encode_table(job, source, {.with_rest = false}, timings, progress);
  std::vector<size_t> others;
  size_t quasi = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].role == Role::quasi) order_.push_back({true, quasi++});
    if (columns[i].role != Role::plain && columns[i].role != Role::sensitive) continue;
    order_.push_back({false, others.size()});
    others.push_back(i);
  }
  if (!others.empty()) {
    for (RawColumn& column : read_columns(source, others, {}, progress).columns) {
      others_.push_back({std::move(column.name), std::move(column.codes), std::move(column.texts)});
    }
  }

  const Column& target = *encoded_.table.target;
  reading_.target = target.name;
  reading_.missing = {"", "?", "*"};
  reading_.missing.insert(reading_.missing.end(), job.missing.begin(), job.missing.end());
  for (size_t j = 0; j < encoded_.table.quasi.size(); ++j) {
    const Column& column = encoded_.table.quasi[j];
    const Hierarchy& hierarchy = encoded_.encoding.hierarchies[j];
    ColumnReading reading{hierarchy.numeric() ? ReadAs::numeric : ReadAs::categorical, std::nullopt};
    if (encoded_.encoding.columns[j].has_tree) reading.tree = label_tree(hierarchy, column);
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

Table EvaluationTable::subset(std::span<const uint32_t> rows) const { return shoal::subset(encoded_.table, rows); }

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

DatasetReading EvaluationTable::reading_as_values(std::span<const ReleasedColumn> released) const {
  DatasetReading reading = reading_;  // its first columns are the quasi columns
  for (size_t j = 0; j < released.size(); ++j) {
    const Hierarchy& hierarchy = encoded_.encoding.hierarchies[j];
    const bool recoded = std::any_of(released[j].values.begin(), released[j].values.end(), [&](const Released& value) {
      return !value.is_node() || !hierarchy.is_leaf(value.number);
    });
    if (recoded) reading.columns[j].second.as = ReadAs::released;
  }
  return reading;
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
      column.texts.push_back(
          released_text(value, encoded_.table.quasi[j], encoded_.encoding.hierarchies[j], released[j].means));
    }
    columns.push_back(std::move(column));
  }
  return texts(std::move(columns), rows);
}

}  // namespace shoal
