#include "shoal/hierarchy/choose_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "shoal/hierarchy/date_text.h"
#include "shoal/hierarchy/label_text.h"
#include "shoal/hierarchy/value_order.h"
#include "shoal/table/number.h"
#include "shoal/table/round_number.h"

namespace shoal {
namespace {

constexpr size_t kFewValues = 10;    // of numbers: an order is enough
constexpr size_t kLongestCode = 12;  // longer texts are no codes
constexpr size_t kFewestCodes = 20;  // fewer need no tree
constexpr double kRareShare = 0.01;
constexpr double kFarOutside = 0.5;  // of the middle 98 %: beyond that, numbers join at the ends
constexpr double kIntervals = 10;    // at least so many in the middle 98 %

uint64_t count_of(std::span<const uint64_t> counts, size_t value) { return counts.empty() ? 1 : counts[value]; }

std::optional<ChosenBuilder> dates(std::span<const std::string> values) {
  DateFormats formats;
  for (const std::string& value : values) {
    formats.see(value);
    if (formats.none()) return std::nullopt;
  }
  const std::vector<DateFormat> possible = formats.possible();
  // Years alone are numbers, and two readings are the user's to decide.
  if (!formats.any_day() || possible.size() != 1) return std::nullopt;
  BuilderSpec spec{"dates",
                   {{"format", std::string(to_string(possible.front()))},
                    {"levels", formats.any_time() ? "day,month,quarter,year,decade" : "month,quarter,year,decade"}}};
  return ChosenBuilder{
      spec, fmt::format("dates as {}{}", to_string(possible.front()), formats.any_time() ? ", with times" : "")};
}

std::string step_text(const RoundStep& step) {
  return number_label(Decimal::from_digits(false, std::to_string(step.digit), step.exponent));
}

struct Spread {                       // of numbers over the rows
  double least, low, high, greatest;  // low and high: 1st and 99th percentile
};

Spread spread_of(std::span<const std::string> values, std::span<const uint64_t> counts) {
  std::vector<std::pair<double, uint64_t>> numbers;
  uint64_t rows = 0;
  for (size_t value = 0; value < values.size(); ++value) {
    numbers.emplace_back(*label_number(values[value]), count_of(counts, value));
    rows += numbers.back().second;
  }
  std::sort(numbers.begin(), numbers.end());
  const auto at = [&](double share) {
    uint64_t before = 0;
    for (const auto& [number, count] : numbers) {
      before += count;
      if (static_cast<double>(before) >= share * static_cast<double>(rows)) return number;
    }
    return numbers.back().first;
  };
  return {numbers.front().first, at(0.01), at(0.99), numbers.back().first};
}

ChosenBuilder numbers(std::span<const std::string> values, std::span<const uint64_t> counts) {
  if (values.size() <= kFewValues) return {{"ordinal", {}}, "few numbers, in their order"};
  Spread spread = spread_of(values, counts);
  if (!(spread.high > spread.low)) spread.low = spread.least, spread.high = spread.greatest;
  const double middle = spread.high - spread.low;
  const auto step = largest_step(middle / kIntervals);
  if (!step) return {{"quantiles", {{"parts", "16"}}}, "numbers in ranges with about equally many rows"};
  const std::string width = step_text(*step);
  BuilderSpec spec{"intervals", {{"width", width}}};
  std::string ends;
  const auto border = [&](double number, bool up) {
    const Decimal exact = *Decimal::parse(fmt::format("{}", number));
    return number_label(up ? round_up(exact, *step) : round_down(exact, *step));
  };
  if (spread.low - spread.least > kFarOutside * middle) {
    spec.settings["bottom"] = border(spread.low, false);
    ends += fmt::format(", below {} joined", spec.settings["bottom"]);
  }
  if (spread.greatest - spread.high > kFarOutside * middle) {
    spec.settings["top"] = border(spread.high, true);
    ends += fmt::format(", from {} on joined", spec.settings["top"]);
  }
  // Levels of doubling width while the widest leaves more than one interval.
  const double covered = (spec.settings.contains("top") ? spread.high : spread.greatest) -
                         (spec.settings.contains("bottom") ? spread.low : spread.least);
  const double narrow = *label_number(width);
  const int levels = std::clamp(static_cast<int>(std::floor(std::log2(covered / narrow))), 1, 12);
  spec.settings["levels"] = std::to_string(levels);
  return {spec, fmt::format("intervals of width {}{}", width, ends)};
}

bool look_like_codes(std::span<const std::string> values) {
  if (values.size() < kFewestCodes) return false;
  size_t with_digit = 0;
  for (const std::string& value : values) {
    if (value.size() > kLongestCode || value.find(' ') != std::string::npos || value.ends_with('*')) return false;
    with_digit += value.find_first_of("0123456789") != std::string::npos ? 1 : 0;
  }
  return with_digit * 10 >= values.size() * 9;
}

std::optional<ChosenBuilder> rare(std::span<const std::string> values, std::span<const uint64_t> counts) {
  uint64_t rows = 0;
  for (size_t value = 0; value < values.size(); ++value) rows += count_of(counts, value);
  size_t rare = 0;
  for (size_t value = 0; value < values.size(); ++value) {
    rare += static_cast<double>(count_of(counts, value)) < kRareShare * static_cast<double>(rows) ? 1 : 0;
  }
  if (rare < 2 || rare == values.size()) return std::nullopt;
  return ChosenBuilder{
      {"frequency", {{"below", "0.01,0.05"}}},
      fmt::format("rare values joined ({} of {} are in less than 1 % of the rows each)", rare, values.size())};
}

}  // namespace

bool written_as_code(std::span<const std::string> values) {
  if (values.empty()) return false;
  bool same_digits = values.size() >= kFewValues && values.front().size() >= 5;
  for (const std::string& value : values) {
    if (has_leading_zero(value)) return true;
    same_digits = same_digits && value.size() == values.front().size() &&
                  value.find_first_not_of("0123456789") == std::string::npos;
  }
  return same_digits;
}

ChosenBuilder choose_builder(std::span<const std::string> values, std::span<const uint64_t> counts, ValueKind kind) {
  if (values.size() < 3) return {{"flat", {}}, "two values or fewer"};
  if (auto chosen = dates(values)) return *chosen;
  const bool all_numbers = std::all_of(values.begin(), values.end(),
                                       [](const std::string& value) { return label_number(value).has_value(); });
  const bool as_numbers = kind == ValueKind::any && all_numbers && !written_as_code(values);
  if (as_numbers) return numbers(values, counts);
  if (!all_numbers) {
    if (const auto order = found_order(values)) {
      return {{"ordinal", {}}, fmt::format("neighbours joined ({} values in the order that they show)", values.size())};
    }
  }
  // The first digits of numbers that only number something (1, 2, .. 28) have nothing in common.
  if ((!all_numbers || written_as_code(values)) && look_like_codes(values)) {
    if (const std::vector<size_t> levels = code_levels(values); !levels.empty()) {
      const std::string kept = fmt::format("{}", fmt::join(levels, ","));
      return {{"codes", {{"levels", kept}}}, fmt::format("codes that share their first {} characters", kept)};
    }
  }
  if (auto chosen = rare(values, counts)) return *chosen;
  return {{"flat", {}}, "values without a common part"};
}

}  // namespace shoal
