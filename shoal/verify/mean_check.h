// Are released numbers the means of the originals that they stand for?
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/table/decimal.h"
#include "shoal/table/dictionary.h"
#include "shoal/verify/verify.h"

namespace shoal {

// Adds up the originals of every combination of released cells. Memory: one key and one sum per column for each of
// them.
class MeanCheck {
 public:
  struct Column {
    std::string name;
    bool averaged;  // its released numbers must be means; else it only tells which rows look alike
  };
  explicit MeanCheck(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One released row and its original, a cell for each column.
  void add(std::span<const std::string_view> released, std::span<const std::string_view> original);

  // A number passes when every original equals it, or when it has at least two decimals and is their mean rounded to
  // its decimals: computed without rounding.
  VerificationCheck result() const;

 private:
  struct Sum {
    ExactSum total;
    uint64_t numbers = 0, equal = 0;  // originals that are numbers; that equal the released one
    std::optional<Decimal> released;  // nothing where it is no mean
  };
  struct Combination {
    uint64_t first_row = 0, rows = 0;
  };
  VerificationCheck failure(size_t combination, size_t column) const;

  std::vector<Column> columns_;
  Dictionary keys_;  // a combination: each cell's length, then its text
  std::string key_;
  std::vector<Combination> combinations_;
  std::vector<Sum> sums_;  // [combination * columns + column]
  uint64_t rows_ = 0;
};

}  // namespace shoal
