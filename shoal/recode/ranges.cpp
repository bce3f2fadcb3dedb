#include "shoal/recode/ranges.h"

#include <algorithm>
#include <memory>

namespace shoal {
namespace {

constexpr int64_t kExponentShift = 1 << 18;  // exponents of steps lie far within

// A step as the number of a range, which is 0 where the ends are values of the column.
uint32_t number_of(const RoundStep& step) {
  const int place = step.digit == 1 ? 0 : step.digit == 2 ? 1 : 2;
  return static_cast<uint32_t>(1 + 3 * (step.exponent + kExponentShift) + place);
}

RoundStep step_of_number(uint32_t number) {
  constexpr int kDigits[] = {1, 2, 5};
  return {kDigits[(number - 1) % 3], static_cast<int64_t>((number - 1) / 3) - kExponentShift};
}

// First and last leaf that hang below the lowest node above `leaf`; the leaf itself when only the root is above it.
Hierarchy::NodeInfo lowest_node_above(const Hierarchy& hierarchy, uint32_t leaf) {
  const Hierarchy::Node parent = hierarchy.node(hierarchy.leaf_node(leaf)).parent;
  return hierarchy.node(parent == Hierarchy::kRoot ? hierarchy.leaf_node(leaf) : parent);
}

}  // namespace

std::string to_string(Ranges ranges) {
  switch (ranges) {
    case Ranges::tight:
      return "tight";
    case Ranges::snapped:
      return "snapped";
    case Ranges::nodes:
      return "nodes";
  }
  return "";
}

RangeSnapper::RangeSnapper(const Hierarchy& hierarchy, const std::vector<std::string>& values) : hierarchy_(hierarchy) {
  if (hierarchy.has_inner_nodes()) return;
  const size_t known = hierarchy.leaves() - (hierarchy.missing() ? 1 : 0);
  std::optional<int64_t> unit;
  for (size_t leaf = 0; leaf < known; ++leaf) {
    numbers_.push_back(Decimal::parse(values[leaf]).value_or(Decimal()));
    if (numbers_.back().sign() == 0) continue;  // a multiple of everything
    unit = std::min(unit.value_or(INT64_MAX), numbers_.back().exponent());
  }
  least_ = {2, unit.value_or(0)};
}

RoundStep RangeSnapper::step_of(uint32_t first, uint32_t last) const {
  const auto step = largest_step((hierarchy_.number(last) - hierarchy_.number(first)) / 2);
  return step && is_finer(least_, *step) ? *step : least_;
}

Released RangeSnapper::snapped(uint32_t first, uint32_t last) const {
  if (hierarchy_.has_inner_nodes()) {
    return released_range(lowest_node_above(hierarchy_, first).first, lowest_node_above(hierarchy_, last).last);
  }
  for (;;) {
    const RoundStep step = step_of(first, last);
    const Decimal low = round_down(numbers_[first], step), high = round_up(numbers_[last], step);
    const auto least = std::lower_bound(numbers_.begin(), numbers_.begin() + first, low) - numbers_.begin();
    const auto beyond = std::upper_bound(numbers_.begin() + last, numbers_.end(), high) - numbers_.begin();
    if (least == first && beyond == last + 1) {
      Released range = released_range(first, last);
      // The one form of every text: where both ends are values it is the range of these values.
      if (low != numbers_[first] || high != numbers_[last]) range.number = number_of(step) & 0x3FFFFFFF;
      return range;
    }
    first = static_cast<uint32_t>(least);
    last = static_cast<uint32_t>(beyond - 1);
  }
}

std::optional<Released> RangeSnapper::with_ends(const Decimal& low, const Decimal& high) const {
  if (numbers_.empty()) return std::nullopt;
  const auto first = std::lower_bound(numbers_.begin(), numbers_.end(), low) - numbers_.begin();
  const auto beyond = std::upper_bound(numbers_.begin(), numbers_.end(), high) - numbers_.begin();
  if (first + 1 >= beyond) return std::nullopt;
  const auto from = static_cast<uint32_t>(first), to = static_cast<uint32_t>(beyond - 1);
  const Released range = snapped(from, to);
  if (range.first != from || range.last != to) return std::nullopt;
  const RoundStep step = step_of(from, to);
  if (round_down(numbers_[from], step) != low || round_up(numbers_[to], step) != high) return std::nullopt;
  return range;
}

DecimalRange printed_ends(const Released& released, const std::vector<std::string>& values) {
  DecimalRange tight{Decimal::parse(values[released.first]).value_or(Decimal()),
                     Decimal::parse(values[released.last]).value_or(Decimal())};
  if (released.number == 0) return tight;
  const RoundStep step = step_of_number(released.number);
  return {round_down(tight.low, step), round_up(tight.high, step)};
}

void settle_ranges(Recoding& recoding, const Table& table, const std::vector<Hierarchy>& hierarchies, Ranges ranges) {
  if (ranges == Ranges::tight) return;
  std::vector<std::unique_ptr<RangeSnapper>> snappers(hierarchies.size());  // made for columns that have ranges
  const auto settle = [&](size_t column, Released& released) {
    if (!released.is_range()) return;
    const Hierarchy& hierarchy = hierarchies[column];
    if (ranges == Ranges::nodes && hierarchy.has_inner_nodes()) {
      released = released_node(hierarchy, hierarchy.common_ancestor(released.first, released.last));
      return;
    }
    if (!snappers[column]) snappers[column] = std::make_unique<RangeSnapper>(hierarchy, table.quasi[column].values);
    released = snappers[column]->snapped(released.first, released.last);
  };
  if (auto* by_value = std::get_if<ValueRecoding>(&recoding.cells)) {
    for (size_t j = 0; j < by_value->value_map.size(); ++j) {
      for (Released& released : by_value->value_map[j]) settle(j, released);
    }
    return;
  }
  auto& groups = std::get<GroupRecoding>(recoding.cells);
  const size_t width = groups.recoded_columns.size();
  for (size_t cell = 0; cell < groups.group_releases.size(); ++cell) {
    settle(groups.recoded_columns[cell % width], groups.group_releases[cell]);
  }
}

}  // namespace shoal
