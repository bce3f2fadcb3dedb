#include "shoal/encode/raw_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "shoal/encode/raw_encoding.h"
#include "shoal/run/counted.h"
#include "shoal/table/dictionary.h"
#include "shoal/table/fingerprint.h"

namespace shoal {
namespace {

// Codes whose number is not known beforehand: widened as the dictionary grows.
class GrowingCodes {
 public:
  void append(const std::vector<uint32_t>& codes, size_t count, size_t cardinality) {
    const int width = cardinality <= 256 ? 0 : cardinality <= 65536 ? 1 : 2;
    if (width > width_) widen(width);
    if (width_ == 0) bytes_.insert(bytes_.end(), codes.begin(), codes.begin() + static_cast<ptrdiff_t>(count));
    if (width_ == 1) words_.insert(words_.end(), codes.begin(), codes.begin() + static_cast<ptrdiff_t>(count));
    if (width_ == 2) longs_.insert(longs_.end(), codes.begin(), codes.begin() + static_cast<ptrdiff_t>(count));
  }
  Codes take() {
    if (width_ == 0) return Codes(std::move(bytes_));
    if (width_ == 1) return Codes(std::move(words_));
    return Codes(std::move(longs_));
  }

 private:
  void widen(int width) {
    if (width_ == 0 && width == 1) words_.assign(bytes_.begin(), bytes_.end());
    if (width_ == 0 && width == 2) longs_.assign(bytes_.begin(), bytes_.end());
    if (width_ == 1 && width == 2) longs_.assign(words_.begin(), words_.end());
    bytes_ = {};
    if (width == 2) words_ = {};
    width_ = width;
  }
  int width_ = 0;
  std::vector<uint8_t> bytes_;
  std::vector<uint16_t> words_;
  std::vector<uint32_t> longs_;
};

struct ColumnReader {
  Dictionary dictionary;
  GrowingCodes codes;
  std::vector<uint64_t> counts, first_rows;

  void read(const TextStream& stream, size_t column, uint64_t first_row, std::vector<uint32_t>& buffer) {
    for (size_t row = 0; row < stream.size(); ++row) {
      const uint32_t code = dictionary.code(stream.cell(column, row));
      if (code == counts.size()) {
        counts.push_back(0);
        first_rows.push_back(first_row + row);
      }
      ++counts[code];
      buffer[row] = code;
    }
    codes.append(buffer, stream.size(), dictionary.size());
  }
};

// Both halves of each row's fingerprint, kept apart: the second ones are gone after reading.
struct Prints {
  std::vector<uint64_t> first, second;

  void add(const TextStream& stream, size_t column, size_t first_row) {
    for (size_t row = 0; row < stream.size(); ++row) {
      Fingerprint print{first[first_row + row], second[first_row + row]};
      print.add(stream.cell(column, row));
      first[first_row + row] = print.first;
      second[first_row + row] = print.second;
    }
  }
};

// The first `columns` columns of the stream become codes, the others go into the fingerprints.
RawTable read_stream(TextStream& stream, const TableSource& source, const std::vector<size_t>& columns,
                     size_t fingerprinted) {
  RawTable table;
  std::vector<ColumnReader> readers(columns.size());
  std::vector<uint32_t> buffer;
  Prints prints;
  while (stream.next()) {
    buffer.resize(std::max(buffer.size(), stream.size()));
    for (size_t j = 0; j < columns.size(); ++j) readers[j].read(stream, j, table.rows, buffer);
    if (fingerprinted > 0) {
      prints.first.resize(table.rows + stream.size(), 0);
      prints.second.resize(table.rows + stream.size(), 0);
    }
    for (size_t j = 0; j < fingerprinted; ++j) prints.add(stream, columns.size() + j, table.rows);
    table.rows += stream.size();
    if (table.rows > UINT32_MAX - 1) {
      throw Error(ErrorKind::input, fmt::format("'{}' has more than {} rows", source.name(), UINT32_MAX - 1));
    }
  }
  tell_apart(prints.first, prints.second);
  table.rest = std::move(prints.first);
  for (size_t j = 0; j < columns.size(); ++j) {
    table.columns.push_back({source.columns()[columns[j]], readers[j].codes.take(), readers[j].dictionary.texts(),
                             std::move(readers[j].counts), std::move(readers[j].first_rows)});
  }
  return table;
}

}  // namespace

void add_to_first_halves(const TextStream& stream, size_t column, std::span<uint64_t> prints) {
  for (size_t row = 0; row < stream.size(); ++row) {
    prints[row] = Fingerprint::first_with(prints[row], stream.cell(column, row));
  }
}

RawTable read_columns(TableSource& source, const std::vector<size_t>& columns, const std::vector<size_t>& fingerprint,
                      const Progress& progress, std::span<const uint32_t> times) {
  std::vector<size_t> all = columns;
  all.insert(all.end(), fingerprint.begin(), fingerprint.end());
  RawTable table;
  source.read(all, progress,
              [&](TextStream& stream) { table = read_stream(stream, source, columns, fingerprint.size()); });
  if (table.rows == 0) {
    throw Error(ErrorKind::input, fmt::format("'{}' has a header but no rows", source.name()));
  }
  if (times.empty()) return table;
  if (times.size() != table.rows) {
    throw Error(ErrorKind::input, fmt::format("'{}' has {}, and it is said of {} for how many each stands",
                                              source.name(), counted(table.rows, "row"), times.size()));
  }
  for (RawColumn& column : table.columns) {
    std::fill(column.counts.begin(), column.counts.end(), uint64_t{0});
    column.codes.visit([&](auto codes) {
      for (size_t row = 0; row < codes.size(); ++row) column.counts[codes[row]] += times[row];
    });
  }
  return table;
}

}  // namespace shoal
