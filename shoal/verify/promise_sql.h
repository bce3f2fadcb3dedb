// The promise as SQL text that any engine runs: DuckDB, SQLite, PostgreSQL, Spark, a warehouse.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/verify/promise.h"

namespace shoal {

// How an engine calls the release and its columns.
struct SqlNames {
  std::string relation = "\"release\"";                        // goes behind FROM
  std::function<std::string(std::string_view column)> column;  // the column's text; empty: its name in double quotes
  std::string times{};  // SQL for how many rows a row of the relation stands for; empty: for itself
};

// "na""me", as standard SQL quotes names.
std::string sql_quoted_name(std::string_view name);

// One question and the answer that a kept promise gives.
struct PromiseStatement {
  std::string about;   // "requirement (age, sex) k=5"
  std::string sql;     // one SELECT, without a semicolon
  std::string answer;  // in words
};

// How many groups a requirement has, the rows of the smallest, and how many groups are too small: one row of three
// whole numbers (the second is NULL for an empty release), of which the last must be 0.
PromiseStatement count_groups_sql(const PromisedRequirement& requirement, const SqlNames& names);
// The groups that are too small, a row each, with their values and sizes: none where the promise is kept.
PromiseStatement small_groups_sql(const PromisedRequirement& requirement, const SqlNames& names);

// The groups that break a model, a row each: none where the promise is kept. Cells of sensitive columns are read as the
// input's are: missing ones are NULL, different spellings of a number are one. `names.relation` needs the person column
// for persons: see kPersonsTable. Nothing for a model that compares with the whole input where the promise has none, or
// with the population: what_it_lacks.
std::optional<PromiseStatement> broken_groups_sql(const Promise& promise, const PromisedRequirement& requirement,
                                                  const ModelSpec& model, const SqlNames& names);
// What broken_groups_sql counted: "1 group with 3 rows breaks it".
std::string broken_groups_text(const std::string& groups, const std::string& rows);
std::string what_it_lacks(const ModelSpec& model);
// As count_groups_sql, but counts different persons.
PromiseStatement count_persons_sql(const PromisedRequirement& requirement, const ModelSpec& persons,
                                   const SqlNames& names);

// The person column is not released. Whoever checks makes this table: the recoded columns of the release and, beside
// each row, the person of the original row that it stands for (the rows of both tables paired as in verify()).
inline constexpr std::string_view kPersonsTable = "release_persons";

// The same for a model of the population, where each row of `relation` (goes behind FROM) has the requirement's columns
// and, in `people`, how many people of the population they fit.
PromiseStatement misfits_sql(const PromisedRequirement& requirement, const ModelSpec& model,
                             const std::string& relation, const std::string& people);

// A model for checks that strangers may read: the values that it names are only counted.
std::string model_name(const ModelSpec& model);

// All of these for every requirement, as a script with comments that say what each must return. Names with line
// breaks in them stay within their comment.
std::string promise_script(const Promise& promise, const SqlNames& names);

}  // namespace shoal
