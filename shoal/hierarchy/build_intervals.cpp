// Intervals of equal width, each level `factor` times as wide as the one below; or one level between given edges.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "shoal/hierarchy/builders.h"
#include "shoal/hierarchy/label_text.h"

namespace shoal {
namespace {

constexpr uint32_t kUsualLevels = 4;
constexpr uint32_t kMostLevels = 30;
constexpr int64_t kFarthest = int64_t{1} << 61;  // sums of two stay within 64 bits

// A decimal number written out: +-digits times ten to the exponent.
struct Decimal {
  bool negative = false;
  std::string digits;
  int64_t exponent = 0;
};

// Requires: label_number(text).
Decimal decimal_of(std::string_view text) {
  Decimal decimal;
  size_t at = text.find_first_not_of(" \t");
  if (text[at] == '+' || text[at] == '-') decimal.negative = text[at++] == '-';
  bool after_point = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') after_point = true;
    if (text[at] < '0' || text[at] > '9') continue;
    decimal.digits += text[at];
    if (after_point) --decimal.exponent;
  }
  if (at < text.size()) decimal.exponent += std::strtoll(std::string(text.substr(at + 1)).c_str(), nullptr, 10);
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  decimal.digits.erase(0, std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size() - 1));
  if (decimal.digits == "0") decimal = Decimal{false, "0", 0};
  return decimal;
}

// floor(decimal * 10^places), exactly; nothing when it does not fit. Intervals are counted in these units, since with
// binary fractions 0.3 would not lie in [0.3,0.4) and ends would print as 0.30000000000000004.
std::optional<int64_t> in_units(const Decimal& decimal, int64_t places) {
  const int64_t shift = decimal.exponent + places;
  std::string digits = decimal.digits;
  bool cut = false;
  if (shift < 0) {
    const auto drop = static_cast<size_t>(std::min<int64_t>(-shift, static_cast<int64_t>(digits.size())));
    cut = digits.find_first_not_of('0', digits.size() - drop) != std::string::npos;
    digits.resize(digits.size() - drop);
  } else if (digits != "0") {
    if (shift > 20) return std::nullopt;
    digits.append(static_cast<size_t>(shift), '0');
  }
  if (digits.size() > 18) return std::nullopt;
  int64_t units = digits.empty() ? 0 : std::strtoll(digits.c_str(), nullptr, 10);
  if (decimal.negative) units = -units - (cut ? 1 : 0);
  return units;
}

std::string text_of_units(int64_t units, int64_t places) {
  std::string digits = std::to_string(std::abs(units));
  const auto after_point = static_cast<size_t>(places);
  if (digits.size() <= after_point) digits.insert(0, after_point + 1 - digits.size(), '0');
  if (places > 0) {
    digits.insert(digits.size() - after_point, ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (units < 0 ? "-" : "") + digits;
}

int64_t floor_divided(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

struct Grid {
  int64_t places = 0;  // decimals of the units
  int64_t start = 0;
  std::vector<int64_t> widths;  // narrowest first
};

Grid grid_of(const BuilderSettings& settings) {
  const Decimal width = decimal_of(settings.number("width", std::nullopt));
  const Decimal start = decimal_of(settings.number("start", "0"));
  const uint32_t factor = settings.whole("factor", 2, 2, 1'000'000);
  const uint32_t levels = settings.whole("levels", kUsualLevels, 1, kMostLevels);
  Grid grid;
  grid.places = std::max<int64_t>({0, -width.exponent, -start.exponent});
  const auto narrowest = grid.places > 18 ? std::nullopt : in_units(width, grid.places);
  const auto from = grid.places > 18 ? std::nullopt : in_units(start, grid.places);
  if (width.negative || width.digits == "0") settings.refuse("width", "must be above 0");
  if (!narrowest) settings.refuse("width", "has too many digits");
  if (!from) settings.refuse("start", "has too many digits");
  grid.start = *from;
  for (int64_t w = *narrowest; grid.widths.size() < levels; w *= factor) {
    grid.widths.push_back(w);
    if (w > kFarthest / factor) {
      if (settings.has("levels") && grid.widths.size() < levels)
        settings.refuse("levels", "is too many for this width");
      break;
    }
  }
  return grid;
}

Tree by_width(const BuilderSettings& settings, std::span<const std::string> values) {
  Grid grid = grid_of(settings);
  const std::vector<NumberValue> numbers = number_values(settings, values);
  std::vector<int64_t> offsets;  // from the start, in units
  std::vector<size_t> too_far;
  for (const NumberValue& entry : numbers) {
    // By the number, not the text: spellings that are one number to the engine must share an interval.
    const auto units = in_units(decimal_of(number_label(entry.number)), grid.places);
    if (units) {
      offsets.push_back(*units - grid.start);
    } else {
      too_far.push_back(entry.value);
    }
  }
  if (!too_far.empty()) {
    refuse_values(values, too_far, "are too far out for intervals of this width",
                  "choose a larger width, or use quantiles");
  }
  // Unless asked for, no level that would be one interval over everything: that is the root.
  while (!settings.has("levels") && grid.widths.size() > 1 && !offsets.empty() &&
         floor_divided(offsets.front(), grid.widths.back()) == floor_divided(offsets.back(), grid.widths.back())) {
    grid.widths.pop_back();
  }
  GrowingTree tree;
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint32_t node = 0;
    for (size_t level = grid.widths.size(); level-- > 0;) {
      const int64_t low = grid.start + floor_divided(offsets[i], grid.widths[level]) * grid.widths[level];
      node = tree.inner(node, fmt::format("[{},{})", text_of_units(low, grid.places),
                                          text_of_units(low + grid.widths[level], grid.places)));
    }
    tree.leaf(node, values[numbers[i].value]);
  }
  return std::move(tree).take();
}

Tree by_edges(const BuilderSettings& settings, std::span<const std::string> values) {
  std::vector<double> edges;
  for (const std::string& part : settings.list("edges")) {
    const auto edge = label_number(part);
    if (!edge) settings.refuse("edges", fmt::format("has {}, which is not a number", quoted_label(part)));
    if (!edges.empty() && edges.back() >= *edge) {
      settings.refuse("edges", fmt::format("must ascend, but {} comes before {}", number_label(edges.back()), part));
    }
    edges.push_back(*edge);
  }
  GrowingTree tree;
  for (const NumberValue& entry : number_values(settings, values)) {
    const auto above = std::upper_bound(edges.begin(), edges.end(), entry.number);
    std::string label;
    if (above == edges.begin()) {
      label = "<" + number_label(edges.front());
    } else if (above == edges.end()) {
      label = ">=" + number_label(edges.back());
    } else {
      label = fmt::format("[{},{})", number_label(*(above - 1)), number_label(*above));
    }
    tree.leaf(tree.inner(0, label), values[entry.value]);
  }
  return std::move(tree).take();
}

}  // namespace

Tree build_intervals(const BuilderSpec& spec, std::span<const std::string> values) {
  const BuilderSettings settings(spec, {"width", "start", "factor", "levels", "edges"});
  if (!settings.has("edges")) {
    if (!settings.has("width")) settings.refuse("width", "is needed (or edges=0,18,65)");
    return by_width(settings, values);
  }
  for (const char* other : {"width", "start", "factor", "levels"}) {
    if (settings.has(other)) settings.refuse(other, "does not go with edges; give one or the other");
  }
  return by_edges(settings, values);
}

}  // namespace shoal
