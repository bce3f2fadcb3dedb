// Are released numbers the means of the originals that they stand for?
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/read/dictionary.h"
#include "shoal/verify/verify.h"

namespace shoal {

// The columns of all requirements (all quasi columns where there are none) when the job's method may release numbers as
// means of the rows that look alike in these columns; else nothing.
std::vector<std::string> columns_with_means(const Job& job);

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
  // its decimals.
  VerificationCheck result() const;

 private:
  struct Sum {
    double total = 0;
    uint64_t numbers = 0, equal = 0;  // originals that are numbers; that equal the released one
    double released = 0;
  };
  struct Combination {
    uint64_t first_row = 0, rows = 0;
  };
  std::string culprit(size_t combination, size_t column) const;

  std::vector<Column> columns_;
  Dictionary keys_;  // a combination: each cell's length, then its text
  std::string key_;
  std::vector<Combination> combinations_;
  std::vector<Sum> sums_;  // [combination * columns + column]
  uint64_t rows_ = 0;
};

}  // namespace shoal
