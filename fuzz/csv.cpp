// Plain CSV: the same rows, or the same refusal, whatever the size of the chunks and whether they are read ahead.
#include <vector>

#include "fuzz/fuzz.h"
#include "shoal/read/csv_marks.h"
#include "shoal/read/csv_stream.h"
#include "shoal/read/source.h"

using namespace shoal;

namespace {

struct Read {
  bool regular = true;
  std::vector<std::string> cells;
  bool operator==(const Read&) const = default;
};

Read read(const std::string& path, CsvShape shape, size_t chunk_bytes, bool ahead) {
  shape.chunk_bytes = chunk_bytes;
  shape.ahead = ahead;
  std::vector<size_t> wanted;
  for (size_t column = 0; column < shape.columns; ++column) wanted.push_back(column);
  Read result;
  const Progress progress;
  try {
    CsvStream stream(path, shape, wanted, progress);
    while (stream.next()) {
      for (size_t row = 0; row < stream.size(); ++row) {
        for (size_t column : wanted) result.cells.emplace_back(stream.cell(column, row));
      }
    }
  } catch (const IrregularCsv&) {
    return {false, {}};
  }
  return result;
}

}  // namespace

FUZZ_TARGET(bytes) {
  const char delimiters[] = {',', ';', '\t', '|'};
  CsvShape shape;
  shape.delimiter = delimiters[bytes.below(4)];
  const size_t chunk = 1 + bytes.byte();
  const std::string text = bytes.rest();
  shape.columns = split_csv_line(text.substr(0, text.find('\n')), shape.delimiter).size();
  const fuzz::MemoryFile file(text);
  const Read whole = read(file.path(), shape, size_t{1} << 18, false);
  fuzz::expect(whole == read(file.path(), shape, chunk, false), "chunks change nothing");
  fuzz::expect(!whole.regular || whole.cells.size() % shape.columns == 0, "every row has all its cells");
  for (const std::string& cell : whole.cells) fuzz::expect(is_utf8(cell), "cells are UTF-8");
}
