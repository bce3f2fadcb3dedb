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
#include "shoal/read/first_lines.h"
#include "shoal/read/rows.h"
#include "shoal/read/temporary_file.h"
#include "shoal/table/dictionary.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

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
  std::vector<std::string> lines_by_duckdb() { return first_records(path(), "", duck_, progress_); }

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
  bool odd() const { return oddities_; }  // of the last text
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
      if (oddities_ && one_in(20)) text.insert(between_letters(text), "\"");
      return text;
    }
    if (one_in(3)) text += delimiter_;
    if (one_in(3)) text.insert(between_letters(text), "\"\"");
    if (quoted_breaks_ && one_in(3)) text += one_in(2) ? "\n" : one_in(2) ? "\r\n" : "\r";
    if (one_in(4)) text += "\"\"";
    if (one_in(4)) text += "z";
    if (oddities_ && one_in(20)) text += "\"";
    text = "\"" + text + "\"";
    if (oddities_ && one_in(20)) text = one_in(2) ? " " + text : text + " ";
    return text;
  }
  size_t between_letters(const std::string& text) {
    size_t at = draw(0, text.size());
    while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
    return at;
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
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    RandomCsv random(seed);
    CsvShape shape;
    shape.columns = random.one_in(5) ? 1 : random.draw(2, 5);
    shape.delimiter = random.one_in(2) ? ',' : ";\t|:^~"[random.draw(0, 5)];
    const std::string text = random.text(shape);
    file.write(text);
    const auto whole = file.ours(shape);
    (whole ? taken : refused)++;
    for (size_t bytes : {size_t{1}, random.draw(2, 9), random.draw(10, 80)}) {
      shape.chunk_bytes = bytes;
      shape.ahead = seed % 50 == 0;
      ASSERT_EQ(file.ours(shape), whole) << "seed " << seed << ", chunks of " << bytes << ":\n" << text;
    }
    if (whole) {
      ASSERT_EQ(file.duckdb(shape), whole) << "seed " << seed << ":\n" << text;
    } else {
      ASSERT_TRUE(random.odd() || shape.columns == 1) << "refused, seed " << seed << ":\n" << text;
    }
  }
  EXPECT_GT(taken, 900u);
  EXPECT_GT(refused, 150u);
}

TEST(CsvStream, ColumnsInAnyOrderTwiceOrNone) {
  OneFile file;
  file.write("a,b,c\n1,\"2\"\"x\",3\n4,5,\n");
  const CsvShape shape{',', 3};
  EXPECT_EQ(file.ours(shape, {2, 0, 2}), (Cells{{"3", "1", "3"}, {"", "4", ""}}));
  EXPECT_EQ(file.ours(shape, {1}), (Cells{{"2\"x"}, {"5"}}));
  EXPECT_EQ(file.ours(shape, {}), (Cells{{}, {}}));
}

TEST(CsvStream, RefusesWhatItDoesNotKnow) {
  OneFile file;
  const std::vector<std::string> irregular = {
      "a,b\n1\n",               // too few cells
      "a,b\n1,2,3\n",           // too many
      "a,b\n1,2,\n",            // one empty too many
      "a,b\n1,\"2\n",           // a quote that stays open
      "a,b\n1,\"2\"x\n",        // text behind a quote
      "a,b\n1,x\"2\"\n",        // a quote inside
      "a,b\n1, \"2\"\n",        // a blank before it
      "a,b\n1,2\r\n3,4\n",      // mixed line ends
      "a,b\r\n1,2\n",           // the same
      "a,b\r1,2\r",             // returns alone
      "a,b\n1,2\r",             // one at the end
      "a,b\n1,\xff\n",          // not UTF-8
      "a,b\n1,\xed\xa0\x80\n",  // a surrogate
      "a,b\n1,\xc3",            // half a letter
      "\na,b\n1,2\n",           // an empty line before the header
      "a,\"b\nc\"\n1,2\n",      // a line end in the header
      "a\n1,2\n",               // another number of columns than was said
      std::string("a,b\n1,\0\n", 9),
      "a,b\n1," + std::string(3 << 20, 'x') + "\n",  // longer than DuckDB would take
  };
  for (const std::string& text : irregular) {
    file.write(text);
    EXPECT_FALSE(file.ours({',', 2})) << text.substr(0, 40);
    if (text.size() < 100) {
      EXPECT_FALSE(file.ours({',', 2, 3})) << text;
    }
  }
  file.write("a\n1\n\n2\n");
  EXPECT_FALSE(file.ours({',', 1}));
  for (char delimiter : {' ', '"', 'x', '\0', '\n'}) EXPECT_FALSE(CsvStream::knows(delimiter));
}

