// A table that is too large to hold: its rows are handed on as they are read, in numbers that become codes once all of
// it was seen.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/counted_table.h"
#include "shoal/encode/encoding.h"
#include "shoal/encode/table_source.h"

namespace shoal {

// What is known once every row was read. Memory: the different texts of the quasi, target and sensitive columns, and a
// number for each person (while reading: its text).
struct StreamedTable {
  uint64_t rows = 0;
  Encoding encoding;  // as encode_table makes it
  // [column in the order in which numbers are handed on][number as handed on]: its code
  std::vector<std::vector<uint32_t>> code_of;
  std::vector<std::string> quasi;          // names
  std::optional<std::string> target;       // name
  std::vector<std::string> target_values;  // texts of its codes
  std::vector<std::string> sensitive;      // names
  std::optional<std::string> person;       // name
  WholeTable whole;                        // what models compare with
  bool has_rest = false;                   // fingerprints say something (Table::rest)

  // Columns that rows have numbers of: quasi columns, the target, sensitive columns, the person.
  size_t coded() const { return quasi.size() + (target ? 1 : 0) + sensitive.size() + (person ? 1 : 0); }
};

// Who takes the rows. Throws what it likes.
struct RowTaker {
  std::function<void()> begin_anew;  // the source is read from its start (again): forget everything
  // Rows in order: their numbers, one after the other for each row (quasi columns, the target, sensitive columns, the
  // person), and fingerprints.
  std::function<void(std::span<const uint32_t> numbers, std::span<const uint64_t> rest)> take;
};

// Reads the job's quasi, target, sensitive and person columns and the fingerprints of what else is released, once.
// Throws Error(input) as encode_table does.
StreamedTable stream_table(const Job& job, TableSource& source, const RowTaker& taker, const Progress& progress);

}  // namespace shoal
