// Rows in an order that their content decides, so that a search answers alike whatever the order of the input.
#pragma once

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
  // Cost: n log n comparisons of numbers. Memory: 4 bytes a row, 16 more for a while.
  ContentOrder(const Table& table, const Progress& progress);

  // Puts the rows into that order, and back.
  void arrange(Table& table) const;
  void restore(Table& table) const;
  // Gives the rows of an answer about the arranged table the numbers of the table as it was.
  void restore(Recoding& recoding) const;

 private:
  std::vector<uint32_t> row_at_;  // [place]
};

}  // namespace shoal
