// What a joint model counts: pairs of a value of its sensitive column and a tuple of all the other ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shoal/model/histogram.h"

namespace shoal {

// Codes of all sensitive columns, one tuple after the other, with how many rows have each; a tuple may come again.
struct SensitiveTuples {
  size_t columns = 0;
  std::vector<uint32_t> codes;   // [tuple * columns + column]
  std::vector<uint32_t> counts;  // [tuple]: rows
};

// Immutable. Pairs are numbered other * values + value; tuples of other columns ascend by their codes, so that the
// numbers of a part of a table stand in the order of those of the whole.
class SensitivePairs {
 public:
  // Of a table that has these tuples. `values`: codes of the column `name` at that place. Throws Error(job) where there
  // are more pairs than numbers for them.
  SensitivePairs(size_t column, uint32_t values, const std::string& name, const SensitiveTuples& tuples);

  uint32_t others() const { return others_; }
  // Numbers are below it.
  uint32_t numbers() const { return others_ * values_; }
  // `codes`: of a row of the table, in all sensitive columns.
  uint32_t number(std::span<const uint32_t> codes) const;
  // Ascending, each pair that occurs once.
  const std::vector<ValueCount>& counts() const { return counts_; }

 private:
  const size_t column_, width_;  // width: of an other tuple
  const uint32_t values_;
  uint32_t others_ = 0;
  std::vector<uint32_t> tuples_;  // [other * width_ + i]
  std::vector<ValueCount> counts_;
};

}  // namespace shoal
