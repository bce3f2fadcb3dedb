#include "shoal/read/plain_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <vector>

#include "shoal/error.h"
#include "shoal/table/comma_number.h"

namespace shoal {
namespace {

void append_utf8(uint32_t point, std::string& out) {
  const auto byte = [&](uint32_t value) { out += static_cast<char>(value); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0 | point >> 6);
    byte(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    byte(0xE0 | point >> 12);
    byte(0x80 | (point >> 6 & 0x3F));
    byte(0x80 | (point & 0x3F));
  } else {
    byte(0xF0 | point >> 18);
    byte(0x80 | (point >> 12 & 0x3F));
    byte(0x80 | (point >> 6 & 0x3F));
    byte(0x80 | (point & 0x3F));
  }
}

// Windows-1252 where it differs from Latin-1; 0: no character.
constexpr std::array<uint32_t, 32> kWindows{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                            0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                            0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                            0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

// UTF-8, looked at in pieces.
class Utf8Look {
 public:
  bool wrong = false;       // a byte that UTF-8 does not have there
  uint64_t characters = 0;  // of several bytes, right ones
  bool no_windows = false;  // a byte that Windows-1252 does not have

  void see(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      if (wanted_ == 0 && text.size() - at >= 8) {
        uint64_t word;
        std::memcpy(&word, text.data() + at, 8);
        if ((word & 0x8080808080808080ULL) == 0) {
          at += 8;
          continue;
        }
      }
      look(static_cast<unsigned char>(text[at++]));
    }
  }
  void end() {
    if (wanted_ > 0) wrong = true;
  }

 private:
  void look(unsigned byte) {
    if (byte >= 0x80 && byte < 0xA0 && kWindows[byte - 0x80] == 0) no_windows = true;
    if (wanted_ > 0) {
      if (byte >= low_ && byte <= high_) {
        low_ = 0x80, high_ = 0xBF;
        characters += --wanted_ == 0 ? 1 : 0;
        return;
      }
      wrong = true;
      wanted_ = 0;
    }
    low_ = 0x80, high_ = 0xBF;
    if (byte < 0x80) return;
    if (byte >= 0xC2 && byte <= 0xDF) {
      wanted_ = 1;
    } else if (byte >= 0xE0 && byte <= 0xEF) {
      wanted_ = 2;
      if (byte == 0xE0) low_ = 0xA0;
      if (byte == 0xED) high_ = 0x9F;
    } else if (byte >= 0xF0 && byte <= 0xF4) {
      wanted_ = 3;
      if (byte == 0xF0) low_ = 0x90;
      if (byte == 0xF4) high_ = 0x8F;
    } else {
      wrong = true;
    }
  }
  int wanted_ = 0;
  unsigned low_ = 0x80, high_ = 0xBF;
};

// The line of the first byte that is no UTF-8, for the message.
uint64_t first_wrong_line(const PackedText& file, const Progress& progress) {
  Utf8Look look;
  uint64_t line = 1;
  bool found = false;
  for_blocks(file, progress, [&](std::string_view text) {
    for (const char& c : text) {
      look.see({&c, 1});
      found = look.wrong;
      if (found) break;
      if (c == '\n') ++line;
    }
    return !found;
  });
  return line;
}

bool is_utf16(std::string_view head) {
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) return true;
  return head.size() >= 2 && (head[0] == '\0') != (head[1] == '\0');  // the first character is a plain one
}

constexpr size_t kHeadBytes = 64;

std::string found_encoding(const PackedText& file, const Progress& progress) {
  if (is_utf16(start_of(file, kHeadBytes, progress))) return "utf-16";
  Utf8Look look;
  for_blocks(file, progress, [&](std::string_view text) {
    look.see(text);
    return true;
  });
  look.end();
  if (!look.wrong) return "utf-8";
  const uint64_t line = first_wrong_line(file, progress);
  if (look.characters > 0) {
    throw Error(
        ErrorKind::input,
        fmt::format("'{}' line {}: not valid UTF-8, although {} other characters of the file are; mend the line, or "
                    "say what the encoding is (encoding: utf-8, utf-16, latin-1 or windows-1252)",
                    file.name, line, look.characters));
  }
  if (look.no_windows) {
    throw Error(ErrorKind::input, fmt::format("'{}' line {}: neither UTF-8 nor Windows-1252; say what the encoding is "
                                              "(encoding: latin-1 or utf-16), or convert the file first",
                                              file.name, line));
  }
  return "windows-1252";
}

class Transcoder {
 public:
  Transcoder(std::string encoding, std::string name) : encoding_(std::move(encoding)), name_(std::move(name)) {}

  void see(std::string_view text, std::string& out) {
    if (encoding_ == "utf-8") {
      out.append(text);
    } else if (encoding_ == "utf-16") {
      for (const char c : text) utf16_byte(static_cast<unsigned char>(c), out);
    } else {
      for (const char c : text) single_byte(static_cast<unsigned char>(c), out);
    }
  }
  void end() const {
    if (half_ || high_ != 0) wrong();
  }

