// SUDA2 scores (Elliot, Manning, Ford 2002; Manning, Haglin, Keane 2008): rows that stand out by few of their values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/run/progress.h"
#include "shoal/table/groups.h"

namespace shoal {

struct SudaScores {
  size_t columns = 0, largest = 0;     // sets of up to `largest` of the columns were looked at
  std::vector<uint64_t> sets_of_size;  // minimal sample uniques of size 1, 2, ...: [size - 1]
  std::vector<double> score_of_row;
  uint64_t rows_with_score() const;
  double highest() const;
};

// A minimal sample unique of a row is a set of columns on which it is alone, and on no smaller set of these. A row's
// score is the sum of (d - m)! over its minimal sample uniques, m being the size of each and d the number of columns.
// Looks at every set of up to `largest` columns: rows x sets. Requires largest <= columns <= 64.
SudaScores suda_scores(size_t rows, std::span<const GroupKey> columns, size_t largest, const Progress& progress);

// The largest size for which at most 5,000 sets are looked at.
size_t suda_size(size_t columns);

}  // namespace shoal
