// Dates as people write them, and which way of writing a column has.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

struct Date {
  int year = 0;
  int month = 0;          // 0: the year only
  int day = 0;            // 0: year and month only
  bool has_time = false;  // a time of day stood behind it, which is not kept
};

// Ways to write a day. iso is also YYYY-MM and YYYY. Days and months may have one digit where something parts them.
enum class DateFormat : uint8_t {
  iso,          // YYYY-MM-DD
  dotted,       // DD.MM.YYYY
  day_slash,    // DD/MM/YYYY
  month_slash,  // MM/DD/YYYY
  year_slash,   // YYYY/MM/DD
  day_dash,     // DD-MM-YYYY
  month_dash,   // MM-DD-YYYY
  digits,       // YYYYMMDD
};
inline constexpr std::array<DateFormat, 8> kDateFormats{
    DateFormat::iso,        DateFormat::dotted,   DateFormat::day_slash,  DateFormat::month_slash,
    DateFormat::year_slash, DateFormat::day_dash, DateFormat::month_dash, DateFormat::digits};

// "DD.MM.YYYY" and so on, as settings and messages have them; nothing for another text.
std::string_view to_string(DateFormat format);
std::optional<DateFormat> parse_date_format(std::string_view text);

// The date, when it is written so and exists. A time may stand behind it: a blank or T, then HH:MM, HH:MM:SS or
// HH:MM:SS.fff, and Z or an offset (+02:00).
std::optional<Date> read_date(std::string_view text, DateFormat format);

// Which formats every one of the texts seen so far has.
class DateFormats {
 public:
  void see(std::string_view text);
  bool none() const { return possible_ == 0; }
  // In the order of kDateFormats; several: they could be read in several ways.
  std::vector<DateFormat> possible() const;
  // Some text had a time, or a whole day (not a month or a year alone).
  bool any_time() const { return any_time_; }
  bool any_day() const { return any_day_; }

 private:
  unsigned possible_ = (1U << kDateFormats.size()) - 1;
  bool any_time_ = false, any_day_ = false;
};

}  // namespace shoal
