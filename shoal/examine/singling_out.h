// Which few columns together single out most rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/examine/column_profile.h"
#include "shoal/run/progress.h"

namespace shoal {

struct SinglingSet {
  std::vector<std::string> columns;
  uint64_t unique_rows = 0;  // that no other row of the table looks like on these columns: counted in all rows
  double share = 0;          // of the rows
  double at_most = 0;        // what the sample said: no more than this share, give or take 1 % at 10,000 rows
};

// For one column, two, and so on up to four: the sets that single out most rows, best first, at most three of each
// size; no larger sets once one singles out 95 %. Sets are compared on 10,000 sampled rows, where a row that is unique
// in the table is unique, too, so that the share there bounds the share in the table from above; those that are given
// are then counted in the table, in one reading. All sets of a size are compared where there are at most 1,500, else
// those that extend the 30 best of the size before. `columns`: into the table's. Values are told apart by 64 bits of a
// hash.
std::vector<SinglingSet> singling_sets(const TableProfile& profile, const std::vector<size_t>& columns,
                                       TableSource& source, const Progress& progress);

}  // namespace shoal
