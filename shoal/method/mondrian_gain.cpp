#include "shoal/method/mondrian_gain.h"

#include <algorithm>
#include <cmath>

namespace shoal::mondrian {
namespace {

// Below this many bits a gain is rounding.
constexpr double kNoGain = 1e-9;

double x_log_x(uint64_t x) { return x < 2 ? 0.0 : static_cast<double>(x) * std::log2(static_cast<double>(x)); }

// Rows times entropy of their classes, in bits.
double bits(std::span<const uint64_t> rows_by_class) {
  uint64_t rows = 0;
  double sum = 0;
  for (uint64_t count : rows_by_class) {
    rows += count;
    sum += x_log_x(count);
  }
  return x_log_x(rows) - sum;
}

double bits_without(std::span<const uint64_t> whole, std::span<const uint64_t> part) {
  uint64_t rows = 0;
  double sum = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    rows += whole[i] - part[i];
    sum += x_log_x(whole[i] - part[i]);
  }
  return x_log_x(rows) - sum;
}

}  // namespace

GainRule::GainRule(std::span<const CutColumn> columns, const Column& target)
    : columns_(columns),
      target_(target.codes),
      classes_(target.values.size()),
      median_(columns, false),
      least_(columns.size()),
      greatest_(columns.size()),
      scope_least_(columns.size()),
      scope_greatest_(columns.size()),
      whole_(classes_),
      left_(classes_) {}

std::optional<Cut> GainRule::choose(const Rows& rows, Region region, Permission& permission) {
  rows.extents(region, least_, greatest_);
  std::optional<Candidate> best;
  for (size_t column = 0; column < columns_.size(); ++column) {
    if (least_[column] == greatest_[column]) continue;
    const std::optional<Scope> scope = permission.scope(column);
    if (!scope) continue;
    ++tried_;
    list_values(rows, scope->regions, column);
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
  std::fill(whole_.begin(), whole_.end(), 0);
  uint64_t rows = 0;
  for (size_t i = 0; i < counts_.size(); ++i) {
    whole_[i % classes_] += counts_[i];
    rows += counts_[i];
  }
  const double before = bits(whole_);
  if (before <= kNoGain) return;
  const bool missing_first = hierarchy.numeric() && hierarchy.missing() == values_.back();
  const Hierarchy::Node ancestor = hierarchy.common_ancestor(values_.front(), values_.back());
  const std::vector<Hierarchy::Node>& children = hierarchy.children(ancestor);
  size_t child = 0;
  std::fill(left_.begin(), left_.end(), 0);
  uint64_t left_rows = 0;
  const size_t positions = values_.size() - 1;  // position i: between values_[i] and values_[i + 1]
  auto consider = [&](size_t i) {
    const double gain = before - bits(left_) - bits_without(whole_, left_);
    const Cut cut{column, values_[i], values_[i + 1], Cut::kEveryRow, left_rows};
    const bool allowed = std::min(left_rows, rows - left_rows) >= scope.enough || permission.allows(cut);
    if (allowed && gain > std::max(kNoGain, best ? best->gain : 0)) best = {cut, gain};
    return allowed;
  };
  if (missing_first) {
    const std::span<const uint32_t> missing = classes_of(positions);
    for (size_t c = 0; c < classes_; ++c) {
      left_[c] = whole_[c] - missing[c];
      left_rows += left_[c];
    }
    if (consider(positions - 1)) return;
    std::fill(left_.begin(), left_.end(), 0);
    left_rows = 0;
  }
  for (size_t i = 0; i < positions; ++i) {
    const std::span<const uint32_t> classes = classes_of(i);
    for (size_t c = 0; c < classes_; ++c) {
      left_[c] += classes[c];
      left_rows += classes[c];
    }
    if (!hierarchy.numeric()) {
      while (hierarchy.node(children[child]).last < values_[i]) ++child;
      if (hierarchy.covers(children[child], values_[i + 1])) continue;
    }
    consider(i);
  }
}

void GainRule::list_values(const Rows& rows, std::span<const Region> regions, size_t column) {
  uint32_t least = least_[column], greatest = greatest_[column];
  size_t scope_rows = 0;
  for (const Region region : regions) {
    scope_rows += region.rows();
    if (regions.size() == 1) break;  // the region at hand, whose extent is known
    rows.extents(region, scope_least_, scope_greatest_);
    least = std::min(least, scope_least_[column]);
    greatest = std::max(greatest, scope_greatest_[column]);
  }
  values_.clear();
  counts_.clear();
  const size_t range = size_t{greatest} - least + 1;
  if (range * classes_ > std::max<size_t>(256, scope_rows * 4)) return list_few_values(rows, regions, column);
  histogram_.assign(range * classes_, 0);
  for (const Region region : regions) {
    leaves_.resize(region.rows());
    rows.copy(region, column, leaves_);
    const std::span<const uint32_t> numbers = rows.numbers(region);
    target_.visit([&](auto classes) {
      for (size_t i = 0; i < numbers.size(); ++i) {
        ++histogram_[size_t{leaves_[i] - least} * classes_ + classes[numbers[i]]];
      }
    });
  }
  for (size_t i = 0; i < range; ++i) {
    const auto first = histogram_.begin() + static_cast<ptrdiff_t>(i * classes_);
    const auto end = first + static_cast<ptrdiff_t>(classes_);
    if (std::all_of(first, end, [](uint32_t count) { return count == 0; })) continue;
    values_.push_back(static_cast<uint32_t>(least + i));
    counts_.insert(counts_.end(), first, end);
  }
}

// Few rows spread over many leaves: sorting them is less work than looking through the leaves.
void GainRule::list_few_values(const Rows& rows, std::span<const Region> regions, size_t column) {
  pairs_.clear();
  for (const Region region : regions) {
    leaves_.resize(region.rows());
    rows.copy(region, column, leaves_);
    const std::span<const uint32_t> numbers = rows.numbers(region);
    target_.visit([&](auto classes) {
      for (size_t i = 0; i < numbers.size(); ++i) pairs_.push_back(uint64_t{leaves_[i]} << 32 | classes[numbers[i]]);
    });
  }
  std::sort(pairs_.begin(), pairs_.end());
  for (uint64_t pair : pairs_) {
    const auto leaf = static_cast<uint32_t>(pair >> 32);
    if (values_.empty() || values_.back() != leaf) {
      values_.push_back(leaf);
      counts_.resize(counts_.size() + classes_, 0);
    }
    ++counts_[counts_.size() - classes_ + static_cast<uint32_t>(pair)];
  }
}

}  // namespace shoal::mondrian
