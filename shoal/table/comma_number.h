// Numbers as they are written where the comma is the decimal mark.
#pragma once

#include <algorithm>
#include <string_view>

namespace shoal {

// 3,5 or 1.234,56 or 1234: a decimal comma, points between thousands or none.
struct CommaNumber {
  bool fits = false;     // reads as such a number
  bool proof = false;    // ... and in no other way: 3,5 or 1.234,5 but not 1,234
  bool grouped = false;  // ... and has points between thousands
};

inline CommaNumber comma_number(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  const std::string_view whole = text.substr(0, text.find(','));
  const bool has_comma = whole.size() < text.size();
  const std::string_view after = has_comma ? text.substr(whole.size() + 1) : std::string_view();
  if (whole.empty() || (has_comma && after.empty()) || !std::all_of(after.begin(), after.end(), is_digit)) return {};
  const bool grouped = whole.find('.') != std::string_view::npos;
  size_t run = 0, groups = 0;
  for (size_t i = 0; i <= whole.size(); ++i) {
    if (i < whole.size() && is_digit(whole[i])) {
      ++run;
    } else if (i < whole.size() && whole[i] != '.') {
      return {};
    } else {
      if (grouped && (groups == 0 ? run == 0 || run > 3 : run != 3)) return {};
      ++groups;
      run = 0;
    }
  }
  return {true, has_comma && (grouped || after.size() != 3), grouped};
}

}  // namespace shoal
