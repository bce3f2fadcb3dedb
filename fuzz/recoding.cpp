// Recodings from files, put to use on new rows.
#include "fuzz/fuzz.h"
#include "shoal/read/read_recoding.h"

using namespace shoal;

FUZZ_TARGET(bytes) {
  const std::string cells[] = {"", "1", "17", "Male", bytes.text(bytes.below(8))};
  const fuzz::MemoryFile file(bytes.rest());
  const RecodingFile read = read_recoding(file.path());
  std::vector<std::string> texts(std::begin(cells), std::end(cells));
  Codes codes(texts.size(), texts.size());
  for (size_t row = 0; row < texts.size(); ++row) codes.set(row, static_cast<uint32_t>(row));
  const std::vector<NewColumn> columns(read.recoding.columns.size(), NewColumn{texts, &codes});
  const auto recoded = recode_new_texts(read.recoding, MissingTexts(read.missing), texts.size(), columns);
  fuzz::expect(recoded.size() == columns.size(), "every column is recoded");
  for (const RecodedTexts& column : recoded) {
    for (size_t row = 0; row < texts.size(); ++row) {
      fuzz::expect(column.codes[row] < column.texts.size(), "every cell has a text");
    }
  }
}
