#include "shoal/files/query_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/files/exact_answers.h"
#include "shoal/nearest_word.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kBatch = 100;             // queries per SQL statement
constexpr uint64_t kDrawsPerQuery = 1000;  // before giving up on queries whose answer is not 0

[[noreturn]] void wrong(const std::string& message, Setting setting) {
  throw Error(ErrorKind::job, message, Advice{setting});
}

std::vector<std::string> quasi_names(const EncodedTable& original) {
  std::vector<std::string> names;
  for (const Column& column : original.table.quasi) names.push_back(column.name);
  return names;
}

size_t quasi_position(Setting setting, const std::string& name, const EncodedTable& original) {
  const auto names = quasi_names(original);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    wrong(fmt::format("{}: '{}' is no quasi column{}; the quasi columns are {}",
                      setting == Setting::query_sum ? "the column to add up" : "columns of the queries", name,
                      did_you_mean(name, names), fmt::join(names, ", ")),
          setting);
  }
  return static_cast<size_t>(found - names.begin());
}

// Columns with conditions, ascending.
std::vector<size_t> condition_columns(const QueryWorkload& workload, const EncodedTable& original) {
  std::vector<size_t> columns;
  for (const std::string& name : workload.columns) {
    columns.push_back(quasi_position(Setting::query_columns, name, original));
  }
  if (columns.empty()) {
    columns.resize(original.table.quasi.size());
    std::iota(columns.begin(), columns.end(), size_t{0});
  }
  std::sort(columns.begin(), columns.end());
  return columns;
}

// One kind of queries: COUNT, or SUM over a column.
class Workload {
 public:
  Workload(std::vector<size_t> columns, std::optional<size_t> sum, uint64_t seed)
      : columns_(std::move(columns)), sum_(sum), random_(2 * seed + (sum ? 1 : 0)) {}

  QueryErrorSummary run(uint64_t wanted, const Job& job, const Source& source, const EncodedTable& original,
                        const ReleasedTable& released, DuckDb& duck, Progress& progress) {
    ExactAnswers exact(job, source, original, columns_, sum_, duck, progress);
    const uint64_t drawn = draw(wanted, original, exact, progress);
    const QueryEstimator estimator(original.encoding.hierarchies, released, original.table.rows, columns_, sum_);
    std::vector<double> errors(queries_.size());
    run_tasks(errors.size(), job.thread_count(), [&](size_t, size_t i) {
      progress.check();
      errors[i] = std::abs(answers_[i] - estimator.estimate(queries_[i])) / std::abs(answers_[i]);
    });
    QueryErrorSummary summary = summarize_errors(std::move(errors));
    summary.drawn = drawn;
    return summary;
  }

 private:
  // Most random queries on many columns match no row. Those are told apart by the codes; the answers to the others
  // come from SQL, and only queries whose answer is not 0 there are kept.
  uint64_t draw(uint64_t wanted, const EncodedTable& original, ExactAnswers& exact, Progress& progress) {
    const QueryFinder finder(original.table, original.encoding.hierarchies, columns_);
    uint64_t drawn = 0;
    std::vector<Query> batch;
    while (queries_.size() < wanted && drawn < wanted * kDrawsPerQuery) {
      batch.clear();
      while (batch.size() < std::min(kBatch, wanted - queries_.size()) && drawn < wanted * kDrawsPerQuery) {
        Query query = draw_query(original.encoding.hierarchies, columns_, random_);
        if (++drawn % 256 == 0) progress.check();
        if (finder.any(query)) batch.push_back(std::move(query));
      }
      const std::vector<double> answers = exact.answer(batch);
      for (size_t i = 0; i < batch.size(); ++i) {
        if (answers[i] == 0) continue;
        queries_.push_back(std::move(batch[i]));
        answers_.push_back(answers[i]);
      }
      progress.update(double(queries_.size()) / double(wanted));
    }
    return drawn;
  }

  const std::vector<size_t> columns_;
  const std::optional<size_t> sum_;
  LongRandom random_;
  std::vector<Query> queries_;
  std::vector<double> answers_;
};

}  // namespace

void check_workload(const QueryWorkload& workload, const EncodedTable& original) {
  if (workload.queries == 0) wrong("0 queries tell nothing; ask for at least 1", Setting::queries);
  std::vector<size_t> columns = condition_columns(workload, original);
  if (const auto twice = std::adjacent_find(columns.begin(), columns.end()); twice != columns.end()) {
    wrong(fmt::format("columns of the queries: '{}' is named twice", original.table.quasi[*twice].name),
          Setting::query_columns);
  }
  if (workload.sum.empty()) return;
  const size_t sum = quasi_position(Setting::query_sum, workload.sum, original);
  if (!original.encoding.hierarchies[sum].numeric()) {
    wrong(fmt::format("the column to add up, '{}', is not numeric; name a numeric quasi column", workload.sum),
          Setting::query_sum);
  }
  std::erase(columns, sum);
  if (columns.empty()) {
    wrong(fmt::format("no column is left for the conditions of SUM queries, which are on the query columns other than "
                      "the one that is added up, '{}'",
                      workload.sum),
          Setting::query_columns);
  }
}

QueryErrors query_errors(const QueryWorkload& workload, const Job& job, const Source& source,
                         const EncodedTable& original, const ReleasedTable& released, DuckDb& duck,
                         Progress& progress) {
  progress.stage("queries");
  std::vector<size_t> columns = condition_columns(workload, original);
  QueryErrors errors;
  errors.seed = workload.seed;
  for (size_t column : columns) errors.columns.push_back(original.table.quasi[column].name);
  errors.count = Workload(columns, std::nullopt, workload.seed)
                     .run(workload.queries, job, source, original, released, duck, progress);
  if (workload.sum.empty()) return errors;
  const size_t sum = quasi_position(Setting::query_sum, workload.sum, original);
  std::erase(columns, sum);
  errors.sum_column = workload.sum;
  errors.sum =
      Workload(columns, sum, workload.seed).run(workload.queries, job, source, original, released, duck, progress);
  return errors;
}

}  // namespace shoal