 private:
  [[noreturn]] void wrong() const {
    throw Error(ErrorKind::input,
                fmt::format("'{}' line {}: not valid {}; say what the encoding is (encoding: ...), or mend the line",
                            name_, line_, encoding_));
  }
  void single_byte(unsigned byte, std::string& out) {
    line_ += byte == '\n' ? 1 : 0;
    uint32_t point = byte;
    if (encoding_ == "windows-1252" && byte >= 0x80 && byte < 0xA0) point = kWindows[byte - 0x80];
    if (point == 0) wrong();
    append_utf8(point, out);
  }
  void utf16_byte(unsigned byte, std::string& out) {
    if (!half_) {
      first_ = byte;
      half_ = true;
      return;
    }
    half_ = false;
    if (!known_) {
      known_ = true;
      little_ = !(first_ == 0xFE && byte == 0xFF) && !(first_ == 0 && byte != 0);
      if ((first_ == 0xFF && byte == 0xFE) || (first_ == 0xFE && byte == 0xFF)) return;
    }
    const uint32_t unit = little_ ? first_ | byte << 8 : first_ << 8 | byte;
    const bool low = unit >= 0xDC00 && unit <= 0xDFFF;
    if ((high_ != 0) != low || unit == 0) wrong();
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      high_ = unit;
      return;
    }
    append_utf8(low ? 0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00) : unit, out);
    high_ = 0;
    line_ += unit == '\n' ? 1 : 0;
  }

  std::string encoding_, name_;
  uint64_t line_ = 1;
  bool half_ = false, known_ = false, little_ = true;
  unsigned first_ = 0;
  uint32_t high_ = 0;
};

// `sep=;` and its line end, as spreadsheets write it.
struct SeparatorLine {
  std::string delimiter;
  size_t length = 0;
};
SeparatorLine separator_line(std::string_view start) {
  size_t at = start.starts_with("\xef\xbb\xbf") ? 3 : 0;
  const bool quoted = start.substr(at).starts_with("\"sep=");
  if (!quoted && !start.substr(at).starts_with("sep=")) return {};
  at += quoted ? 5 : 4;
  if (at >= start.size() || start[at] == '\r' || start[at] == '\n') return {};
  const std::string delimiter(1, start[at++]);
  if (quoted && (at >= start.size() || start[at++] != '"')) return {};
  if (at < start.size() && start[at] == '\r') ++at;
  if (at >= start.size() || start[at] != '\n') return {};
  return {delimiter, at + 1};
}

}  // namespace

TextCopy plain_text_copy(const PackedText& file, const TextReading& reading, const Progress& progress) {
  TextCopy copy;
  copy.encoding = reading.encoding.empty() ? found_encoding(file, progress) : reading.encoding;
  copy.encoding_found = reading.encoding.empty() && copy.encoding != "utf-8";
  std::string start;
  Transcoder head(copy.encoding, file.name);
  head.see(start_of(file, kHeadBytes, progress), start);
  const SeparatorLine separator = separator_line(start);
  copy.delimiter = separator.delimiter;
  if (copy.encoding == "utf-8" && separator.length == 0) return copy;

  copy.file = std::make_unique<TemporaryFile>(".csv");
  Transcoder transcoder(copy.encoding, file.name);
  std::string out;
  size_t skip = separator.length;
  for_blocks(file, progress, [&](std::string_view text) {
    out.clear();
    transcoder.see(text, out);
    const size_t skipped = std::min(skip, out.size());
    skip -= skipped;
    write_fully(copy.file->descriptor(), std::string_view(out).substr(skipped), "a copy of the input", progress);
    return true;
  });
  transcoder.end();
  return copy;
}

std::string plain_number(std::string_view cell, char decimal, std::string_view thousands) {
  std::string_view text = cell;
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::string plain;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    if (text.front() == '-') plain = "-";
    text.remove_prefix(1);
  }
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const size_t mark = text.find(decimal);
  const std::string_view whole = text.substr(0, mark);
  const std::string_view after = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
  if (whole.empty() || (mark != std::string_view::npos && after.empty())) return "";
  if (!std::all_of(after.begin(), after.end(), is_digit)) return "";
  size_t run = 0, groups = 0;
  const bool grouped = !thousands.empty() && whole.find(thousands) != std::string_view::npos;
  for (size_t at = 0; at <= whole.size();) {
    if (at < whole.size() && is_digit(whole[at])) {
      plain += whole[at++];
      ++run;
      continue;
    }
    if (grouped && (groups == 0 ? run == 0 || run > 3 : run != 3)) return "";
    ++groups;
    run = 0;
    if (at == whole.size()) break;
    if (!grouped || !whole.substr(at).starts_with(thousands)) return "";
    at += thousands.size();
  }
  if (!after.empty()) plain.append(".").append(after);
  return plain;
}

