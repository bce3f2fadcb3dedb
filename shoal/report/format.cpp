#include "shoal/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {

std::string with_commas(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t place = digits.size(); place > 3;) {
    place -= 3;
    digits.insert(place, ",");
  }
  return digits;
}

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
  std::string result(text);
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return result;
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
