#include "shoal/read/plain_copy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "shoal/error.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

const Progress kSilent;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string copied(const std::string& bytes, const TextReading& reading = {}) {
  const testing::TextFile file("in.csv", bytes);
  const TextCopy copy = plain_text_copy({file.path(), "in.csv", ""}, reading, kSilent);
  return copy.file ? content(copy.file->path()) : bytes;
}

std::string error_of(const std::string& bytes, const TextReading& reading = {}) {
  try {
    copied(bytes, reading);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "no error";
}

TEST(PlainCopy, EncodingsAreFound) {
  EXPECT_EQ(copied("a;b\nM\xfcller;1\n"), "a;b\nM\xc3\xbcller;1\n");
  EXPECT_EQ(copied("a\n\x80 5\n"), "a\n\xe2\x82\xac 5\n");  // the euro sign of Windows-1252
  EXPECT_EQ(copied("a\nM\xc3\xbcller\n"), "a\nM\xc3\xbcller\n");
  const testing::TextFile utf8("in.csv", "a\nM\xc3\xbcller\n");
  EXPECT_EQ(plain_text_copy({utf8.path(), "in.csv", ""}, {}, kSilent).file, nullptr);
  // UTF-16, both ends first, with a character beyond 16 bits.
  EXPECT_EQ(copied(std::string("\xff\xfe\x61\x00\x0a\x00\x3d\xd8\x00\xde", 10)), "a\n\xf0\x9f\x98\x80");
  EXPECT_EQ(copied(std::string("\xfe\xff\x00\x61\x00\x0a\xd8\x3d\xde\x00", 10)), "a\n\xf0\x9f\x98\x80");
  EXPECT_EQ(copied(std::string("\x61\x00\x0a\x00", 4)), "a\n");
}

TEST(PlainCopy, WhatCannotBeDecidedIsRefused) {
  const std::string both = error_of("a\nM\xc3\xbcller\nM\xfcller\n");
  EXPECT_NE(both.find("line 3"), std::string::npos) << both;
  EXPECT_NE(both.find("encoding"), std::string::npos) << both;
  EXPECT_NE(error_of("a\nx\n\x81\n").find("neither UTF-8 nor Windows-1252"), std::string::npos);
  TextReading latin;
  latin.encoding = "latin-1";
  EXPECT_EQ(copied("a\nM\xc3\xbcller\n", latin), "a\nM\xc3\x83\xc2\xbcller\n");  // said is said
  TextReading windows;
  windows.encoding = "windows-1252";
  EXPECT_NE(error_of("a\nx\n\x81\n", windows).find("line 3"), std::string::npos);
  TextReading wide;
  wide.encoding = "utf-16";
  EXPECT_NE(error_of("abc", wide).find("utf-16"), std::string::npos);
}

TEST(PlainCopy, SeparatorLines) {
  const testing::TextFile file("in.csv", "sep=;\r\na;b\r\n1;2\r\n");
  const TextCopy copy = plain_text_copy({file.path(), "in.csv", ""}, {}, kSilent);
  EXPECT_EQ(copy.delimiter, ";");
  EXPECT_EQ(content(copy.file->path()), "a;b\r\n1;2\r\n");
  EXPECT_EQ(copied("\"sep=|\"\na|b\n"), "a|b\n");
  EXPECT_EQ(copied("sep=\na\n"), "sep=\na\n");
  EXPECT_EQ(copied("sep=ab\nx\n"), "sep=ab\nx\n");
}

// Every text of code points comes back from each encoding that has them: against a plain encoder of the test's own.
TEST(PlainCopy, RandomTextsComeBack) {
  std::mt19937_64 random(11);
  const auto utf8 = [](uint32_t point) {
    std::string out;
    if (point < 0x80) return std::string(1, static_cast<char>(point));
    const int extra = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    constexpr uint32_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
    out += static_cast<char>(kLead[extra] | point >> 6 * extra);
    for (int i = extra - 1; i >= 0; --i) out += static_cast<char>(0x80 | (point >> 6 * i & 0x3F));
    return out;
  };
  for (int round = 0; round < 2000; ++round) {
    std::string plain = "a\n", latin = "a\n", wide("\xff\xfe\x61\0\x0a\0", 6);
    const size_t length = 1 + random() % 40;
    for (size_t i = 0; i < length; ++i) {
      const auto narrow = static_cast<uint32_t>(random() % 3 == 0 ? 0xA0 + random() % 0x60 : 0x20 + random() % 0x5F);
      plain += utf8(narrow);
      latin += static_cast<char>(narrow);
      wide += static_cast<char>(narrow);
      wide += '\0';
    }
    EXPECT_EQ(copied(wide), plain);
    EXPECT_EQ(copied(plain), plain);
    TextReading said;
    said.encoding = "latin-1";
    EXPECT_EQ(copied(latin, said), plain);
  }
}

TEST(PlainNumber, CommasAndThousands) {
  struct Case {
    const char* cell;
    char decimal;
    const char* thousands;
    const char* plain;
  };
  for (const auto& [cell, decimal, thousands, plain] : std::vector<Case>{{"3,5", ',', "", "3.5"},
                                                                         {"-1.234,50", ',', ".", "-1234.50"},
                                                                         {"1.234.567", ',', ".", "1234567"},
                                                                         {"+7", ',', "", "7"},
                                                                         {" 7,0 ", ',', "", "7.0"},
                                                                         {"1,234.5", '.', ",", "1234.5"},
                                                                         {"1'234'567", '.', "'", "1234567"},
                                                                         {"12 345,6", ',', " ", "12345.6"},
                                                                         {"12.34,5", ',', ".", ""},
                                                                         {"1.2345", ',', ".", ""},
                                                                         {"1.5", ',', "", ""},
                                                                         {"1,2,3", ',', "", ""},
                                                                         {",5", ',', "", ""},
                                                                         {"5,", ',', "", ""},
                                                                         {"abc", ',', "", ""},
                                                                         {"", ',', "", ""},
                                                                         {"-", ',', "", ""},
                                                                         {"[1.5,2.5]", ',', ".", ""}}) {
    EXPECT_EQ(plain_number(cell, decimal, thousands), plain) << cell;
  }
}

std::vector<size_t> comma_columns(const std::string& text, char delimiter, size_t columns,
                                  const std::vector<std::string>& missing = {}) {
  const testing::TextFile file("in.csv", text);
  std::vector<size_t> all;
  for (size_t j = 0; j < columns; ++j) all.push_back(j);
  return find_comma_numbers({file.path(), "in.csv", ""}, delimiter, all, missing, kSilent).columns;
}

TEST(CommaNumbers, AreFoundWhereEveryCellIsOne) {
  using Columns = std::vector<size_t>;
  EXPECT_EQ(comma_columns("a;b\n3,5;x\n4;y\n", ';', 2), (Columns{0}));
  EXPECT_EQ(comma_columns("a;b\n1,234;2,5\n5,678;3,25\n", ';', 2), (Columns{1}));  // a may have thousands
  EXPECT_EQ(comma_columns("a\n3,5\nNA\n", ';', 1), Columns{});
  EXPECT_EQ(comma_columns("a\n3,5\nNA\n", ';', 1, {"NA"}), (Columns{0}));
  EXPECT_EQ(comma_columns("a;b\n;3,5\n;", ';', 2), (Columns{1}));
  EXPECT_EQ(comma_columns("a,b\n\"3,5\",1\n\"-4,25\",2\n", ',', 2), (Columns{0}));
  EXPECT_EQ(comma_columns("a,b\n3,5\n4,5\n", ',', 2), Columns{});
  EXPECT_EQ(comma_columns("a;note\n3,5;\"x; 1,5\"\n3,7;\"1,5\"", ';', 2), (Columns{0}));
  EXPECT_EQ(comma_columns("3,5;4,5\nx;y\n", ';', 2), Columns{});  // the header is no cell
  const testing::TextFile file("in.csv", "a\n1.234,5\n");
  EXPECT_TRUE(find_comma_numbers({file.path(), "in.csv", ""}, ';', std::vector<size_t>{0}, {}, kSilent).grouped);
}

// The first digits of a number may stand at the end of one block of the file, and its comma in the next.
TEST(CommaNumbers, AreFoundAcrossTheBordersOfBlocks) {
  for (const size_t before :
       {size_t{(1 << 20) - 4}, size_t{(1 << 20) - 3}, size_t{(1 << 20) - 2}, size_t{(1 << 20) - 1}}) {
    const std::string text = "a\n" + std::string(before - 2 - 1, '7') + "\n7,5\n";
    EXPECT_EQ(comma_columns(text, ';', 1), std::vector<size_t>{0}) << before;
  }
}

TEST(PlainNumber, OnlyTheNamedColumnsChange) {
  const testing::TextFile file("in.csv", "a;b;note\r\n3,5;3,5;\"1,5; x\"\r\n\"4,5\";?;\"say \"\"2,5\"\"\"\r\n;1,0;y");
  TextReading reading;
  reading.decimal = ",";
  const std::vector<size_t> columns{0, 2};
  const auto copy = plain_number_copy({file.path(), "in.csv", ""}, ';', reading, columns, kSilent);
  EXPECT_EQ(content(copy->path()), "a;b;note\r\n3.5;3,5;\"1,5; x\"\r\n4.5;?;\"say \"\"2,5\"\"\"\r\n;1,0;y");
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
