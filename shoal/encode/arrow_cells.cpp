// Formats of the C data interface are short codes ("l" for 64-bit integers, "tdD" for days); buffers come in the order
// validity, values (or offsets, texts). Slices share buffers and differ by their offset, which every look-up adds.
#include "shoal/encode/arrow_cells.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "shoal/error.h"

namespace shoal {
namespace {

using Kind = ArrowType::Kind;

constexpr int kMostDecimalPlaces = 100;        // 256 bits have 77 digits
constexpr int64_t kMostDays = 30'000 * 365LL;  // the calendar's years have 16 bits

[[noreturn]] void refuse(const std::string& column, const std::string& type) {
  throw Error(ErrorKind::input,
              fmt::format("the column '{}' holds {}, which cannot be anonymized; leave the column out, or turn it into "
                          "text, numbers or dates first",
                          column, type));
}

std::string nested_name(std::string_view format) {
  if (format.starts_with("+l") || format.starts_with("+L") || format.starts_with("+v")) return "lists";
  if (format.starts_with("+w")) return "lists of fixed size";
  if (format.starts_with("+s")) return "structs";
  if (format.starts_with("+m")) return "maps";
  if (format.starts_with("+u")) return "unions";
  if (format.starts_with("+r")) return "run-end encoded values";
  if (format.starts_with("z") || format.starts_with("Z") || format.starts_with("vz")) return "binary values";
  if (format.starts_with("w:")) return "binary values of fixed size";
  if (format.starts_with("tD")) return "durations";
  if (format.starts_with("ti")) return "intervals of time";
  if (format == "e") return "half-precision numbers";
  return fmt::format("values of the Arrow format '{}'", format);
}

std::optional<ArrowType> number_type(std::string_view format) {
  struct Entry {
    const char* words;
    int bytes;
    char code;
    bool is_signed;
  };
  static constexpr Entry kIntegers[] = {{"int8", 1, 'c', true},    {"uint8", 1, 'C', false}, {"int16", 2, 's', true},
                                        {"uint16", 2, 'S', false}, {"int32", 4, 'i', true},  {"uint32", 4, 'I', false},
                                        {"int64", 8, 'l', true},   {"uint64", 8, 'L', false}};
  if (format.size() != 1) return std::nullopt;
  for (const Entry& entry : kIntegers) {
    if (entry.code != format[0]) continue;
    ArrowType type;
    type.kind = Kind::integer;
    type.bytes = entry.bytes;
    type.is_signed = entry.is_signed;
    type.words = entry.words;
    return type;
  }
  if (format == "f" || format == "g") {
    ArrowType type;
    type.kind = Kind::real;
    type.bytes = format == "f" ? 4 : 8;
    type.words = format == "f" ? "float" : "double";
    return type;
  }
  return std::nullopt;
}

// "d:19,10" or "d:19,10,256": precision, scale, bits.
std::optional<ArrowType> decimal_type(std::string_view format) {
  if (!format.starts_with("d:")) return std::nullopt;
  int numbers[3] = {0, 0, 128};
  const char* at = format.data() + 2;
  const char* const end = format.data() + format.size();
  for (int i = 0; i < 3 && at < end; ++i) {
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc() || (next < end && *next != ',')) return std::nullopt;
    at = next < end ? next + 1 : end;
  }
  if (std::abs(numbers[1]) > kMostDecimalPlaces) return std::nullopt;
  if (numbers[2] != 32 && numbers[2] != 64 && numbers[2] != 128 && numbers[2] != 256) return std::nullopt;
  ArrowType type;
  type.kind = Kind::decimal;
  type.bytes = numbers[2] / 8;
  type.scale = numbers[1];
  type.words = fmt::format("decimal({}, {})", numbers[0], numbers[1]);
  return type;
}

int64_t parts_per_second(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 1'000;
    case 'u':
      return 1'000'000;
    default:
      return 1'000'000'000;
  }
}

std::optional<ArrowType> moment_type(std::string_view format) {
  ArrowType type;
  if (format == "tdD" || format == "tdm") {
    type.kind = format == "tdD" ? Kind::date_days : Kind::date_milliseconds;
    type.bytes = format == "tdD" ? 4 : 8;
    type.words = "date";
    return type;
  }
  if (format.size() == 3 && format.starts_with("tt") && std::strchr("smun", format[2]) != nullptr) {
    type.kind = Kind::time;
    type.bytes = format[2] == 's' || format[2] == 'm' ? 4 : 8;
    type.per_second = parts_per_second(format[2]);
    type.words = "time";
    return type;
  }
  if (format.size() >= 4 && format.starts_with("ts") && std::strchr("smun", format[2]) != nullptr && format[3] == ':') {
    type.kind = Kind::timestamp;
    type.bytes = 8;
    type.per_second = parts_per_second(format[2]);
    type.has_zone = format.size() > 4;
    type.words = "timestamp";
    return type;
  }
  return std::nullopt;
}

