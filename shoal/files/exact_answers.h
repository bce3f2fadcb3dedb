// The exact answers to COUNT and SUM queries, by SQL on the original table: nothing of the engine's own counting.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/job/job.h"
#include "shoal/measure/query_error.h"
#include "shoal/read/duck.h"
#include "shoal/read/source.h"

namespace shoal {

class ExactAnswers {
 public:
  // Reads the given quasi columns, and `sum` (numeric), into DuckDB. All arguments must outlive the object; one object
  // per DuckDb at a time.
  ExactAnswers(const Job& job, const Source& source, const EncodedTable& original, std::span<const size_t> columns,
               std::optional<size_t> sum, DuckDb& duck, const Progress& progress);

  // One number per query: rows, or with `sum` the sum of that column over these rows (missing cells count 0).
  std::vector<double> answer(std::span<const Query> queries);

 private:
  std::string leaf_table(size_t column) const;
  std::string condition(const QueryCondition& condition) const;

  const EncodedTable& original_;
  const std::optional<size_t> sum_;
  DuckDb& duck_;
  const Progress& progress_;
};

}  // namespace shoal
