#include "shoal/hierarchy/value_order.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "shoal/hierarchy/interval_label.h"
#include "shoal/hierarchy/label_text.h"

namespace shoal {
namespace {

using Texts = std::vector<std::string>;

// Scales as they are answered in forms. Words of one line that mean the same share a place (a slash).
constexpr std::array<std::string_view, 14> kScales{
    "very low,low,moderate/medium/middle/normal,high,very high",
    "xs,s,m,l,xl,xxl,xxxl",
    "tiny,small,medium,large/big,huge",
    "none/no,minimal,mild/slight,moderate,severe/strong,very severe/extreme",
    "never,rarely/seldom,sometimes/occasionally,often/frequently,usually,always",
    "very bad/very poor,bad/poor,fair/average/satisfactory,good,very good,excellent",
    "strongly disagree,disagree,neutral/neither,agree,strongly agree",
    "very dissatisfied,dissatisfied,neutral,satisfied,very satisfied",
    "primary,secondary,tertiary",
    "mon/monday,tue/tuesday,wed/wednesday,thu/thursday,fri/friday,sat/saturday,sun/sunday",
    "jan/january,feb/february,mar/march,apr/april,may,jun/june,jul/july,aug/august,sep/september,oct/october,nov/"
    "november,dec/december",
    "niedrig/gering,mittel,hoch,sehr hoch",
    "nie,selten,manchmal,oft,immer",
    "sehr schlecht,schlecht,mittel,gut,sehr gut",
};

std::string lower(std::string_view text) {
  std::string word(text);
  for (char& c : word) c = c == '_' || c == '-' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

std::unordered_map<std::string, size_t> places_on(std::string_view scale) {
  std::unordered_map<std::string, size_t> places;
  size_t place = 0;
  std::string word;
  for (const char c : scale) {
    if (c != ',' && c != '/') {
      word += c;
      continue;
    }
    places.emplace(std::move(word), place);
    word.clear();
    place += c == ',' ? 1 : 0;
  }
  places.emplace(std::move(word), place);
  return places;
}

template <typename Key>
Texts sorted_by(std::span<const std::string> values, const std::vector<Key>& keys) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : values[a] < values[b]; });
  Texts sorted;
  for (const size_t i : order) sorted.push_back(values[i]);
  return sorted;
}

std::optional<Texts> by_number(std::span<const std::string> values) {
  std::vector<Decimal> numbers;
  for (const std::string& value : values) {
    const auto number = label_decimal(value);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return sorted_by(values, numbers);
}

// Plain numbers may stand among bands (0, 1-5, 6+), but two of the values must not overlap.
std::optional<Texts> by_band(std::span<const std::string> values) {
  struct Band {
    LabelInterval interval;
    std::string text;
  };
  std::vector<Band> bands;
  for (const std::string& value : values) {
    auto interval = label_interval(value);
    if (const auto number = label_decimal(value)) interval = LabelInterval{*number, *number, true, true};
    if (!interval) return std::nullopt;
    bands.push_back({*interval, value});
  }
  std::sort(bands.begin(), bands.end(), [](const Band& a, const Band& b) {
    if (!a.interval.low || !b.interval.low) return !a.interval.low && b.interval.low;
    if (*a.interval.low != *b.interval.low) return *a.interval.low < *b.interval.low;
    return a.interval.low_closed && !b.interval.low_closed;
  });
  for (size_t i = 0; i + 1 < bands.size(); ++i) {
    const LabelInterval &one = bands[i].interval, &next = bands[i + 1].interval;
    if (!one.high || !next.low || *one.high > *next.low) return std::nullopt;
    if (*one.high == *next.low && one.high_closed && next.low_closed) return std::nullopt;
  }
  Texts sorted;
  for (Band& band : bands) sorted.push_back(std::move(band.text));
  return sorted;
}

std::optional<Texts> by_scale(std::span<const std::string> values) {
  for (const std::string_view scale : kScales) {
    const auto places = places_on(scale);
    std::vector<size_t> keys;
    for (const std::string& value : values) {
      const auto found = places.find(lower(value));
      if (found == places.end()) break;
      keys.push_back(found->second);
    }
    if (keys.size() == values.size()) return sorted_by(values, keys);
  }
  return std::nullopt;
}

std::optional<uint64_t> roman(std::string_view text) {
  constexpr std::array<std::string_view, 11> kRoman{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"};
  const auto found = std::find(kRoman.begin() + 1, kRoman.end(), text);
  if (found == kRoman.end()) return std::nullopt;
  return static_cast<uint64_t>(found - kRoman.begin());
}

// "stage 2": the text around the number, and the number.
struct Numbered {
  std::string around;
  uint64_t number = 0;
};

std::optional<Numbered> numbered(const std::string& value) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto first = std::find_if(value.begin(), value.end(), is_digit);
  if (first == value.end()) {
    const size_t word = value.find_last_of(" -_") == std::string::npos ? 0 : value.find_last_of(" -_") + 1;
    const auto number = roman(std::string_view(value).substr(word));
    return number ? std::optional(Numbered{value.substr(0, word), *number}) : std::nullopt;
  }
  const auto end = std::find_if_not(first, value.end(), is_digit);
  if (end - first > 6 || std::any_of(end, value.end(), is_digit)) return std::nullopt;
  return Numbered{std::string(value.begin(), first) + "\x01" + std::string(end, value.end()),
                  std::stoull(std::string(first, end))};
}

std::optional<Texts> by_one_number(std::span<const std::string> values) {
  std::vector<uint64_t> keys;
  std::string around;
  for (const std::string& value : values) {
    const auto one = numbered(value);
    if (!one || (!keys.empty() && one->around != around)) return std::nullopt;
    around = one->around;
    keys.push_back(one->number);
  }
  return sorted_by(values, keys);
}

}  // namespace

std::optional<std::vector<std::string>> found_order(std::span<const std::string> values) {
  if (values.size() < 2) return std::nullopt;
  if (auto order = by_number(values)) return order;
  if (auto order = by_band(values)) return order;
  if (auto order = by_scale(values)) return order;
  return by_one_number(values);
}

std::vector<size_t> most_frequent_first(std::span<const std::string> values, std::span<const uint64_t> counts) {
  const auto count = [&](size_t value) { return counts.empty() ? 1 : counts[value]; };
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return count(a) != count(b) ? count(a) > count(b) : values[a] < values[b]; });
  return order;
}

std::string joined_label(const std::string& first, const std::string& last) {
  const auto low = label_interval(first), high = label_interval(last);
  if (low && high && (first.front() == '[' || first.front() == '(') && first.front() != last.back()) {
    const size_t end_of_low = first.find_first_of(",;-", 2), start_of_high = last.find_first_of(",;-", 2);
    if (end_of_low != std::string::npos && start_of_high != std::string::npos) {
      return first.substr(0, end_of_low) + last.substr(start_of_high);
    }
  }
  return first + ".." + last;
}

}  // namespace shoal
