// Tables from Arrow streams. Another library fills the C structs, and its pointers must be trusted; its formats, names,
// nulls, offsets, indices and values need not be. So the structs are sound, and what they hold is random.
#include <cstring>

#include "fuzz/fuzz.h"
#include "shoal/encode/arrow_table.h"
#include "testing/arrow_arrays.h"

using namespace shoal;

namespace {

constexpr int64_t kRows = 8;

// A column of any format whose buffers are large enough for every format that is read.
testing::HandColumn column(fuzz::Bytes& bytes, bool may_have_dictionary) {
  static const char* const known[] = {
      "n",   "b",       "c",        "C",        "s",          "S",   "i",    "I",       "l",    "L",     "f", "g",
      "tdD", "tdm",     "tts",      "ttm",      "ttu",        "ttn", "tss:", "tsm:UTC", "tsu:", "tsn:x", "u", "U",
      "vu",  "d:19,10", "d:5,2,32", "d:9,0,64", "d:40,3,256", "+s",  "+l",   "z",       "w:3",  "e"};
  testing::HandColumn column;
  column.name = bytes.text(bytes.below(4));
  column.format = bytes.below(4) ? known[bytes.below(std::size(known))] : bytes.text(bytes.below(12));
  column.format = column.format.substr(0, column.format.find('\0'));
  column.name = column.name.substr(0, column.name.find('\0'));
  column.length = kRows;
  column.nulls = static_cast<int64_t>(bytes.below(2));
  column.offset = static_cast<int64_t>(bytes.below(4));
  const size_t places = static_cast<size_t>(kRows + 4);
  if (column.format == "u" || column.format == "U" || column.format == "vu") {
    std::vector<std::optional<std::string>> cells;
    for (size_t i = 0; i < places; ++i) cells.emplace_back(bytes.text(bytes.below(20)));
    testing::HandColumn texts = testing::text_column(column.name, column.format, cells);
    texts.length = kRows;
    texts.offset = column.offset;
    return texts;
  }
  std::string values = bytes.text(places * 32);
  values.resize(places * 32, '\1');
  column.buffers = {bytes.text(4) + std::string(4, '\x55'), values};
  if (may_have_dictionary && bytes.below(4) == 0) {
    column.dictionary = std::make_shared<testing::HandColumn>(::column(bytes, false));
  }
  return column;
}

}  // namespace

FUZZ_TARGET(bytes) {
  std::vector<testing::HandColumn> columns;
  for (size_t j = 0, count = bytes.below(4); j < count; ++j) columns.push_back(column(bytes, true));
  testing::HandStream hand({columns});
  ArrowArrayStream stream = hand.stream();
  ArrowTable table(stream, "stream");
  const Progress progress;
  for (size_t j = 0; j < table.columns().size(); ++j) {
    const size_t wanted[] = {j};
    try {
      size_t rows = 0, letters = 0;
      table.read(wanted, progress, [&](TextStream& text) {
        while (text.next()) {
          for (size_t row = 0; row < text.size(); ++row) letters += text.cell(0, row).size();
          rows += text.size();
        }
      });
      fuzz::expect(rows == table.rows(), "all rows are read");
      fuzz::expect(letters < 100'000, "cells are as long as their values make them");
    } catch (const Error&) {
      // a type that cannot be read; the next column may be
    }
  }
}
