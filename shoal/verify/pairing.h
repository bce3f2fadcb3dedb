// Released rows and the original rows that they stand for: what the ways to pair them share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/run/progress.h"
#include "shoal/verify/coverage.h"

namespace shoal {

// One released column beside its original: recoded cells must cover, others be the same text.
struct ComparedColumn {
  std::string name;
  std::optional<CellCoverage> coverage;
  bool fits(std::string_view original, std::string_view released) {
    return coverage ? coverage->covers(original, released) : same_text(original, released);
  }
};

// Why rows do not fit.
struct Misfit {
  std::string detail;   // without cells
  std::string culprit;  // the cells, or ""
};
Misfit cell_misfit(uint64_t released_row, const ComparedColumn& column, std::string_view original,
                   std::string_view released);
// A column of texts whose cells were taken for numbers (CellCoverage::contradiction), if there is one.
std::optional<Misfit> contradictions(const std::vector<ComparedColumn>& columns);

// What came of the attempt to give every released row an original row of its own.
struct Pairing {
  uint64_t released = 0, originals = 0;  // rows of both, as far as they were read: to the end where nothing is wrong
  std::optional<Misfit> misfit;          // set: no pairing
};

// Both tables and what is compared: columns[i] is column release_columns[i] of the one and original_columns[i] of the
// other.
struct ComparedTables {
  std::vector<ComparedColumn>& columns;
  TableSource& release;
  std::vector<size_t> release_columns;
  TableSource& original;
  std::vector<size_t> original_columns;
  const Progress& progress;
};

}  // namespace shoal
