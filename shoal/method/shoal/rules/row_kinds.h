// Rows that a rule counts alike: they may change places without any group noticing.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/model/group_rule.h"

namespace shoal {

// The kind of every row: its values on all columns that the rule counts, persons aside (hardly two rows are of one
// person). Values of columns that have many are taken together with their neighbours, so that most kinds have several
// rows in a pool of a hundred; rows of one kind then need not count alike: alike() says.
// Kinds are numbered so that near codes get near numbers. Cost: linear in the rows, and sorting the kinds that occur.
class RowKinds {
 public:
  RowKinds(const GroupRule& rule, size_t rows);

  uint32_t kinds() const { return kinds_; }
  uint32_t of(uint32_t row) const { return of_row_[row]; }
  // Whether the rule counts all rows of one kind alike.
  bool exact() const { return exact_; }
  // Whether the rule counts both rows alike for certain.
  bool alike(uint32_t a, uint32_t b) const { return exact_ && of_row_[a] == of_row_[b]; }

 private:
  uint32_t kinds_ = 1;
  bool exact_ = true;  // kinds tell all rows apart that the rule tells apart
  std::vector<uint32_t> of_row_;
};

}  // namespace shoal
