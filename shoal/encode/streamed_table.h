// A table that is too large to hold: its rows are handed on as they are read, in numbers that become codes once all of
// it was seen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/table_source.h"

namespace shoal {

// What is known once every row was read. Memory: the different texts of the quasi and target columns.
struct StreamedTable {
  uint64_t rows = 0;
  Encoding encoding;                             // as encode_table makes it
  std::vector<std::vector<uint32_t>> code_of;    // [quasi column, then the target][number as handed on]: its code
  std::vector<std::string> quasi;                // names
  std::optional<std::string> target;             // name
  std::vector<std::string> target_values;        // texts of its codes
  bool has_rest = false;                         // fingerprints say something (Table::rest)
};

// Who takes the rows. Throws what it likes.
struct RowTaker {
  std::function<void()> begin_anew;  // the source is read from its start (again): forget everything
  // Rows in order: their numbers, one after the other for each row (quasi columns, then the target), and fingerprints.
  std::function<void(std::span<const uint32_t> numbers, std::span<const uint64_t> rest)> take;
};

// Reads the job's quasi and target columns and the fingerprints of what else is released, once. Sensitive and person columns
// are not known here: the job must have none. Throws Error(input) as encode_table does.
StreamedTable stream_table(const Job& job, TableSource& source, const RowTaker& taker, const Progress& progress);

}  // namespace shoal
