#include "shoal/files/exact_answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "shoal/table/number.h"

namespace shoal {

ExactAnswers::ExactAnswers(const Job& job, const Source& source, const EncodedTable& original,
                           std::span<const size_t> columns, std::optional<size_t> sum, DuckDb& duck,
                           const Progress& progress)
    : original_(original), sum_(sum), duck_(duck), progress_(progress) {
  std::vector<size_t> wanted(columns.begin(), columns.end());
  if (sum && std::find(wanted.begin(), wanted.end(), *sum) == wanted.end()) wanted.push_back(*sum);
  std::string missing = "''";
  for (const std::string& text : job.missing) missing += ", " + sql_literal(text);
  // Categories become numbers in the order of the tree, so that a node is a range like any other.
  std::string texts, cells, joins;
  for (size_t column : wanted) {
    const std::string separator = texts.empty() ? "" : ", ";
    const std::string text = source.text(*source.find(original.table.quasi[column].name));
    texts += fmt::format("{0}CASE WHEN {1} IN ({2}) THEN NULL ELSE {1} END AS t{3}", separator, text, missing, column);
    if (original.encoding.hierarchies[column].numeric()) {
      cells += fmt::format("{}TRY_CAST(t{} AS DOUBLE) AS q{}", separator, column, column);
      continue;
    }
    cells += fmt::format("{0}v{1}.leaf AS q{1}", separator, column);
    joins += fmt::format(" LEFT JOIN v{0} ON v{0}.text = t{0}", column);
    duck_.query(leaf_table(column), progress_);
  }
  try {
    duck_.query(fmt::format("CREATE OR REPLACE TEMP TABLE asked AS SELECT {} FROM (SELECT {} FROM {}){}", cells, texts,
                            source.relation(), joins),
                progress_);
  } catch (const DuckError& error) {
    throw source.input_error(error);
  }
}

std::string ExactAnswers::leaf_table(size_t column) const {
  const std::vector<std::string>& values = original_.table.quasi[column].values;
  std::string list = "(NULL, NULL)";
  for (size_t leaf = 0; leaf < values.size(); ++leaf) {
    if (leaf != original_.encoding.hierarchies[column].missing())
      list += fmt::format(", ({}, {})", sql_literal(values[leaf]), leaf);
  }
  return fmt::format(
      "CREATE OR REPLACE TEMP TABLE v{} AS SELECT text::VARCHAR AS text, leaf::INTEGER AS leaf FROM "
      "(VALUES {}) AS v(text, leaf)",
      column, list);
}

std::string ExactAnswers::condition(const QueryCondition& condition) const {
  const Hierarchy& hierarchy = original_.encoding.hierarchies[condition.column];
  const std::string name = fmt::format("q{}", condition.column);
  const auto missing = hierarchy.missing();
  if (condition.first == 0 && condition.last + size_t{1} == hierarchy.leaves()) return "TRUE";
  std::string is_missing = name + " IS NULL";
  if (condition.first == missing) return is_missing;
  if (hierarchy.numeric()) {
    return fmt::format("{} BETWEEN CAST('{}' AS DOUBLE) AND CAST('{}' AS DOUBLE)", name,
                       hierarchy.number(condition.first), hierarchy.number(condition.last));
  }
  const std::string among = fmt::format("{} BETWEEN {} AND {}", name, condition.first, condition.last);
  return condition.last == missing ? fmt::format("({} OR {})", among, is_missing) : among;
}

std::vector<double> ExactAnswers::answer(std::span<const Query> queries) {
  if (queries.empty()) return {};
  std::string all;
  for (size_t i = 0; i < queries.size(); ++i) {
    std::string where = "TRUE";
    for (const QueryCondition& one : queries[i]) where += " AND " + condition(one);
    all += fmt::format("{}SELECT {} AS query, {} FROM asked WHERE {}", i > 0 ? " UNION ALL " : "", i,
                       sum_ ? fmt::format("sum(q{})", *sum_) : "count(*)", where);
  }
  std::vector<double> answers;
  for (const auto& row : duck_.query(all + " ORDER BY query", progress_)) {
    answers.push_back(parse_number(row[1]).value_or(0));  // the sum over no rows is NULL
  }
  return answers;
}

}  // namespace shoal
