#include "shoal/read/text_blocks.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "shoal/error.h"
#include "testing/text_file.h"

namespace shoal {
namespace SHOAL_THIS_FILE {

std::string packed(const std::string& text, const std::string& compression) {
  std::string out(ZSTD_compressBound(text.size()) + text.size() + 100, '\0');
  if (compression == "zstd") {
    out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
    return out;
  }
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string read_back(const std::string& bytes, const std::string& compression) {
  const testing::TextFile file("in.csv", bytes);
  std::string text;
  for_blocks({file.path(), "in", compression}, Progress(), [&](std::string_view block) {
    text += block;
    return true;
  });
  return text;
}

std::string refusal(const std::string& bytes, const std::string& compression) {
  try {
    read_back(bytes, compression);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "no error";
}

// Longer than a block and than what a block unpacks to, easy and hard to compress.
std::string long_text(size_t bytes, bool easy) {
  std::string text;
  uint32_t state = 7;
  while (text.size() < bytes) {
    state = state * 1664525 + 1013904223;
    text += easy ? "abc;1\n" : std::string(1, static_cast<char>(state >> 24));
  }
  return text;
}

class TextBlocks : public ::testing::TestWithParam<const char*> {};

TEST_P(TextBlocks, GiveTheTextBack) {
  const std::string how = GetParam();
  for (const std::string& text : {std::string(), std::string("a\n1\n"), long_text(3000000, true),
                                  long_text(3000000, false), long_text(1 << 20, false)}) {
    EXPECT_TRUE(read_back(packed(text, how), how) == text) << text.size();
    // Two parts one after the other, wherever the border of the blocks falls.
    EXPECT_TRUE(read_back(packed(text, how) + packed("end\n", how), how) == text + "end\n") << text.size();
  }
}

TEST_P(TextBlocks, StopWhenNobodyWantsMore) {
  const std::string how = GetParam();
  const std::string text = long_text(3000000, true);
  const testing::TextFile file("in.csv", packed(text, how));
  const PackedText packed_text{file.path(), "in", how};
  size_t calls = 0;
  for_blocks(packed_text, Progress(), [&](std::string_view) { return ++calls < 2; });
  EXPECT_EQ(calls, 2u);
  for (const size_t bytes : {1u, 64u, 1500000u})
    EXPECT_TRUE(start_of(packed_text, bytes, Progress()) == text.substr(0, bytes));
  EXPECT_TRUE(start_of(packed_text, 9000000, Progress()) == text.substr(0, 9000000));
}

// Every cut and every changed byte of a small file ends in a refusal or in the same text; none in another text.
TEST_P(TextBlocks, DamageIsSeen) {
  const std::string how = GetParam();
  const std::string text = long_text(300, false), whole = packed(text, how);
  for (size_t length = 1; length < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length), how).find("ends too early"), std::string::npos) << length;
  }
  EXPECT_NE(refusal("name;age\nx;1\n", how).find("does not begin as such a file does"), std::string::npos);
  EXPECT_NE(refusal(whole + "name;age\n", how).find("it is damaged"), std::string::npos);
  if (how != "gzip") return;  // zstd's library writes no check sum unless it is asked
  for (size_t at = 10; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    std::string read;
    try {
      read = read_back(changed, how);
    } catch (const Error&) {
      continue;
    }
    EXPECT_TRUE(read == text) << at;  // bits that nobody reads
  }
  EXPECT_EQ(read_back(whole + std::string(512, '\0'), how), text);  // as tapes fill up their blocks
}

INSTANTIATE_TEST_SUITE_P(Both, TextBlocks, ::testing::Values("gzip", "zstd"));

TEST(PlainTextBlocks, AreTheFile) {
  const std::string text = long_text(2500000, false);
  EXPECT_TRUE(read_back(text, "") == text);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