TEST(CsvStream, LongRowsAndManyChunks) {
  OneFile file;
  std::string text = "a,b\n";
  Cells expected;
  for (size_t row = 0; row < 5000; ++row) {
    expected.push_back({std::to_string(row), std::string(row % 7 == 0 ? 1000 + row : row % 11, 'x') + "\xc3\xa4"});
    text += expected.back()[0] + ",\"" + expected.back()[1] + "\"\n";
  }
  file.write(text);
  for (size_t bytes : {size_t{100}, size_t{4096}, size_t{1} << 18}) EXPECT_TRUE(file.ours({',', 2, bytes}) == expected);
}

TEST(CsvStream, GoneFileAndInterruption) {
  Progress progress;
  const std::vector<size_t> wanted{0};
  EXPECT_THROW(CsvStream("/nowhere/at/all.csv", {}, wanted, progress), IrregularCsv);
  OneFile file;
  file.write("a\n1\n2\n3\n");
  CsvStream stream(file.path(), {',', 1, 3}, wanted, progress);
  ASSERT_TRUE(stream.next());
  progress.cancel();
  EXPECT_THROW(stream.next(), Error);
}

TEST(CsvMarks, AreWhereALoopFindsThem) {
  std::mt19937_64 random(1);
  CsvMarks marks;
  for (size_t length = 0; length < 400; ++length) {
    std::string text(length + 64, ',');  // marks beyond the end must not be seen
    for (size_t i = 0; i < length; ++i) text[i] = "ab,\"\n\r;z"[random() % 8];
    if (length > 0 && random() % 3 == 0) text[random() % length] = '\0';
    if (length > 0 && random() % 3 == 0) text[random() % length] = '\xc3';
    const std::string_view inside(text.data(), length);
    std::vector<uint32_t> expected;
    for (uint32_t i = 0; i < length; ++i) {
      if (std::string_view(",\"\n\r").find(inside[i]) != std::string_view::npos) expected.push_back(i);
    }
    find_marks(text.data(), length, ',', marks);
    ASSERT_EQ(std::vector<uint32_t>(marks.at.begin(), marks.at.begin() + static_cast<ptrdiff_t>(marks.count)),
              expected);
    EXPECT_EQ(marks.zeros, inside.find('\0') != std::string_view::npos);
    EXPECT_EQ(marks.ascii, inside.find('\xc3') == std::string_view::npos);
  }
}

// Every code point is written by the rules of the standard; every other sequence of up to four bytes is none.
TEST(Utf8, IsWhatTheStandardSays) {
  auto encoded = [](uint32_t point) {
    auto byte = [](uint32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
    if (point < 0x80) return std::string{byte(point)};
    if (point < 0x800) return std::string{byte(0xC0 | point >> 6), byte(0x80 | (point & 63))};
    if (point < 0x10000) {
      return std::string{byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 63)), byte(0x80 | (point & 63))};
    }
    return std::string{byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 63)), byte(0x80 | (point >> 6 & 63)),
                       byte(0x80 | (point & 63))};
  };
  for (uint32_t point = 0; point < 0x140000; ++point) {
    const bool valid = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
    ASSERT_EQ(is_utf8(encoded(point)), valid) << point;
  }
  for (const char* wrong : {"\x80", "\xc3", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xe2\x82",
                            "\xf0\x8f\xbf\xbf", "\xf0\x9f\x90", "\xff", "\xfe", "abcdefgh\xe2\x82zzzzzzzzz"}) {
    EXPECT_FALSE(is_utf8(wrong)) << wrong;
  }
  EXPECT_TRUE(is_utf8("abcdefghijk \xe2\x82\xac lmnopqrstuv \xf0\x9f\x90\x9f"));
}

// Texts of all short lengths, equal but for one byte or not at all.
TEST(SameText, IsEquality) {
  for (size_t size = 0; size < 40; ++size) {
    const std::string text(size, 'a');
    EXPECT_TRUE(same_text(text, std::string(size, 'a')));
    EXPECT_FALSE(same_text(text, text + "a"));
    for (size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = 'b';
      EXPECT_FALSE(same_text(text, other)) << size << ' ' << i;
      EXPECT_NE(hash_text(text), hash_text(other)) << size << ' ' << i;
    }
  }
  EXPECT_TRUE(same_text({}, ""));
}

TEST(FirstLines, OrdinaryOnesAreDuckDbs) {
  OneFile file;
  size_t ordinary = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    RandomCsv random(seed);
    CsvShape shape;
    shape.columns = random.draw(1, 4);
    const std::string text = random.text(shape);
    file.write(text);
    const auto lines = ordinary_first_lines(file.path());
    if (lines) {
      ASSERT_EQ(*lines, file.lines_by_duckdb()) << text;
    }
    ordinary += lines.has_value();
  }
  EXPECT_GT(ordinary, 200u);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
