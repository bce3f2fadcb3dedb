#include "shoal/read/csv_marks.h"

#include <bit>
#include <cstddef>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace shoal {
namespace {

constexpr size_t kBlock = 64;

// What one block of 64 bytes holds, a bit per byte.
struct BlockBits {
  uint64_t marks = 0, zeros = 0, high = 0;
};

#ifdef __SSE2__

BlockBits look(const char* block, char delimiter) {
  const __m128i delimiters = _mm_set1_epi8(delimiter), quotes = _mm_set1_epi8('"'), feeds = _mm_set1_epi8('\n'),
                returns = _mm_set1_epi8('\r'), zero = _mm_setzero_si128();
  BlockBits bits;
  for (size_t part = 0; part < 4; ++part) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * part));
    const __m128i marks = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, delimiters), _mm_cmpeq_epi8(bytes, quotes)),
                                       _mm_or_si128(_mm_cmpeq_epi8(bytes, feeds), _mm_cmpeq_epi8(bytes, returns)));
    auto word = [&](__m128i lanes) { return uint64_t{static_cast<uint32_t>(_mm_movemask_epi8(lanes))} << 16 * part; };
    bits.marks |= word(marks);
    bits.zeros |= word(_mm_cmpeq_epi8(bytes, zero));
    bits.high |= word(bytes);
  }
  return bits;
}

#else

BlockBits look(const char* block, char delimiter) {
  BlockBits bits;
  for (size_t i = 0; i < kBlock; ++i) {
    const char c = block[i];
    const bool mark = c == delimiter || c == '"' || c == '\n' || c == '\r';
    bits.marks |= uint64_t{mark} << i;
    bits.zeros |= uint64_t{c == 0} << i;
    bits.high |= uint64_t{(static_cast<unsigned char>(c) & 0x80) != 0} << i;
  }
  return bits;
}

#endif

}  // namespace

void find_marks(const char* text, size_t length, char delimiter, CsvMarks& marks) {
  size_t count = 0;
  uint64_t zeros = 0, high = 0;
  for (size_t start = 0; start < length; start += kBlock) {
    BlockBits bits = look(text + start, delimiter);
    if (length - start < kBlock) {
      const uint64_t inside = (uint64_t{1} << (length - start)) - 1;
      bits = {bits.marks & inside, bits.zeros & inside, bits.high & inside};
    }
    zeros |= bits.zeros;
    high |= bits.high;
    if (count + kBlock > marks.at.size()) marks.at.resize(2 * marks.at.size() + kBlock);
    uint32_t* out = marks.at.data() + count;
    for (uint64_t left = bits.marks; left != 0; left &= left - 1) {
      *out++ = static_cast<uint32_t>(start) + static_cast<uint32_t>(std::countr_zero(left));
    }
    count = static_cast<size_t>(out - marks.at.data());
  }
  marks.count = count;
  marks.zeros = zeros != 0;
  marks.ascii = high == 0;
}

bool is_utf8(std::string_view text) {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = at + text.size();
  auto follows = [&](std::ptrdiff_t i, unsigned low, unsigned high) {
    return i < end - at && at[i] >= low && at[i] <= high;
  };
  while (at < end) {
    if (end - at >= 8) {
      uint64_t word;
      std::memcpy(&word, at, 8);
      if ((word & 0x8080808080808080ULL) == 0) {
        at += 8;
        continue;
      }
    }
    const unsigned lead = *at;
    if (lead < 0x80) {
      ++at;
    } else if (lead >= 0xC2 && lead <= 0xDF) {
      if (!follows(1, 0x80, 0xBF)) return false;
      at += 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      const unsigned low = lead == 0xE0 ? 0xA0 : 0x80, high = lead == 0xED ? 0x9F : 0xBF;
      if (!follows(1, low, high) || !follows(2, 0x80, 0xBF)) return false;
      at += 3;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      const unsigned low = lead == 0xF0 ? 0x90 : 0x80, high = lead == 0xF4 ? 0x8F : 0xBF;
      if (!follows(1, low, high) || !follows(2, 0x80, 0xBF) || !follows(3, 0x80, 0xBF)) return false;
      at += 4;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace shoal
