#include "shoal/method/mondrian/mondrian_gain.h"

#include <algorithm>
#include <numeric>

#include "shoal/learn/entropy.h"

namespace shoal::mondrian {
namespace {

// Below this many bits a gain is rounding.
constexpr double kNoGain = 1e-9;

}  // namespace

GainRule::GainRule(std::span<const CutColumn> columns, const Column& target)
    : columns_(columns),
      target_(target.codes),
      median_(columns, false),
      least_(columns.size()),
      greatest_(columns.size()),
      histogram_(target.values.size()),
      whole_(target.values.size()),
      left_(target.values.size()),
      right_(target.values.size()) {}

std::optional<Cut> GainRule::choose(const Rows& rows, Region region, Permission& permission) {
  rows.extents(region, least_, greatest_);
  std::optional<Candidate> best;
  for (size_t column = 0; column < columns_.size(); ++column) {
    if (least_[column] == greatest_[column]) continue;
    const std::optional<Scope> scope = permission.scope(column);
    if (!scope) continue;
    ++tried_;
    count(rows, scope->regions, column);
    improve(column, *scope, permission, best);
  }
  if (best) return best->cut;
  const uint64_t before = median_.tried();
  const std::optional<Cut> cut = median_.choose(rows, region, permission);
  tried_ += median_.tried() - before;
  return cut;
}

void GainRule::improve(size_t column, const Scope& scope, Permission& permission, std::optional<Candidate>& best) {
  const Hierarchy& hierarchy = *columns_[column].hierarchy;
  const std::vector<uint32_t>& values = histogram_.leaves();
  const size_t classes = whole_.size(), positions = values.size() - 1;  // position i: between values[i] and the next
  std::fill(whole_.begin(), whole_.end(), 0);
  auto add = [&](std::vector<double>& sum, size_t value) {
    for (size_t c = 0; c < classes; ++c) sum[c] += histogram_.weights(value)[c];
  };
  for (size_t i = 0; i < values.size(); ++i) add(whole_, i);
  const double before = weighted_entropy(whole_);
  if (before <= kNoGain) return;
  const auto rows = static_cast<uint64_t>(std::reduce(whole_.begin(), whole_.end()));
  // The left side is in left_.
  auto consider = [&](size_t i) {
    for (size_t c = 0; c < classes; ++c) right_[c] = whole_[c] - left_[c];
    const double gain = before - weighted_entropy(left_) - weighted_entropy(right_);
    const auto left_rows = static_cast<uint64_t>(std::reduce(left_.begin(), left_.end()));
    const Cut cut{column, values[i], values[i + 1], Cut::kEveryRow, left_rows};
    const bool allowed = std::min(left_rows, rows - left_rows) >= scope.enough || permission.allows(cut);
    if (allowed && gain > std::max(kNoGain, best ? best->gain : 0)) best = {cut, gain};
    return allowed;
  };
  if (hierarchy.releases_ranges() && hierarchy.missing() == values.back()) {
    for (size_t c = 0; c < classes; ++c) left_[c] = whole_[c] - histogram_.weights(positions)[c];
    if (consider(positions - 1)) return;
  }
  const auto& children = hierarchy.children(hierarchy.common_ancestor(values.front(), values.back()));
  size_t child = 0;
  std::fill(left_.begin(), left_.end(), 0);
  for (size_t i = 0; i < positions; ++i) {
    add(left_, i);
    if (!hierarchy.releases_ranges()) {
      while (hierarchy.node(children[child]).last < values[i]) ++child;
      if (hierarchy.covers(children[child], values[i + 1])) continue;
    }
    consider(i);
  }
}

void GainRule::count(const Rows& rows, std::span<const Region> regions, size_t column) {
  leaves_.clear();
  classes_.clear();
  weights_.clear();
  for (const Region region : regions) {
    leaves_.resize(leaves_.size() + region.size());
    rows.copy(region, column, std::span(leaves_).last(region.size()));
    target_.visit([&](auto classes) {
      for (uint32_t row : rows.numbers(region)) classes_.push_back(classes[row]);
    });
    if (rows.times().empty()) continue;
    for (uint32_t row : rows.numbers(region)) weights_.push_back(rows.times()[row]);
  }
  histogram_.count(leaves_, classes_, weights_);
}

}  // namespace shoal::mondrian
