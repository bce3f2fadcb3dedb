// Dates: 2024-03-17 -> 2024-03 -> 2024-Q1 -> 2024 -> 2020s -> *.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/label_text.h"

namespace shoal {
namespace {

constexpr std::array<std::string_view, 4> kLevels{"month", "quarter", "year", "decade"};
enum Level : size_t { month, quarter, year, decade };

struct Date {
  int year = 0;
  int month = 0;  // 0: the year only
  int day = 0;    // 0: year and month only
};

std::optional<int> digits(std::string_view text) {
  int number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

int days_in(int year, int month) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<size_t>(month - 1)];
}

// YYYY, YYYY-MM or YYYY-MM-DD, a day that exists.
std::optional<Date> date_of(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return std::nullopt;
  if ((text.size() > 4 && text[4] != '-') || (text.size() > 7 && text[7] != '-')) return std::nullopt;
  const auto y = digits(text.substr(0, 4));
  const auto m = text.size() > 4 ? digits(text.substr(5, 2)) : std::optional(0);
  const auto d = text.size() > 7 ? digits(text.substr(8, 2)) : std::optional(0);
  if (!y || !m || !d) return std::nullopt;
  if (text.size() > 4 && (*m < 1 || *m > 12)) return std::nullopt;
  if (text.size() > 7 && (*d < 1 || *d > days_in(*y, *m))) return std::nullopt;
  return Date{*y, *m, *d};
}

// What a date is released as at a level; nothing when the date itself is no finer than that.
std::optional<std::string> label_at(const Date& date, size_t level) {
  switch (level) {
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
std::vector<size_t> levels_of(const BuilderSettings& settings) {
  if (!settings.has("levels")) return {month, year, decade};
  std::vector<size_t> levels;
  for (const std::string& name : settings.list("levels")) {
    const auto known = std::find(kLevels.begin(), kLevels.end(), name);
    if (known == kLevels.end()) {
      settings.refuse("levels", fmt::format("has {}{} There are month, quarter, year, decade", quoted_label(name),
                                            meant_label(name, kLevels).empty() ? "." : meant_label(name, kLevels)));
    }
    const auto level = static_cast<size_t>(known - kLevels.begin());
    if (!levels.empty() && levels.back() >= level) {
      settings.refuse("levels", "must go from fine to coarse: month, quarter, year, decade");
    }
    levels.push_back(level);
  }
  return levels;
}

}  // namespace

Tree build_dates(const BuilderSpec& spec, std::span<const std::string> values) {
  const BuilderSettings settings(spec, {"levels"});
  const std::vector<size_t> levels = levels_of(settings);
  std::vector<std::pair<std::string, Date>> dates;
  std::vector<size_t> wrong;
  for (size_t value = 0; value < values.size(); ++value) {
    if (const auto date = date_of(values[value])) {
      dates.emplace_back(values[value], *date);
    } else {
      wrong.push_back(value);
    }
  }
  if (!wrong.empty()) {
    refuse_values(values, wrong, "are no dates as YYYY-MM-DD, YYYY-MM or YYYY that exist",
                  "mend them, or list texts that mean missing under `missing` in the job");
  }
  std::sort(dates.begin(), dates.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  GrowingTree tree;
  std::unordered_set<std::string> labels;
  for (const auto& [text, date] : dates) {
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
    refuse_values(values, also_labels, "are whole months or years that other dates would be released as",
                  "leave that level out of levels=, or give all dates the same precision");
  }
  return std::move(tree).take();
}

}  // namespace shoal
