// What the cells of a column look like: counts, how they are written, and a sample of the rows. What `inspect` reasons
// from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/encode/table_source.h"
#include "shoal/hierarchy/date_text.h"
#include "shoal/run/progress.h"

namespace shoal {

// About the different values of a column, missing ones left out.
struct ValueShapes {
  uint64_t numbers = 0;        // that read as numbers with a decimal point
  uint64_t whole = 0;          // that are whole numbers, written with digits alone (and a sign)
  uint64_t comma_numbers = 0;  // that read as numbers where the comma is the decimal mark
  uint64_t comma_proofs = 0;   // ... and cannot be read in another way: 3,5 or 1.234,5 but not 1,234
  uint64_t point_groups = 0;   // ... and have points between thousands
  uint64_t leading_zeros = 0;  // 02139
  uint64_t with_digit = 0;
  uint64_t emails = 0, phones = 0, addresses_of_pages = 0;  // "a@b.c", "+49 171 ...", "https://..."
  uint64_t icd = 0;                                         // E11.9, S72.0
  uint64_t characters = 0, words = 0;                       // added up
  size_t shortest = 0, longest = 0;                         // in bytes
  DateFormats dates;
};

struct ColumnProfile {
  std::string name;
  uint64_t rows = 0;
  uint64_t missing = 0;   // rows
  uint64_t distinct = 0;  // values, missing ones left out; told apart by 64 bits of a hash
  uint64_t once = 0;      // values that one row has
  uint64_t most = 0;      // rows of the most frequent value
  double separation = 0;  // share of the pairs of rows that differ in the column; missing is a value of its own
  ValueShapes shapes;
  std::vector<std::string> values;         // all of them, unless there are more than kMostHeld: then none
  std::vector<uint64_t> counts;            // rows of each
  std::vector<std::string> examples;       // the first few different ones
  std::vector<std::string> missing_texts;  // that were taken for "missing" here, without the empty cell
  std::vector<uint64_t> sample;            // a hash of the cell for each sampled row; the rows in random order
};
inline constexpr uint64_t kMostHeld = 100'000;

struct ProfileSettings {
  std::vector<std::string> missing = {};  // texts that mean missing, besides the empty cell and those below
  size_t sample_rows = 50'000;            // drawn so that every row is as likely; all, where there are not more
  uint64_t seed = 1;
};

struct TableProfile {
  uint64_t rows = 0;
  uint64_t sampled = 0;
  std::vector<ColumnProfile> columns;  // all of the source, in its order
};

// Reads the table once. These texts are taken for "missing": ? NA N/A n/a #N/A NULL null NaN nan; also - -- . where
// all other values of the column are numbers or dates. The same for any number of threads. Memory: 24 bytes and the
// text for each different value (no texts beyond kMostHeld), 8 bytes for a sampled cell.
TableProfile profile_table(TableSource& source, const ProfileSettings& settings, int threads, const Progress& progress);

}  // namespace shoal
