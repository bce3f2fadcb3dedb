#include "shoal/verify/promise_sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "shoal/job/requirements.h"
#include "shoal/model/model_sql.h"

namespace shoal {
namespace {

std::string cell_of(std::string_view column, const SqlNames& names) {
  return names.column ? names.column(column) : sql_quoted_name(column);
}

std::string list_of(const PromisedRequirement& requirement, const SqlNames& names) {
  std::string list;
  for (const std::string& column : requirement.columns) list += (list.empty() ? "" : ", ") + cell_of(column, names);
  return list;
}

// The rows of a group.
std::string rows_of_group(const SqlNames& names) {
  return names.times.empty() ? "count(*)" : fmt::format("sum({})", names.times);
}

std::string text_literal(std::string_view text) {
  std::string literal = "'";
  for (char c : text) literal += c == '\'' ? std::string("''") : std::string(1, c);
  return literal + "'";
}

// A sensitive cell as the engine reads it.
std::string sensitive_cell(const Promise& promise, const std::string& column, const SqlNames& names) {
  const std::string cell = cell_of(column, names);
  std::string missing = "''";
  for (const std::string& text : promise.missing) missing += ", " + text_literal(text);
  std::string cases = fmt::format("WHEN {} IN ({}) THEN NULL", cell, missing);
  if (const auto input = promise.inputs.find(column); input != promise.inputs.end()) {
    const ColumnEncoding& encoding = input->second->encoding.sensitive[0];
    const auto missing_leaf = input->second->encoding.sensitive_hierarchies[0].missing();
    for (size_t text = 0; text < encoding.texts.size(); ++text) {
      const uint32_t leaf = encoding.leaf_of_text[text];
      if (leaf == missing_leaf || encoding.leaf_texts[leaf] == encoding.texts[text]) continue;
      cases += fmt::format(" WHEN {} = {} THEN {}", cell, text_literal(encoding.texts[text]),
                           text_literal(encoding.leaf_texts[leaf]));
    }
  }
  return fmt::format("CASE {} ELSE {} END", cases, cell);
}

std::string about(const PromisedRequirement& requirement) {
  return fmt::format("requirement ({}) k={}", fmt::join(requirement.columns, ", "), requirement.k);
}

std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return text;
}

}  // namespace

std::vector<size_t> counted_columns(const Promise& promise, const std::vector<std::string>& released) {
  std::vector<size_t> counted;
  for (size_t j = 0; j < released.size(); ++j) {
    const PromisedColumn* column = promise.find(released[j]);
    const bool sensitive = std::count(promise.sensitive.begin(), promise.sensitive.end(), released[j]) > 0;
    if (column != nullptr && (column->recoded || sensitive)) counted.push_back(j);
  }
  return counted;
}

std::string sql_quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (char c : name) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + "\"";
}

// Nothing but what every dialect has: no FILTER, no GROUP BY ALL, a name for the inner table.
PromiseStatement count_groups_sql(const PromisedRequirement& requirement, const SqlNames& names) {
  return {about(requirement),
          fmt::format("SELECT count(*), min(group_rows), coalesce(sum(CASE WHEN group_rows < {} THEN 1 ELSE 0 END), 0) "
                      "FROM (SELECT {} AS group_rows FROM {} GROUP BY {}) AS released_groups",
                      requirement.k, rows_of_group(names), names.relation, list_of(requirement, names)),
          fmt::format("one row: the number of groups, the rows of the smallest (at least {}), and 0", requirement.k)};
}

PromiseStatement small_groups_sql(const PromisedRequirement& requirement, const SqlNames& names) {
  const std::string list = list_of(requirement, names);
  return {about(requirement),
          fmt::format("SELECT {0}, {1} AS group_rows FROM {2} GROUP BY {0} HAVING {1} < {3}", list,
                      rows_of_group(names), names.relation, requirement.k),
          "no rows"};
}

std::string model_name(const ModelSpec& model) {
  if (model.values.empty()) return model_text(model);
  ModelSpec without = model;
  without.values.clear();
  return fmt::format("{} ({} named value{})", model_text(without), model.values.size(),
                     model.values.size() == 1 ? "" : "s");
}

std::string what_it_lacks(const ModelSpec& model) {
  return of_population(model) ? "it compares groups with the population, which is not at hand"
                              : "it compares groups with the whole table that was released, which is not at hand";
}

