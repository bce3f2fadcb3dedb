// Columns of a table as they were read: texts and codes, before anything is known about their meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/table/codes.h"

namespace shoal {

// One column as read: texts in order of first appearance.
struct RawColumn {
  std::string name;
  Codes codes;  // into texts
  std::vector<std::string> texts;
  std::vector<uint64_t> counts;      // rows per text
  std::vector<uint64_t> first_rows;  // where each text was first seen
};

struct RawTable {
  size_t rows = 0;
  std::vector<RawColumn> columns;
  std::vector<uint64_t> rest;  // see Table::rest; empty when nothing was fingerprinted
};

// Reads the named columns (indices into source.columns()); `fingerprint` lists columns that only go into `rest`.
// `times`: for how many rows each row stands (Table::times), which is what `counts` count then; empty: for itself.
// Throws Error(input) as the source does, for a table without rows, and for one with another number of rows than
// `times`.
RawTable read_columns(TableSource& source, const std::vector<size_t>& columns, const std::vector<size_t>& fingerprint,
                      const Progress& progress, std::span<const uint32_t> times = {});

}  // namespace shoal
