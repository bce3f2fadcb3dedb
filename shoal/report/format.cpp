#include "shoal/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace shoal {

std::string percent(double share) {
  if (!std::isfinite(share)) return "-";
  const double value = share * 100;
  if (value > 0 && value < 0.05) return "<0.1 %";
  if (value < 100 && value >= 99.95) return ">99.9 %";
  std::string digits = fmt::format("{:.1f}", value);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return digits + " %";
}

std::string decimal(double number) {
  if (!std::isfinite(number)) return "-";
  if (std::abs(number) < 1000) return fmt::format("{:.4g}", number);
  if (std::abs(number) >= 1e15) return fmt::format("{:.4g}", number);
  return (number < 0 ? "-" : "") + with_commas(static_cast<uint64_t>(std::llround(std::abs(number))));
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "-";
  if (seconds < 0.0095) return fmt::format("{:.1f} ms", seconds * 1000);
  if (seconds < 9.95) return fmt::format("{:.2f} s", seconds);
  if (seconds < 119.5) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 7200) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string memory_size(uint64_t bytes) {
  const auto amount = static_cast<double>(bytes);
  if (amount >= 1e9) return fmt::format("{:.1f} GB", amount / 1e9);
  if (amount >= 1e6) return fmt::format("{:.0f} MB", amount / 1e6);
  return fmt::format("{:.0f} kB", amount / 1e3);
}

std::string short_list(const std::vector<std::string>& names, size_t width) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string next = (i == 0 ? "" : ", ") + printable(names[i]);
    const size_t rest = names.size() - i - 1;
    const std::string tail = rest == 0 ? "" : fmt::format(" and {} more", rest);
    if (i > 0 && width_of(list) + width_of(next) + width_of(tail) > width) {
      // Whole when the rest fits after all, since the tail is gone then.
      std::string whole = list;
      for (size_t j = i; j < names.size(); ++j) whole += ", " + printable(names[j]);
      return width_of(whole) <= width ? whole : list + fmt::format(" and {} more", rest + 1);
    }
    list += next;
  }
  return list;
}

std::string printable(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 .. U+009F are two bytes; terminals obey U+009B as they obey escape.
    const bool second_set = byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    const bool control = byte < 0x20 || byte == 0x7f || second_set;
    result += control ? '?' : text[i];
    if (second_set) ++i;
  }
  return result;
}

namespace {

// Bytes of the character that begins at `text`, 0 when that is no UTF-8. Shortest forms only, no surrogates.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (first < 0xC2 || length == 0) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool too_long = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) >= 0xA0, beyond = first == 0xF4 && byte(1) >= 0x90;
  return too_long || surrogate || beyond ? 0 : length;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    result += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return result;
}

std::string wrapped(std::string_view text, size_t indent, size_t width) {
  std::string result, line;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + width_of(line) + 1 + width_of(word) > width) {
      result += std::string(indent, ' ') + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return result + std::string(indent, ' ') + line + "\n";
}

namespace {

std::string words_of_number(Unit unit, double number) {
  switch (unit) {
    case Unit::share:
      return percent(number);
    case Unit::seconds:
      return duration(number);
    case Unit::count:
      return with_commas(static_cast<uint64_t>(number));
    default:
      return decimal(number);
  }
}

}  // namespace

std::string words_of(const Value& value) {
  if (const auto* answer = std::get_if<bool>(&value.content)) return *answer ? value.yes : value.no;
  if (const auto* count = std::get_if<uint64_t>(&value.content)) {
    return value.unit == Unit::bytes ? memory_size(*count) : with_commas(*count);
  }
  if (const auto* number = std::get_if<double>(&value.content)) return words_of_number(value.unit, *number);
  if (const auto* text = std::get_if<std::string>(&value.content)) {
    if (value.unit != Unit::file) return *text;
    return *text == "-" ? "standard input/output" : text->substr(text->rfind('/') + 1);
  }
  std::string list;
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value.content)) {
    for (const std::string& text : *texts) list += (list.empty() ? "" : ", ") + text;
  } else if (const auto* numbers = std::get_if<std::vector<double>>(&value.content)) {
    for (const double number : *numbers) list += (list.empty() ? "" : ", ") + words_of_number(value.unit, number);
  } else {
    return value.unit == Unit::absent ? "" : "-";
  }
  return list;
}

size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string shortened(std::string_view text, size_t width) {
  if (width_of(text) <= width) return std::string(text);
  size_t end = 0;
  for (size_t seen = 0; end < text.size(); ++end) {
    if ((text[end] & 0xC0) != 0x80 && ++seen == width) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string left(std::string_view text, size_t width) {
  return std::string(text) + std::string(width - std::min(width, width_of(text)), ' ');
}

std::string right(std::string_view text, size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ') + std::string(text);
}

}  // namespace shoal