std::optional<PromiseStatement> broken_groups_sql(const Promise& promise, const PromisedRequirement& requirement,
                                                  const ModelSpec& model, const SqlNames& names) {
  const auto input = promise.inputs.find(model.column);
  if (of_population(model) || (compares_with_whole(model) && input == promise.inputs.end())) return std::nullopt;
  ModelQuery query;
  query.group_columns = requirement.columns;
  std::set<std::string> sensitive;
  if (model_entry(model.kind).has_column && model.kind != ModelKind::persons) sensitive.insert(model.column);
  if (counts_pairs(model)) {
    sensitive.insert(promise.sensitive.begin(), promise.sensitive.end());
  }
  std::string cells;
  for (const std::string& column : requirement.columns)
    cells += fmt::format("{} AS {}, ", cell_of(column, names), sql_quoted_name(column));
  for (const std::string& column : sensitive) {
    cells += fmt::format("{} AS {}, ", sensitive_cell(promise, column, names), sql_quoted_name(column));
    if (column != model.column) query.group_columns.push_back(column);
  }
  if (model.kind == ModelKind::persons) cells += fmt::format("{0} AS {0}, ", sql_quoted_name(model.column));
  if (!names.times.empty()) {
    query.times = "shoal_times";
    cells += fmt::format("{} AS {}, ", names.times, sql_quoted_name(query.times));
  }
  query.relation =
      fmt::format("(SELECT {} FROM {}) AS release_cells", cells.substr(0, cells.size() - 2), names.relation);
  if (input != promise.inputs.end()) {
    query.whole = &input->second->whole;
    query.missing = input->second->encoding.sensitive_hierarchies[0].missing();
  }
  return PromiseStatement{fmt::format("{}: {}", about(requirement), model_name(model)), violations_sql(model, query),
                          "no rows"};
}

PromiseStatement misfits_sql(const PromisedRequirement& requirement, const ModelSpec& model,
                             const std::string& relation, const std::string& people) {
  ModelQuery query;
  query.relation = relation;
  query.group_columns = requirement.columns;
  query.population = people;
  return {fmt::format("{}: {}", about(requirement), model_name(model)), violations_sql(model, query), "no rows"};
}

PromiseStatement count_persons_sql(const PromisedRequirement& requirement, const ModelSpec& persons,
                                   const SqlNames& names) {
  const uint64_t k = persons.k.numerator;
  return {fmt::format("{}: persons", about(requirement)),
          fmt::format("SELECT count(*), min(persons), coalesce(sum(CASE WHEN persons < {} THEN 1 ELSE 0 END), 0) FROM "
                      "(SELECT count(DISTINCT {}) AS persons FROM {} GROUP BY {}) AS released_groups",
                      k, cell_of(persons.column, names), names.relation, list_of(requirement, names)),
          fmt::format("one row: the number of groups, the persons of the one with fewest (at least {}), and 0", k)};
}

namespace {

std::string model_script(const Promise& promise, const PromisedRequirement& requirement, const ModelSpec& model,
                         const SqlNames& names) {
  const auto statement = broken_groups_sql(promise, requirement, model, names);
  if (!statement) {
    return fmt::format("\n-- {}: {}: {}, so that there is no statement\n", on_one_line(about(requirement)),
                       on_one_line(model_name(model)), what_it_lacks(model));
  }
  return fmt::format("\n-- {}: {}\n{};\n", on_one_line(statement->about), statement->answer, statement->sql);
}

std::string persons_script(const PromisedRequirement& requirement, const ModelSpec& model) {
  const PromiseStatement statement = count_persons_sql(requirement, model, {sql_quoted_name(kPersonsTable), {}});
  return fmt::format(
      "\n-- {}: {}\n-- The person column is not released: make the table {} first, with the recoded columns of the\n"
      "-- release and, beside each row, the person of the original row that it stands for.\n{};\n",
      on_one_line(statement.about), statement.answer, sql_quoted_name(kPersonsTable), statement.sql);
}

}  // namespace

std::string promise_script(const Promise& promise, const SqlNames& names) {
  std::string script = fmt::format(
      "-- Does the table {} keep its promise? Each statement says what it must return.\n"
      "-- Missing cells may be NULL or empty texts, but all of one kind.\n",
      on_one_line(names.relation));
  for (const PromisedRequirement& requirement : promise.requirements) {
    for (const PromiseStatement& statement :
         {small_groups_sql(requirement, names), count_groups_sql(requirement, names)}) {
      script += fmt::format("\n-- {}: {}\n{};\n", on_one_line(statement.about), statement.answer, statement.sql);
    }
    for (const ModelSpec& model : requirement.models) {
      script += model.kind == ModelKind::persons ? persons_script(requirement, model)
                                                 : model_script(promise, requirement, model, names);
    }
  }
  return script;
}

std::string broken_groups_text(const std::string& groups, const std::string& rows) {
  return fmt::format("{} {} with {} {} {} it", groups, groups == "1" ? "group" : "groups", rows,
                     rows == "1" ? "row" : "rows", groups == "1" ? "breaks" : "break");
}

}  // namespace shoal