template <typename Integer>
Integer value_at(const void* buffer, int64_t at) {
  Integer value;
  std::memcpy(&value, static_cast<const char*>(buffer) + at * static_cast<int64_t>(sizeof(Integer)), sizeof value);
  return value;
}

int64_t signed_at(const void* buffer, int64_t at, int bytes) {
  switch (bytes) {
    case 1:
      return value_at<int8_t>(buffer, at);
    case 2:
      return value_at<int16_t>(buffer, at);
    case 4:
      return value_at<int32_t>(buffer, at);
    default:
      return value_at<int64_t>(buffer, at);
  }
}

uint64_t unsigned_at(const void* buffer, int64_t at, int bytes) {
  switch (bytes) {
    case 1:
      return value_at<uint8_t>(buffer, at);
    case 2:
      return value_at<uint16_t>(buffer, at);
    case 4:
      return value_at<uint32_t>(buffer, at);
    default:
      return value_at<uint64_t>(buffer, at);
  }
}

template <typename Real>
std::string real_text(Real number) {
  std::string text = fmt::format("{}", number);
  if (std::isfinite(number) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Two's complement, little end first, divided by ten until nothing is left.
std::string decimal_text(const void* buffer, int64_t at, const ArrowType& type) {
  const size_t words = static_cast<size_t>(type.bytes) / 4;
  std::array<uint32_t, 8> limbs{};
  std::memcpy(limbs.data(), static_cast<const char*>(buffer) + at * type.bytes, static_cast<size_t>(type.bytes));
  const bool negative = (limbs[words - 1] >> 31) != 0;
  if (negative) {
    uint64_t carry = 1;
    for (size_t i = 0; i < words; ++i) {
      carry += static_cast<uint32_t>(~limbs[i]);
      limbs[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::string digits;
  for (bool zero = false; !zero;) {
    uint64_t remainder = 0;
    zero = true;
    for (size_t i = words; i-- > 0;) {
      const uint64_t value = (remainder << 32) | limbs[i];
      limbs[i] = static_cast<uint32_t>(value / 10);
      remainder = value % 10;
      zero = zero && limbs[i] == 0;
    }
    digits += static_cast<char>('0' + remainder);
  }
  for (int i = type.scale; i < 0; ++i) digits.insert(digits.begin(), '0');
  if (type.scale > 0) {
    const auto scale = static_cast<size_t>(type.scale);
    if (digits.size() <= scale) digits.append(scale + 1 - digits.size(), '0');
    digits.insert(scale, 1, '.');
  }
  if (negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

std::string date_text(int64_t days) {
  if (days < -kMostDays || days > kMostDays) {
    throw Error(ErrorKind::input, "an Arrow date lies more than 30,000 years from 1970, which cannot be read");
  }
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string clock_text(int64_t parts, int64_t per_second) {
  const int64_t seconds = parts / per_second;
  std::string text = fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (parts % per_second == 0) return text;
  // Fractions without the zeros at their end.
  std::string fraction = fmt::format("{}", per_second + parts % per_second).substr(1);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return text + "." + fraction;
}

int64_t divided_down(int64_t number, int64_t by) { return number / by - (number % by < 0 ? 1 : 0); }

std::string time_text(int64_t parts, const ArrowType& type) {
  if (parts < 0 || parts > 86'400 * type.per_second) {
    throw Error(ErrorKind::input, "an Arrow time of day is not between 00:00 and 24:00, which cannot be read");
  }
  return clock_text(parts, type.per_second);
}

std::string timestamp_text(int64_t parts, const ArrowType& type) {
  const int64_t per_day = 86'400 * type.per_second;
  const int64_t days = divided_down(parts, per_day);
  const int64_t of_day = parts % per_day;  // not from `days`: the first day there is begins before the first moment
  return date_text(days) + " " + clock_text(of_day < 0 ? of_day + per_day : of_day, type.per_second) +
         (type.has_zone ? "+00" : "");
}

}  // namespace

ArrowType arrow_type(const ArrowSchema& schema, const std::string& column) {
  const std::string_view format = schema.format;
  for (const auto& found : {number_type(format), decimal_type(format), moment_type(format)}) {
    if (found) return *found;
  }
  ArrowType type;
  const std::pair<std::string_view, std::pair<Kind, const char*>> others[] = {{"n", {Kind::null, "null"}},
                                                                              {"b", {Kind::boolean, "bool"}},
                                                                              {"u", {Kind::text, "string"}},
                                                                              {"U", {Kind::large_text, "large string"}},
                                                                              {"vu", {Kind::text_view, "string view"}}};
  for (const auto& [code, meaning] : others) {
    if (format != code) continue;
    type.kind = meaning.first;
    type.words = meaning.second;
    return type;
  }
  refuse(column, nested_name(format));
}

std::string_view TextArena::keep(std::string_view text) {
  constexpr size_t kBlock = size_t{1} << 16;
  if (blocks_.empty() || blocks_.back().size() - used_ < text.size()) {
    blocks_.emplace_back(std::max(kBlock, text.size()), '\0');
    used_ = 0;
  }
  char* const at = blocks_.back().data() + used_;
  std::memcpy(at, text.data(), text.size());
  used_ += text.size();
  return {at, text.size()};
}

void TextArena::clear() {
  if (blocks_.size() > 1) blocks_.erase(blocks_.begin(), blocks_.end() - 1);
  used_ = 0;
}

ArrowCells::ArrowCells(const ArrowSchema& schema, const ArrowArray& array, const std::string& column)
    : array_(array), type_(arrow_type(schema, column)), is_dictionary_(schema.dictionary != nullptr) {
  if (!is_dictionary_) return;
  if (schema.dictionary->dictionary != nullptr) refuse(column, "dictionaries of dictionaries");
  if (array.dictionary == nullptr || type_.kind != Kind::integer) refuse(column, "a dictionary without its values");
  dictionary_arena_ = std::make_unique<TextArena>();
  dictionary_.resize(static_cast<size_t>(array.dictionary->length));
  ArrowCells(*schema.dictionary, *array.dictionary, column)
      .texts(0, dictionary_.size(), *dictionary_arena_, dictionary_.data());
}

bool ArrowCells::is_null(int64_t at) const {
  if (type_.kind == Kind::null) return true;
  if (array_.null_count == 0 || array_.n_buffers == 0 || array_.buffers[0] == nullptr) return false;
  const auto* bits = static_cast<const uint8_t*>(array_.buffers[0]);
  return ((bits[at / 8] >> (at % 8)) & 1) == 0;
}

void ArrowCells::texts(size_t first, size_t count, TextArena& arena, std::string_view* cells) const {
  for (size_t i = 0; i < count; ++i) {
    const int64_t at = array_.offset + static_cast<int64_t>(first + i);
    cells[i] = is_null(at) ? std::string_view() : text(at, arena);
  }
}

std::string_view ArrowCells::integer_text(int64_t at, TextArena& arena) const {
  char digits[24];
  const void* values = array_.buffers[1];
  const auto printed = type_.is_signed
                           ? std::to_chars(digits, digits + sizeof digits, signed_at(values, at, type_.bytes))
                           : std::to_chars(digits, digits + sizeof digits, unsigned_at(values, at, type_.bytes));
  return arena.keep({digits, printed.ptr});
}

std::string_view ArrowCells::text(int64_t at, TextArena& arena) const {
  if (is_dictionary_) {
    const uint64_t index = unsigned_at(array_.buffers[1], at, type_.bytes);
    if (index < dictionary_.size()) return dictionary_[index];
    throw Error(ErrorKind::input, "an Arrow dictionary is shorter than its indices say");
  }
  const void* values = array_.n_buffers > 1 ? array_.buffers[1] : nullptr;
  if (values == nullptr && type_.kind != Kind::null) {
    throw Error(ErrorKind::input, "an Arrow array has no buffer for its values");
  }
  // An empty text must not look like NULL.
  const auto view = [](const char* from, int64_t size) {
    return size == 0 ? std::string_view("") : std::string_view(from, static_cast<size_t>(size));
  };
  switch (type_.kind) {
    case Kind::null:
      return {};
    case Kind::boolean:
      return (static_cast<const uint8_t*>(values)[at / 8] >> (at % 8)) & 1 ? "true" : "false";
    case Kind::integer:
      return integer_text(at, arena);
    case Kind::real:
      return arena.keep(type_.bytes == 4 ? real_text(value_at<float>(values, at))
                                         : real_text(value_at<double>(values, at)));
    case Kind::decimal:
      return arena.keep(decimal_text(values, at, type_));
    case Kind::text: {
      const int32_t begin = value_at<int32_t>(values, at), end = value_at<int32_t>(values, at + 1);
      return view(static_cast<const char*>(array_.buffers[2]) + begin, end - begin);
    }
    case Kind::large_text: {
      const int64_t begin = value_at<int64_t>(values, at), end = value_at<int64_t>(values, at + 1);
      return view(static_cast<const char*>(array_.buffers[2]) + begin, end - begin);
    }
    case Kind::text_view: {
      // 16 bytes: the length; then the text itself, or its first four bytes, the number of a buffer and a place in it.
      const char* const entry = static_cast<const char*>(values) + at * 16;
      const int32_t length = value_at<int32_t>(entry, 0);
      if (length <= 12) return view(entry + 4, length);
      const int32_t buffer = value_at<int32_t>(entry, 2), offset = value_at<int32_t>(entry, 3);
      return view(static_cast<const char*>(array_.buffers[2 + buffer]) + offset, length);
    }
    case Kind::date_days:
      return arena.keep(date_text(value_at<int32_t>(values, at)));
    case Kind::date_milliseconds:
      return arena.keep(date_text(divided_down(value_at<int64_t>(values, at), 86'400'000)));
    case Kind::time:
      return arena.keep(time_text(signed_at(values, at, type_.bytes), type_));
    case Kind::timestamp:
      return arena.keep(timestamp_text(value_at<int64_t>(values, at), type_));
  }
  return {};
}

}  // namespace shoal
