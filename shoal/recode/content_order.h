// Rows in an order that their content decides, so that a search answers alike whatever the order of the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/recode/recoding.h"
#include "shoal/run/progress.h"
#include "shoal/table/table.h"

namespace shoal {

// Methods break ties by the number of a row. Rows are therefore numbered for the search by their quasi codes, then by
// target, sensitive and person codes and the fingerprint of the rest; rows that still tie are alike in everything that
// is released or asked about, so that it does not matter which is which.
class ContentOrder {
 public:
  // Cost: n log n comparisons of numbers. Memory: 4 bytes a row, up to 24 more for a while.
  ContentOrder(const Table& table, const Progress& progress);

  // Puts the rows into that order, and back.
  void arrange(Table& table) const;
  void restore(Table& table) const;
  // Gives the rows of an answer about the arranged table the numbers of the table as it was.
  void restore(Recoding& recoding) const;

 private:
  std::vector<uint32_t> row_at_;  // [place]
};

// Rows by some columns first, with the runs of those that agree there.
struct OrderedRows {
  std::vector<uint32_t> rows;    // all rows of the table
  std::vector<uint32_t> starts;  // of runs that agree on the first columns, in `rows`; the last is the number of rows
  size_t tuples() const { return starts.size() - 1; }
};
// Ascending by the codes of the quasi columns `columns`, then of the other ones and the target, then by what else is
// released (Table::rest). Rows that agree on all of this stand in input order; they differ at most in what is asked
// about them and in whom they are about. Cost and memory: as above.
OrderedRows ordered_rows(const Table& table, const std::vector<size_t>& columns, const Progress& progress);

}  // namespace shoal
