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

// floor(decimal * 10^places), exactly; nothing when it does not fit. Intervals are counted in these units, since with
// binary fractions 0.3 would not lie in [0.3,0.4) and ends would print as 0.30000000000000004.
std::optional<int64_t> in_units(const Decimal& decimal, int64_t places) {
  const int64_t shift = decimal.exponent() + places;
  std::string digits = decimal.digits();
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
  if (decimal.sign() < 0) units = -units - (cut ? 1 : 0);
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
  const Decimal width = *label_decimal(settings.number("width", std::nullopt));
  const Decimal start = *label_decimal(settings.number("start", "0"));
  const uint32_t factor = settings.whole("factor", 2, 2, 1'000'000);
  const uint32_t levels = settings.whole("levels", kUsualLevels, 1, kMostLevels);
  Grid grid;
  grid.places = std::max<int64_t>({0, -width.exponent(), -start.exponent()});
  const auto narrowest = grid.places > 18 ? std::nullopt : in_units(width, grid.places);
  const auto from = grid.places > 18 ? std::nullopt : in_units(start, grid.places);
  if (width.sign() <= 0) settings.refuse("width", "must be above 0");
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

// Beyond these, numbers join whatever their distance: top and bottom coding.
struct OuterIntervals {
  std::optional<Decimal> bottom, top;
};

OuterIntervals outer_intervals(const BuilderSettings& settings, const Grid& grid) {
  OuterIntervals outer;
  const auto border = [&](const char* name) -> std::optional<Decimal> {
    if (!settings.has(name)) return std::nullopt;
    const Decimal number = *label_decimal(settings.number(name, std::nullopt));
    const auto units = -number.exponent() > grid.places ? std::nullopt : in_units(number, grid.places);
    // Else an interval would lie on both sides of it.
    if (!units || (*units - grid.start) % grid.widths.front() != 0) {
      settings.refuse(name, "must be a border of the narrowest intervals: start plus a multiple of width");
    }
    return number;
  };
  outer.bottom = border("bottom");
  outer.top = border("top");
  if (outer.bottom && outer.top && *outer.bottom >= *outer.top) settings.refuse("top", "must be above bottom");
  return outer;
}

Tree by_width(const BuilderSettings& settings, std::span<const std::string> values) {
  Grid grid = grid_of(settings);
  const OuterIntervals outer = outer_intervals(settings, grid);
  const std::vector<NumberValue> numbers = number_values(settings, values);
  std::vector<int64_t> offsets;  // from the start, in units
  std::vector<size_t> too_far;
  for (const NumberValue& entry : numbers) {
    const auto units = in_units(*label_decimal(values[entry.value]), grid.places);
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
    const Decimal number = *label_decimal(values[numbers[i].value]);
    if (outer.bottom && number < *outer.bottom) {
      tree.leaf(tree.inner(0, "<" + number_label(*outer.bottom)), values[numbers[i].value]);
      continue;
    }
    if (outer.top && number >= *outer.top) {
      tree.leaf(tree.inner(0, ">=" + number_label(*outer.top)), values[numbers[i].value]);
      continue;
    }
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
  std::vector<Decimal> edges;
  for (const std::string& part : settings.list("edges")) {
    const auto edge = label_decimal(part);
    if (!edge) settings.refuse("edges", fmt::format("has {}, which is not a number", quoted_label(part)));
    if (!edges.empty() && edges.back() >= *edge) {
      settings.refuse("edges", fmt::format("must ascend, but {} comes before {}", number_label(edges.back()), part));
    }
    edges.push_back(*edge);
  }
  GrowingTree tree;
  for (const NumberValue& entry : number_values(settings, values)) {
    const auto above = std::upper_bound(edges.begin(), edges.end(), *label_decimal(values[entry.value]));
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
  const BuilderSettings settings(spec, {"width", "start", "factor", "levels", "bottom", "top", "edges"});
  if (!settings.has("edges")) {
    if (!settings.has("width")) settings.refuse("width", "is needed (or edges=0,18,65)");
    return by_width(settings, values);
  }
  for (const char* other : {"width", "start", "factor", "levels", "bottom", "top"}) {
    if (settings.has(other)) settings.refuse(other, "does not go with edges; give one or the other");
  }
  return by_edges(settings, values);
}

}  // namespace shoal
