// Our own CSV parser beside DuckDB's: equal cells or a refusal, never another answer.
#include "shoal/read/csv_stream.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <optional>
#include <random>

#include "shoal/read/csv_marks.h"
#include "shoal/read/rows.h"
#include "shoal/read/temporary_file.h"

namespace shoal {
namespace {

using Cells = std::vector<std::vector<std::string>>;  // rows of cells

Cells all_cells(TextStream& stream, size_t columns) {
  Cells cells;
  while (stream.next()) {
    for (size_t row = 0; row < stream.size(); ++row) {
      cells.emplace_back();
      for (size_t j = 0; j < columns; ++j) cells.back().emplace_back(stream.cell(j, row));
    }
  }
  return cells;
}

class OneFile {
 public:
  OneFile() : file_(".csv") {}
  void write(const std::string& text) const { std::ofstream(file_.path(), std::ios::binary) << text; }
  const std::string& path() const { return file_.path(); }

  // nullopt: refused.
  std::optional<Cells> ours(const CsvShape& shape) const {
    std::vector<size_t> wanted(shape.columns);
    std::iota(wanted.begin(), wanted.end(), size_t{0});
    return ours(shape, wanted);
  }
  std::optional<Cells> ours(const CsvShape& shape, const std::vector<size_t>& wanted) const {
    try {
      CsvStream stream(path(), shape, wanted, progress_);
      return all_cells(stream, wanted.size());
    } catch (const IrregularCsv&) {
      return std::nullopt;
    }
  }
  // nullopt: an error.
  std::optional<Cells> duckdb(const CsvShape& shape) {
    std::vector<size_t> wanted(shape.columns);
    std::iota(wanted.begin(), wanted.end(), size_t{0});
    const Source source(path(), std::string(1, shape.delimiter), duck_, progress_);
    try {
      const auto stream = rows_of(source, wanted, Reader::duckdb, duck_, progress_);
      return all_cells(*stream, shape.columns);
    } catch (const DuckError&) {
      return std::nullopt;
    }
  }

 private:
  TemporaryFile file_;
  DuckDb duck_{1, std::nullopt};
  Progress progress_;
};

// CSV texts: most rows are as they should be, some files have something odd in them.
class RandomCsv {
 public:
  explicit RandomCsv(uint64_t seed) : random_(seed) {}

  size_t draw(size_t low, size_t high) { return std::uniform_int_distribution<size_t>(low, high)(random_); }
  bool one_in(size_t n) { return draw(1, n) == 1; }

  std::string text(const CsvShape& shape) {
    delimiter_ = shape.delimiter;
    const std::string line_end = one_in(3) ? "\r\n" : "\n";
    oddities_ = one_in(3);
    quoted_breaks_ = one_in(2);
    std::string text = one_in(8) ? "\xef\xbb\xbf" : "";
    for (size_t j = 0; j < shape.columns; ++j) {
      if (j) text += delimiter_;
      text += one_in(4) ? fmt::format("\"c {}\"", j) : fmt::format("c{}", j);
    }
    text += line_end;
    const size_t rows = one_in(6) ? draw(0, 1) : draw(1, 12);
    for (size_t row = 0; row < rows; ++row) {
      size_t cells = shape.columns;
      if (oddities_ && one_in(12)) cells += draw(0, 2);
      if (oddities_ && one_in(12)) cells -= std::min<size_t>(cells, draw(0, 2));
      for (size_t j = 0; j < cells; ++j) {
        if (j) text += delimiter_;
        text += cell();
      }
      text += oddities_ && one_in(12) ? (one_in(2) ? "\n" : one_in(2) ? "\r" : "\r\n") : line_end;
      if (oddities_ && one_in(10)) text += line_end;
    }
    if (one_in(3)) text.resize(text.size() - line_end.size());
    if (one_in(8)) text += line_end;
    if (oddities_ && one_in(6) && !text.empty()) text[draw(text.size() / 2, text.size() - 1)] = odd_byte();
    return text;
  }

 private:
  std::string cell() {
    if (one_in(6)) return one_in(2) ? "" : "\"\"";
    static const std::vector<std::string> kPieces = {"a",
                                                     "b2",
                                                     "17",
                                                     "-3.5",
                                                     " ",
                                                     "\xc3\xa4",
                                                     "\xe2\x82\xac",
                                                     "x y",
                                                     "NA",
                                                     "'",
                                                     "\\",
                                                     "\xf0\x9f\x90\x9f",
                                                     "\xef\xbb\xbf",
                                                     "#",
                                                     "NULL",
                                                     "long text of a cell, no: it has none"};
    std::string text;
    for (size_t i = draw(1, 4); i > 0; --i) text += kPieces[draw(0, kPieces.size() - 1)];
    const bool quotes = one_in(3);
    if (!quotes) {
      std::erase_if(text, [&](char c) { return c == delimiter_; });
      if (oddities_ && one_in(20)) text.insert(draw(0, text.size()), "\"");
      return text;
    }
    if (one_in(3)) text += delimiter_;
    if (one_in(3)) text.insert(draw(0, text.size()), "\"\"");
    if (quoted_breaks_ && one_in(3)) text += one_in(2) ? "\n" : one_in(2) ? "\r\n" : "\r";
    if (one_in(4)) text += "\"\"";
    if (one_in(4)) text += "z";
    if (oddities_ && one_in(20)) text += "\"";
    text = "\"" + text + "\"";
    if (oddities_ && one_in(20)) text = one_in(2) ? " " + text : text + " ";
    return text;
  }
  char odd_byte() {
    static const std::string kOdd("\"\n\r\xff\xc3\x80,;\t \0", 11);
    return kOdd[draw(0, kOdd.size() - 1)];
  }

  std::mt19937_64 random_;
  char delimiter_ = ',';
  bool oddities_ = false, quoted_breaks_ = false;
};

TEST(CsvStream, GivesTheCellsThatDuckDbGivesOrRefuses) {
  OneFile file;
  size_t taken = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 6000; ++seed) {
    RandomCsv random(seed);
    CsvShape shape;
    shape.columns = random.one_in(5) ? 1 : random.draw(2, 5);
    shape.delimiter = random.one_in(2) ? ',' : ";\t|:^~"[random.draw(0, 5)];
    const std::string text = random.text(shape);
    if (text.empty()) continue;
    file.write(text);
    const auto whole = file.ours(shape);
    (whole ? taken : refused)++;
    for (size_t bytes : {size_t{1}, size_t{2}, size_t{7}, random.draw(3, 80)}) {
      shape.chunk_bytes = bytes;
      ASSERT_EQ(file.ours(shape), whole) << "seed " << seed << ", chunks of " << bytes << ":\n" << text;
    }
    if (!whole) continue;
    ASSERT_EQ(file.duckdb(shape), whole) << "seed " << seed << ":\n" << text;
  }
  EXPECT_GT(taken, 3000u);
  EXPECT_GT(refused, 300u);
}
}  // namespace
}  // namespace shoal
