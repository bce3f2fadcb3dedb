// Columns that are not recoded, counted without holding their texts: what findings are made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/run/progress.h"
#include "shoal/table/codes.h"
#include "shoal/table/formula_cell.h"

namespace shoal {

struct CensusColumn {
  std::string name;
  Codes codes;                   // one per row, numbered in order of first appearance
  std::vector<uint32_t> counts;  // rows per value
  uint64_t formula_cells = 0;    // see is_formula in formula_cell.h
  uint64_t date_values = 0;      // distinct values that look like a date
  uint64_t empty_cells = 0;
  // Of each value where it stands among the others, when nine tenths of the cells are numbers or dates; of a value that
  // is neither not a number. Else empty.
  std::vector<double> places;
};

// Reads these columns of the source once, or in several passes where their codes would take more than some hundred
// megabytes. Values are told apart by 64 bits of a hash, so that numbers found are evidence and not proof. Memory: 1 to
// 4 bytes a row and column, 16 to 32 a distinct value. Throws Error(input) as the source does.
std::vector<CensusColumn> take_census(TableSource& source, const std::vector<size_t>& columns,
                                      const Progress& progress);

// Where a cell stands among others of its column: a number as it is, a date by year, month and day; else not a number.
double place_of(std::string_view cell);
// The places of a column's values, given for every value; none where too few cells have one.
std::vector<double> useful_places(std::vector<double> places, const std::vector<uint32_t>& counts);

// "2024-03-17", "17.03.2024", "3/17/2024", each maybe with a time after it.
bool looks_like_date(std::string_view cell);

}  // namespace shoal
