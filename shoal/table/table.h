// The part of a person-level table that the engine holds: its quasi, sensitive and target columns, as codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
  std::optional<Column> person;   // who a row is about; its values are not kept
  // One number per row for the released columns that are neither quasi nor target (plain, sensitive), empty when
  // there are none. Two rows with the same number are the same there, by 128 bits (fingerprint.h).
  std::vector<uint64_t> rest;
};

}  // namespace shoal