namespace {

// A cell as it is written, without the quotes around it.
std::string_view inside_quotes(std::string_view cell) {
  if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') return cell.substr(1, cell.size() - 2);
  return cell;
}

// Walks over the cells of a CSV file, quotes included: `see(cell, column, is_header, mark)`, where `mark` is what ends
// the cell (0 at the end of the file). Returns false to stop.
class CellWalk {
 public:
  using See = std::function<bool(std::string_view cell, size_t column, bool header, char mark)>;
  CellWalk(char delimiter, See see) : delimiter_(delimiter), see_(std::move(see)) {}

  bool read(std::string_view text) {
    for (const char c : text) {
      if (c == '"') quoted_ = !quoted_;
      if (quoted_ || (c != delimiter_ && c != '\n' && c != '\r')) {
        cell_ += c;
        continue;
      }
      if (!see_(cell_, column_, header_, c)) return false;
      cell_.clear();
      column_ = c == delimiter_ ? column_ + 1 : 0;
      header_ = header_ && c != '\n';
    }
    return true;
  }
  void end() { see_(cell_, column_, header_, '\0'); }

 private:
  char delimiter_;
  See see_;
  std::string cell_;
  size_t column_ = 0;
  bool quoted_ = false, header_ = true;
};

// Whether a decimal comma stands anywhere: between digits, where the comma is not the delimiter; else in a cell that
// begins as a number in quotes does.
bool may_have_decimal_comma(const PackedText& file, char delimiter, const Progress& progress) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool in_quotes = delimiter == ',';
  bool found = false;
  std::string border;  // the last two characters of the block before and the first two of this one
  const auto look = [&](std::string_view text) {
    for (size_t at = text.find(in_quotes ? '"' : ','); at != std::string_view::npos && !found;
         at = text.find(in_quotes ? '"' : ',', at + 1)) {
      if (at + 1 >= text.size()) return;
      const char next = text[at + 1];
      found = in_quotes ? is_digit(next) || next == '-' || next == '+' || next == ' '
                        : is_digit(next) && at > 0 && is_digit(text[at - 1]);
    }
  };
  for_blocks(file, progress, [&](std::string_view text) {
    border += text.substr(0, 2);
    look(border);
    look(text);
    border = text.substr(text.size() - std::min<size_t>(2, text.size()));
    return !found;
  });
  return found;
}

}  // namespace

CommaColumns find_comma_numbers(const PackedText& file, char delimiter, std::span<const size_t> columns,
                                std::span<const std::string> missing, const Progress& progress) {
  CommaColumns result;
  if (columns.empty() || !may_have_decimal_comma(file, delimiter, progress)) return result;
  struct Candidate {
    size_t column;
    bool proven = false, grouped = false;
  };
  std::vector<Candidate> candidates;
  for (const size_t column : columns) candidates.push_back({column});
  CellWalk walk(delimiter, [&](std::string_view cell, size_t column, bool header, char) {
    if (header) return true;
    const auto candidate =
        std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& one) { return one.column == column; });
    if (candidate == candidates.end()) return true;
    const std::string_view text = inside_quotes(cell);
    if (text.empty() || std::find(missing.begin(), missing.end(), text) != missing.end()) return true;
    const CommaNumber number = comma_number(text);
    candidate->proven = candidate->proven || number.proof;
    candidate->grouped = candidate->grouped || number.grouped;
    if (!number.fits) candidates.erase(candidate);
    return !candidates.empty();
  });
  bool goes_on = true;
  for_blocks(file, progress, [&](std::string_view text) { return goes_on = walk.read(text); });
  if (goes_on) walk.end();
  for (const Candidate& candidate : candidates) {
    if (!candidate.proven) continue;
    result.columns.push_back(candidate.column);
    result.grouped = result.grouped || candidate.grouped;
  }
  return result;
}

std::unique_ptr<TemporaryFile> plain_number_copy(const PackedText& file, char delimiter, const TextReading& reading,
                                                 std::span<const size_t> columns, const Progress& progress) {
  auto copy = std::make_unique<TemporaryFile>(".csv");
  const char decimal = reading.decimal.empty() ? '.' : reading.decimal[0];
  std::string out;
  CellWalk walk(delimiter, [&](std::string_view cell, size_t column, bool header, char mark) {
    const bool wanted = !header && std::find(columns.begin(), columns.end(), column) != columns.end();
    const std::string plain = wanted ? plain_number(inside_quotes(cell), decimal, reading.thousands) : "";
    out += plain.empty() ? cell : plain;
    if (mark != '\0') out += mark;
    return true;
  });
  for_blocks(file, progress, [&](std::string_view text) {
    out.clear();
    walk.read(text);
    write_fully(copy->descriptor(), out, "a copy of the input", progress);
    return true;
  });
  out.clear();
  walk.end();
  write_fully(copy->descriptor(), out, "a copy of the input", progress);
  return copy;
}

}  // namespace shoal
