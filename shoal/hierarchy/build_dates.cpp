// Dates: 2024-03-17 -> 2024-03 -> 2024-Q1 -> 2024 -> 2020s -> *, however the days are written.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_set>

#include "shoal/error.h"
#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/date_text.h"
#include "shoal/hierarchy/label_text.h"

namespace shoal {
namespace {

constexpr std::array<std::string_view, 5> kLevels{"day", "month", "quarter", "year", "decade"};
enum Level : size_t { day, month, quarter, year, decade };

// What a date is released as at a level; nothing when the date itself is no finer than that.
std::optional<std::string> label_at(const Date& date, size_t level) {
  switch (level) {
    case day:
      return !date.has_time ? std::nullopt
                            : std::optional(fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day));
    case month:
      return date.day == 0 ? std::nullopt : std::optional(fmt::format("{:04}-{:02}", date.year, date.month));
    case quarter:
      return date.month == 0 ? std::nullopt
                             : std::optional(fmt::format("{:04}-Q{}", date.year, (date.month - 1) / 3 + 1));
    case year:
      return date.month == 0 ? std::nullopt : std::optional(fmt::format("{:04}", date.year));
    default:
      return fmt::format("{:03}0s", date.year / 10);
  }
}

// Finest first.
std::vector<size_t> levels_of(const BuilderSettings& settings, bool with_times) {
  if (!settings.has("levels") && with_times) return {day, month, year, decade};
  if (!settings.has("levels")) return {month, year, decade};
  std::vector<size_t> levels;
  for (const std::string& name : settings.list("levels")) {
    const auto known = std::find(kLevels.begin(), kLevels.end(), name);
    if (known == kLevels.end()) {
      settings.refuse("levels", fmt::format("has {}{} There are day, month, quarter, year, decade", quoted_label(name),
                                            meant_label(name, kLevels).empty() ? "." : meant_label(name, kLevels)));
    }
    const auto level = static_cast<size_t>(known - kLevels.begin());
    if (!levels.empty() && levels.back() >= level) {
      settings.refuse("levels", "must go from fine to coarse: day, month, quarter, year, decade");
    }
    levels.push_back(level);
  }
  return levels;
}

std::string day_text(const Date& date) { return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day); }

// Two readings of all values: nobody but the user can say which is meant.
[[noreturn]] void refuse_ambiguous(std::span<const std::string> values, DateFormat one, DateFormat other) {
  const auto least = std::min_element(values.begin(), values.end(), [&](const std::string& a, const std::string& b) {
    const auto differs = [&](const std::string& text) {
      return day_text(*read_date(text, one)) != day_text(*read_date(text, other));
    };
    return std::tuple(!differs(a), a) < std::tuple(!differs(b), b);
  });
  throw Error(ErrorKind::input,
              fmt::format("the dates can be read as {} and as {}: {} is {} or {}; say which: hierarchy: {{build: "
                          "dates, format: {}}} or format: {}",
                          to_string(one), to_string(other), quoted_label(*least), day_text(*read_date(*least, one)),
                          day_text(*read_date(*least, other)), to_string(one), to_string(other)));
}

// The one format of all values; where there is none, the one that most have, so that the others can be named.
DateFormat format_of(const BuilderSettings& settings, std::span<const std::string> values) {
  if (settings.has("format")) {
    const auto format = parse_date_format(settings.text("format", ""));
    if (format) return *format;
    std::string names;
    for (const DateFormat known : kDateFormats) names += (names.empty() ? "" : ", ") + std::string(to_string(known));
    settings.refuse("format", "is not known. There are " + names);
  }
  DateFormats formats;
  for (const std::string& value : values) formats.see(value);
  const std::vector<DateFormat> possible = formats.possible();
  if (possible.size() == 1 || values.empty()) return values.empty() ? DateFormat::iso : possible.front();
  if (possible.size() > 1) {
    const bool same = std::all_of(values.begin(), values.end(), [&](const std::string& text) {
      return day_text(*read_date(text, possible[0])) == day_text(*read_date(text, possible[1]));
    });
    if (same) return possible.front();
    refuse_ambiguous(values, possible[0], possible[1]);
  }
  const auto readable = [&](DateFormat format) {
    return std::count_if(values.begin(), values.end(),
                         [&](const std::string& text) { return read_date(text, format).has_value(); });
  };
  return *std::max_element(kDateFormats.begin(), kDateFormats.end(),
                           [&](DateFormat a, DateFormat b) { return readable(a) < readable(b); });
}

struct DatedValue {
  Date date;
  std::string text;
};

std::vector<DatedValue> dated(std::span<const std::string> values, DateFormat format) {
  std::vector<DatedValue> dates;
  std::vector<size_t> wrong;
  for (size_t value = 0; value < values.size(); ++value) {
    if (const auto date = read_date(values[value], format)) {
      dates.push_back({*date, values[value]});
    } else {
      wrong.push_back(value);
    }
  }
  if (!wrong.empty()) {
    const std::string as = format == DateFormat::iso ? "YYYY-MM-DD, YYYY-MM or YYYY" : std::string(to_string(format));
    refuse_values(values, wrong, fmt::format("are no dates as {} that exist", as),
                  "mend them, or list texts that mean missing under `missing` in the job");
  }
  std::sort(dates.begin(), dates.end(), [](const DatedValue& a, const DatedValue& b) {
    return std::tie(a.date.year, a.date.month, a.date.day, a.text) <
           std::tie(b.date.year, b.date.month, b.date.day, b.text);
  });
  return dates;
}

}  // namespace

Tree build_dates(const BuilderSpec& spec, std::span<const std::string> values) {
  const BuilderSettings settings(spec, {"levels", "format"});
  const std::vector<DatedValue> dates = dated(values, format_of(settings, values));
  const bool with_times =
      std::any_of(dates.begin(), dates.end(), [](const DatedValue& value) { return value.date.has_time; });
  const std::vector<size_t> levels = levels_of(settings, with_times);

  GrowingTree tree;
  std::unordered_set<std::string> labels;
  for (const auto& [date, text] : dates) {
    uint32_t node = 0;
    for (size_t i = levels.size(); i-- > 0;) {
      const auto label = label_at(date, levels[i]);
      if (!label) continue;
      labels.insert(*label);
      node = tree.inner(node, *label);
    }
    tree.leaf(node, text);
  }
  std::vector<size_t> also_labels;
  for (size_t value = 0; value < values.size(); ++value) {
    if (labels.contains(values[value])) also_labels.push_back(value);
  }
  if (!also_labels.empty()) {
    refuse_values(values, also_labels, "are whole days, months or years that other dates would be released as",
                  "leave that level out of levels=, or give all dates the same precision");
  }
  return std::move(tree).take();
}

}  // namespace shoal
