// A model's promise as plain SQL text: the groups of a written table that break it. A second opinion that shares
// nothing with the classes: any engine can run it (DuckDB, SQLite from 3.39 on, Spark, a warehouse).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/model/model.h"

namespace shoal {

struct ModelQuery {
  std::string relation;                    // SQL for the table: a quoted name, a reader's call, a query in brackets
  std::vector<std::string> group_columns;  // names as they are; for a joint model also the other sensitive columns
  // The whole input, for models that compare with it: texts, counts, order and tree of the sensitive column.
  const WholeColumn* whole = nullptr;
  std::optional<uint32_t> missing;  // the code that is NULL in the relation
  std::string population;           // column with how many people of the population each row's released values fit
  std::string times{};              // column with for how many rows each row stands; empty: for itself
};

// A query without rows when the model holds; else one row for each group that breaks it: the group's cells, then its
// number of rows, `shoal_rows` (average-risk: one row with `shoal_groups` and `shoal_rows`). Sensitive cells are
// compared as text. Whole numbers throughout, except for logarithms, which allow 10^-9. A cell that the whole table
// does not have breaks every model that compares with it. Requires a checked spec and whatever of ModelQuery it needs:
// else std::logic_error; so does lkc, which is several requirements (lkc.h).
std::string violations_sql(const ModelSpec& spec, const ModelQuery& query);

}  // namespace shoal
