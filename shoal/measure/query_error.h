// How wrong answers from a release are: random COUNT and SUM queries, answered on the release as an analyst would.
//
// docs/measures.md, section "Query error", has the formulas. The exact answers come from elsewhere
// (read/exact_answers.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/recode/recoding.h"
#include "shoal/run/seeded_random.h"
#include "shoal/table/groups.h"
#include "shoal/table/table.h"

namespace shoal {

// "The cell is one of the leaves first .. last": a value, a node, or a range of numbers from one value to another.
struct QueryCondition {
  size_t column;  // index into the quasi columns
  uint32_t first, last;
};
using Query = std::vector<QueryCondition>;  // all conditions hold

// A condition on each of the columns: on a numeric one a range between two of its values, drawn alike; on others, half
// of the time, a value, else an inner node of its hierarchy (the root is one). Missing is a value, but in no range.
Query draw_query(const std::vector<Hierarchy>& hierarchies, std::span<const size_t> columns, LongRandom& random);

// Tells queries that no row satisfies from others, without counting. Immutable: safe to share between threads.
class QueryFinder {
 public:
  // Conditions on `columns` (of the table's quasi columns) only. Cost: linear in rows x columns.
  QueryFinder(const Table& table, const std::vector<Hierarchy>& hierarchies, std::span<const size_t> columns);

  // Cost: at most the distinct tuples that satisfy the rarest condition; stops at the first that satisfies all.
  bool any(const Query& query) const;

 private:
  struct Part {
    size_t column;
    std::vector<uint32_t> leaf_of_tuple;
    std::vector<uint32_t> tuples, starts;  // tuples sorted by leaf; where each leaf begins
  };
  const Part& part(size_t column) const;
  std::vector<Part> parts_;
};

// The answers of a release. Immutable: safe to share between threads.
class QueryEstimator {
 public:
  // Queries may have conditions on `columns` only. `sum`: the numeric quasi column to add up, not among them.
  // Hierarchies and release must outlive the estimator. Cost: linear in rows x columns.
  QueryEstimator(const std::vector<Hierarchy>& hierarchies, const ReleasedTable& released, size_t rows,
                 std::vector<size_t> columns, std::optional<size_t> sum);

  // The expected number of rows that the query counts, or (with `sum`) the expected sum over these rows. Rows that were
  // dropped count as rows of "*". Cost: distinct released tuples x columns.
  double estimate(const Query& query) const;

  // The chance that a cell released so satisfies the condition: 0 .. 1.
  double share(const Released& cell, const QueryCondition& condition) const;
  // The expected number in a cell released so; 0 for missing. Requires a numeric column.
  double expected_number(const Released& cell, size_t column) const;

 private:
  struct Part {
    size_t column;
    std::vector<Released> values;  // distinct releases; the last stands for dropped rows
    std::vector<uint32_t> value_of_tuple;
  };
  const std::vector<Hierarchy>& hierarchies_;
  std::vector<bool> whole_;  // [quasi column]: all its numbers are whole
  std::vector<Part> parts_;
  std::vector<double> worth_;  // [distinct tuple]: rows, or rows x expected number
};

// Of the relative errors |exact - estimate| / |exact|.
struct QueryErrorSummary {
  uint64_t drawn = 0;                             // queries drawn until there were enough whose exact answer is not 0
  uint64_t queries = 0;                           // of these
  double mean = 0, median = 0, percentile90 = 0;  // nearest rank; the median of an even number is a mean of two
};
QueryErrorSummary summarize_errors(std::vector<double> errors);

// What a workload found.
struct QueryErrors {
  uint64_t seed = 1;
  std::vector<std::string> columns;
  QueryErrorSummary count;
  std::string sum_column;
  std::optional<QueryErrorSummary> sum;
};

}  // namespace shoal
