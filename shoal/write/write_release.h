// Writes a release: recoded quasi columns, every other column but identifiers as it stands in the input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/encode/roles.h"
#include "shoal/hierarchy/hierarchy.h"
#include "shoal/read/duck.h"
#include "shoal/read/source.h"
#include "shoal/recode/recoding.h"
#include "shoal/table/table.h"

namespace shoal {

// The place of a row that is not released.
inline constexpr uint32_t kDroppedRow = UINT32_MAX;

// What becomes of each row, where that is not in memory for all of them.
class ReleasedRows {
 public:
  ReleasedRows() = default;
  ReleasedRows(const ReleasedRows&) = delete;
  ReleasedRows& operator=(const ReleasedRows&) = delete;
  virtual ~ReleasedRows() = default;
  // The next row to come is the input's first.
  virtual void begin() = 0;
  // Of the next row of the input: its place in the release (any number where rows stay in order, kDroppedRow where it
  // is left out), then for each quasi column a number into the values of its ReleasedColumn. Good until the next call.
  // Requires that there is one.
  virtual const uint32_t* next() = 0;
  // How many of them are released.
  virtual uint64_t kept() const = 0;
};

struct ReleaseParts {
  const Source& source;
  const std::vector<ColumnPlan>& columns;  // of the source, in file order
  const Table& table;
  const std::vector<Hierarchy>& hierarchies;
  const ReleasedTable& released;
  // Original row of each released row, in the order of the release; nullptr: that of the input.
  const std::vector<uint32_t>* row_order = nullptr;
  bool escape_formulas = false;  // in text tables; the names of columns must need none
  // Set: `table` and `released` have the rows' number and all texts, but no codes; rows come from here, and
  // `row_order` only says whether they are put into another order.
  ReleasedRows* streamed = nullptr;
};

// Writes to `path` in the format that `kind` says; rows are streamed from the source again, so that of the other
// columns no more than a part is ever held in memory. Text tables use `delimiter`. Throws Error(job) when the disk is
// full or the like.
void write_release(const ReleaseParts& parts, const std::string& path, const FileKind& kind,
                   const std::string& delimiter, DuckDb& duck, Progress& progress);

}  // namespace shoal
