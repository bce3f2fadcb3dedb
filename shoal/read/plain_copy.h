// Text tables that are written in another way than the engine reads them, as private copies that it does read: UTF-8,
// no line before the header, numbers with decimal points.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/read/temporary_file.h"
#include "shoal/read/text_blocks.h"
#include "shoal/read/text_reading.h"
#include "shoal/run/progress.h"

namespace shoal {

struct TextCopy {
  std::unique_ptr<TemporaryFile> file;  // nothing where the file can be read as it is
  std::string encoding = "utf-8";       // said or found
  bool encoding_found = false;          // by looking, and not the usual one
  std::string delimiter;                // of a first line like `sep=;`, which is left out; "": there is none
};

// Looks at the whole file. Bytes that are no UTF-8 are taken for Windows-1252, of which Latin-1 is the greater part,
// unless the file has characters in UTF-8 as well: then nobody can say what is meant. Throws Error(input) for that, and
// for bytes that the encoding does not have, and as for_blocks() does. A copy is never compressed.
TextCopy plain_text_copy(const PackedText& file, const TextReading& reading, const Progress& progress);

// The number with a decimal point and without thousands marks, "" where the cell is none that is written so (a number
// without either mark stays as it is).
std::string plain_number(std::string_view cell, char decimal, std::string_view thousands);

// Which of these columns of a CSV file hold numbers with a decimal comma: every cell but the empty and the missing ones
// is one (comma_number.h), not all of them are whole numbers, and one at least cannot be read in another way.
struct CommaColumns {
  std::vector<size_t> columns;
  bool grouped = false;  // with points between thousands
};
// Costs no more than a search for a character where the file has no comma that could be one.
CommaColumns find_comma_numbers(const PackedText& file, char delimiter, std::span<const size_t> columns,
                                std::span<const std::string> missing, const Progress& progress);

// A copy of a CSV file in which the cells of these columns are plain_number(); other cells stay as they are.
std::unique_ptr<TemporaryFile> plain_number_copy(const PackedText& file, char delimiter, const TextReading& reading,
                                                 std::span<const size_t> columns, const Progress& progress);

}  // namespace shoal
