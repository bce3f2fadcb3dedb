// Writes a release: recoded quasi columns, every other column but identifiers as it stands in the input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/hierarchy/hierarchy.h"
#include "shoal/read/read_table.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

struct ReleaseParts {
  const Source& source;
  const std::vector<ColumnPlan>& columns;  // of the source, in file order
  const Table& table;
  const std::vector<Hierarchy>& hierarchies;
  const ReleasedTable& released;
  // Original row of each released row when the release is shuffled; empty: input order.
  std::vector<uint32_t> row_order;
};

// Writes to `path` in the format that `kind` says; rows are streamed from the source again, so that only the quasi
// columns are held in memory. Text tables use `delimiter`. Throws Error(job) when the disk is full or the like.
void write_release(const ReleaseParts& parts, const std::string& path, const FileKind& kind,
                   const std::string& delimiter, DuckDb& duck, Progress& progress);

}  // namespace shoal
