// The part of a person-level table that the engine holds: its quasi, sensitive and target columns, as codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/table/codes.h"

namespace shoal {

// One dictionary-encoded column. In a quasi column the code IS the leaf position in the column's Hierarchy
// (numeric columns: position in ascending order of number), so that a group is an interval per column.
struct Column {
  std::string name;
  Codes codes;                      // one per row
  std::vector<std::string> values;  // text of each code, as released when the cell is not recoded
};

struct Table {
  size_t rows = 0;
  std::vector<Column> quasi;      // in the order of the input file
  std::vector<Column> sensitive;  // in the order of the input file
  std::optional<Column> target;
  std::optional<Column> person;  // who a row is about; its values are not kept
  // One number per row for the released columns that are neither quasi nor target (plain, sensitive), empty when
  // there are none. Two rows with the same number are the same there, by 128 bits (fingerprint.h).
  std::vector<uint64_t> rest;
  // Where a row stands for several of the input, alike in all that is held here: for how many. Empty: each for itself.
  // Only methods that say so are given such a table (MethodEntry::alike_rows).
  std::vector<uint32_t> times;

  uint32_t times_of(size_t row) const { return times.empty() ? 1 : times[row]; }
  // Of the input. Cost: linear in rows where these stand for several.
  uint64_t input_rows() const {
    return times.empty() ? rows : std::accumulate(times.begin(), times.end(), uint64_t{0});
  }
  // The same of some rows.
  uint64_t input_rows_of(std::span<const uint32_t> some) const {
    if (times.empty()) return some.size();
    return std::accumulate(some.begin(), some.end(), uint64_t{0},
                           [&](uint64_t sum, uint32_t row) { return sum + times[row]; });
  }
};

}  // namespace shoal
