// What a release in memory says about cells, and about rows that come later: for those who learn from it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/encode/arrow_table.h"
#include "shoal/job/job.h"
#include "shoal/recode/new_rows.h"
#include "shoal/release/anonymize.h"
#include "shoal/run/progress.h"

namespace shoal {

// How a release recodes rows that come later: plain data, which outlives the release.
struct RowMapping {
  WrittenRecoding recoding;
  std::vector<std::string> missing;  // texts that mean "missing", besides the empty cell
  std::vector<std::string> columns;  // that the release has; others are left out
};

// Values find their release, rows of the shape regions their region. Groups belong to the rows they were made of; a new
// row is taken for the group whose cells it violates least, of several the one of least loss. Requires a release with a
// recoding.
RowMapping row_mapping(const Release& release, const Job& job);

// Rows as the release would have them, in the order they came in: recoded columns replaced, columns that the release
// does not have left out. Numbers not seen before go with the nearest, unknown categories become `*`. New rows are
// promised no k. Throws Error(input) where a recoded column is not there.
ArrowColumns recode_new_rows(const RowMapping& mapping, ArrowTable& rows, const Progress& progress);

// What a released text of a quasi column stands for: the values of the original from the first to the last leaf.
struct CellMeaning {
  std::string text;  // "": a missing cell that stays missing
  uint32_t first_leaf = 0, last_leaf = 0;
};
// Of every text that the release may have in quasi column `quasi` (a number into release.encoding); some more than
// once.
std::vector<CellMeaning> cell_meanings(const Release& release, size_t quasi);

}  // namespace shoal
