// Rows that stand for several (Table::times), as often as they stand for, for what looks at rows one by one: findings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/sampled_table.h"
#include "shoal/job/job.h"
#include "shoal/recode/recoding.h"
#include "shoal/run/progress.h"

namespace shoal {

// Findings about tables that are never there as a whole are looked for in about so many rows.
inline constexpr uint64_t kFindingRows = 500'000;
std::string findings_in_some_rows(uint64_t looked_at, uint64_t rows);

struct CountedOut {
  std::vector<uint32_t> rows;  // of the table, ascending, each as often as it is looked at
  bool all = true;             // each as often as it stands for
};
// All rows where these are at most `most`. Else about so many, in whole groups of the release: a group is drawn by a
// hash of what is printed, a large one more likely, of which a part then does (each row by its share of it): so that
// neither the order of rows nor the number of threads plays a part, and some group is always there. Rows that are
// dropped are left out then. Requires rows that stand for several, and one that is not dropped.
CountedOut counted_out(const EncodedTable& original, const ReleasedTable& released, uint64_t most = kFindingRows);

// These rows as a table of their own, and what becomes of them.
class RowsCountedOut {
 public:
  // `source`: of the original; it must outlive the object. Reads it once.
  RowsCountedOut(const Job& job, TableSource& source, const EncodedTable& original, const ReleasedTable& released,
                 const CountedOut& rows, Progress& progress);

  TableSource& table() { return table_; }
  const EncodedTable& original() const { return original_; }
  const ReleasedTable& released() const { return released_; }

 private:
  SampledTable table_;
  EncodedTable original_;
  ReleasedTable released_;
};

}  // namespace shoal
