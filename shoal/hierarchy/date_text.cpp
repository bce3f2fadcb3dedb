#include "shoal/hierarchy/date_text.h"

#include <algorithm>

namespace shoal {
namespace {

// Takes `least` to `most` digits off the front.
std::optional<int> take_digits(std::string_view& rest, size_t least, size_t most) {
  int number = 0;
  size_t taken = 0;
  while (taken < most && taken < rest.size() && rest[taken] >= '0' && rest[taken] <= '9') {
    number = number * 10 + (rest[taken++] - '0');
  }
  if (taken < least) return std::nullopt;
  rest.remove_prefix(taken);
  return number;
}

bool take(std::string_view& rest, char wanted) {
  if (rest.empty() || rest.front() != wanted) return false;
  rest.remove_prefix(1);
  return true;
}

int days_in(int year, int month) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<size_t>(month - 1)];
}

// Whether the whole rest is a time of day, with what may stand before and after it.
bool is_time(std::string_view rest) {
  if (!take(rest, ' ') && !take(rest, 'T')) return false;
  const auto hour = take_digits(rest, 1, 2);
  if (!hour || *hour > 24 || !take(rest, ':')) return false;
  const auto minute = take_digits(rest, 2, 2);
  if (!minute || *minute > 59) return false;
  if (take(rest, ':')) {
    const auto second = take_digits(rest, 2, 2);
    if (!second || *second > 60) return false;
    if ((take(rest, '.') || take(rest, ',')) && !take_digits(rest, 1, 9)) return false;
  }
  if (rest.empty() || rest == "Z") return true;
  if (!take(rest, '+') && !take(rest, '-')) return false;
  if (!take_digits(rest, 2, 2)) return false;
  if (rest.empty()) return true;
  take(rest, ':');
  return take_digits(rest, 2, 2) && rest.empty();
}

std::optional<Date> iso_date(std::string_view& rest) {
  Date date;
  const auto year = take_digits(rest, 4, 4);
  if (!year) return std::nullopt;
  date.year = *year;
  if (rest.empty()) return date;
  if (!take(rest, '-')) return std::nullopt;
  const auto month = take_digits(rest, 2, 2);
  if (!month || *month < 1) return std::nullopt;
  date.month = *month;
  if (rest.empty()) return date;
  if (!take(rest, '-')) return std::nullopt;
  const auto day = take_digits(rest, 2, 2);
  if (!day || *day < 1) return std::nullopt;
  date.day = *day;
  return date;
}

// Three numbers with `mark` between them; which is which says the order of the letters, "DMY".
std::optional<Date> marked_date(std::string_view& rest, char mark, std::string_view order) {
  Date date;
  for (size_t i = 0; i < 3; ++i) {
    if (i > 0 && !take(rest, mark)) return std::nullopt;
    const bool year = order[i] == 'Y';
    const auto number = year ? take_digits(rest, 4, 4) : take_digits(rest, 1, 2);
    if (!number) return std::nullopt;
    (year ? date.year : order[i] == 'M' ? date.month : date.day) = *number;
  }
  if (date.month < 1 || date.day < 1) return std::nullopt;
  return date;
}

std::optional<Date> digit_date(std::string_view& rest) {
  if (rest.size() < 8) return std::nullopt;
  const auto year = take_digits(rest, 4, 4), month = take_digits(rest, 2, 2), day = take_digits(rest, 2, 2);
  // Any eight digits are a number before they are a day: only years that persons' tables speak of.
  if (!year || !month || !day || *month < 1 || *day < 1 || *year < 1800 || *year > 2199) return std::nullopt;
  return Date{*year, *month, *day, false};
}

std::optional<Date> front_date(std::string_view& rest, DateFormat format) {
  switch (format) {
    case DateFormat::iso:
      return iso_date(rest);
    case DateFormat::dotted:
      return marked_date(rest, '.', "DMY");
    case DateFormat::day_slash:
      return marked_date(rest, '/', "DMY");
    case DateFormat::month_slash:
      return marked_date(rest, '/', "MDY");
    case DateFormat::year_slash:
      return marked_date(rest, '/', "YMD");
    case DateFormat::day_dash:
      return marked_date(rest, '-', "DMY");
    case DateFormat::month_dash:
      return marked_date(rest, '-', "MDY");
    case DateFormat::digits:
      return digit_date(rest);
  }
  return std::nullopt;
}

constexpr std::array<std::string_view, 8> kNames{"YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY",
                                                 "YYYY/MM/DD", "DD-MM-YYYY", "MM-DD-YYYY", "YYYYMMDD"};

}  // namespace

std::string_view to_string(DateFormat format) { return kNames[static_cast<size_t>(format)]; }

std::optional<DateFormat> parse_date_format(std::string_view text) {
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end()) return std::nullopt;
  return kDateFormats[static_cast<size_t>(found - kNames.begin())];
}

std::optional<Date> read_date(std::string_view text, DateFormat format) {
  auto date = front_date(text, format);
  if (!date || date->month > 12 || (date->day > 0 && date->day > days_in(date->year, date->month))) return std::nullopt;
  if (text.empty()) return date;
  if (date->day == 0 || !is_time(text)) return std::nullopt;
  date->has_time = true;
  return date;
}

void DateFormats::see(std::string_view text) {
  unsigned fits = 0;
  for (size_t i = 0; i < kDateFormats.size(); ++i) {
    if ((possible_ >> i & 1U) == 0) continue;
    const auto date = read_date(text, kDateFormats[i]);
    if (!date) continue;
    fits |= 1U << i;
    any_time_ = any_time_ || date->has_time;
    any_day_ = any_day_ || date->day > 0;
  }
  possible_ = fits;
}

std::vector<DateFormat> DateFormats::possible() const {
  std::vector<DateFormat> formats;
  for (size_t i = 0; i < kDateFormats.size(); ++i) {
    if (possible_ >> i & 1U) formats.push_back(kDateFormats[i]);
  }
  return formats;
}

}  // namespace shoal
