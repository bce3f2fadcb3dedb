// Plain CSV, parsed by ourselves: many times cheaper than a general reader, for tables that are as they should be.
#pragma once

#include <exception>
#include <future>
#include <memory>
#include <span>
#include <string>

#include "shoal/run/progress.h"
#include "shoal/table/text_stream.h"

namespace shoal {

// Something in the file that CsvStream leaves to DuckDB, which accepts it or says what is wrong with it.
class IrregularCsv : public std::exception {
 public:
  const char* what() const noexcept override { return "not a CSV file of the regular kind"; }
};

struct CsvShape {
  char delimiter = ',';
  size_t columns = 1;                    // the header has as many cells
  size_t chunk_bytes = size_t{1} << 18;  // read at a time; rows may be longer
  bool ahead = true;                     // parse the next chunk in a thread of its own while the caller works on one
};

// The rows after the header. A file is regular when it is UTF-8 (with a byte order mark or without) without zero bytes,
// every row has as many cells as the header, line ends are all \n or all \r\n, quotes enclose whole cells and are
// doubled inside them, no row has more than a megabyte, and a table of one column has no empty lines. The last line end
// may be missing. next() throws IrregularCsv as soon as it meets anything else: rows given before are then worth
// nothing.
// Memory: a few chunks.
class CsvStream : public TextStream {
 public:
  // Which delimiters it knows; others are left to DuckDB.
  static bool knows(char delimiter);

  // Cells of the wanted columns (numbers from 0, any order, also twice). Throws IrregularCsv when the file cannot be
  // read. `progress` must outlive the stream.
  CsvStream(const std::string& path, const CsvShape& shape, std::span<const size_t> wanted, const Progress& progress);
  ~CsvStream() override;

  // Throws IrregularCsv, and Error(cancelled).
  bool next() override;

 private:
  struct Chunk;
  class Parser;

  const Progress& progress_;
  const bool ahead_;
  std::vector<size_t> slots_;  // for each wanted column, where the parser puts its cells
  std::unique_ptr<Parser> parser_;
  std::unique_ptr<Chunk> current_, coming_;
  std::future<void> parsing_;  // of coming_; last, for it must end before the others go
};

}  // namespace shoal
