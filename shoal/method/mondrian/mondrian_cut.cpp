// Section 4 of LeFevre 2006: the widest column by normalised range, cut at the median. What an allowable cut is comes
// from the Permission, so that the same rule serves one requirement and several. A column is counted into a histogram
// of its leaves: the cut is then found by adding up, without sorting rows.
#include "shoal/method/mondrian/mondrian_cut.h"

#include <algorithm>

#include "shoal/measure/cell_loss.h"
#include "shoal/recode/recoding.h"

namespace shoal::mondrian {
namespace {

double loss_of(const Hierarchy& hierarchy, uint32_t least, uint32_t greatest) {
  return ncp(hierarchy, released_interval(hierarchy, least, greatest));
}

uint64_t off_median(uint64_t rows, uint64_t left_rows) {
  return 2 * left_rows > rows ? 2 * left_rows - rows : rows - 2 * left_rows;
}

uint64_t released_leaves(const Hierarchy& hierarchy, Hierarchy::Node node) {
  return hierarchy.is_leaf(node) ? 0 : hierarchy.leaves_under(node);
}

}  // namespace

MedianRule::MedianRule(std::span<const CutColumn> columns, bool relaxed)
    : columns_(columns),
      relaxed_(relaxed),
      least_(columns.size()),
      greatest_(columns.size()),
      width_(columns.size()),
      scope_least_(columns.size()),
      scope_greatest_(columns.size()) {}

std::optional<Cut> MedianRule::choose(const Rows& rows, Region region, Permission& permission) {
  rows.extents(region, least_, greatest_);
  order_.clear();
  for (size_t column = 0; column < columns_.size(); ++column) {
    if (least_[column] == greatest_[column]) continue;
    width_[column] = columns_[column].weight * loss_of(*columns_[column].hierarchy, least_[column], greatest_[column]);
    order_.push_back(column);
  }
  std::sort(order_.begin(), order_.end(),
            [&](size_t a, size_t b) { return width_[a] != width_[b] ? width_[a] > width_[b] : a < b; });
  std::optional<Cut> cut = first_allowed(rows, region, permission, false);
  if (!cut && relaxed_) cut = first_allowed(rows, region, permission, true);
  return cut;
}

// Of each class of equally wide columns the best candidate; the first class that has one decides.
std::optional<Cut> MedianRule::first_allowed(const Rows& rows, Region region, Permission& permission, bool deal) {
  std::optional<Candidate> best;
  for (size_t i = 0; i < order_.size(); ++i) {
    const size_t column = order_[i];
    if (best && width_[column] < width_[best->cut.column]) break;
    const std::optional<Scope> scope = permission.scope(column);
    if (!scope) continue;
    ++tried_;
    list_values(rows, scope->regions, column);
    const auto found =
        deal ? dealt_cut(column, scope->enough, permission) : strict_cut(column, scope->enough, permission);
    if (found && (!best || found->loss < best->loss)) best = found;
  }
  if (!best) return std::nullopt;
  if (deal) {
    // The rows with the median's value go left in input order until the left side has its half.
    Cut& cut = best->cut;
    equal_rows_.clear();
    rows.rows_with(region, cut.column, cut.last_left, equal_rows_);
    const auto last = equal_rows_.begin() + (cut.last_row - 1);
    std::nth_element(equal_rows_.begin(), last, equal_rows_.end());
    cut.last_row = *last;
  }
  return best->cut;
}

MedianRule::Candidate MedianRule::candidate(size_t column, uint64_t left_rows, size_t last, size_t first) const {
  const Hierarchy& hierarchy = *columns_[column].hierarchy;
  Candidate result;
  result.cut = {column, values_[last], values_[first], Cut::kEveryRow, left_rows};
  const double left = static_cast<double>(left_rows) * loss_of(hierarchy, values_.front(), values_[last]);
  const double right = static_cast<double>(rows_ - left_rows) * loss_of(hierarchy, values_[first], values_.back());
  result.loss = columns_[column].weight * ((left + right) / static_cast<double>(rows_));
  return result;
}

// The best allowable cut between two neighbouring values. Scores are whole numbers, so that equal ones are equal.
std::optional<MedianRule::Candidate> MedianRule::strict_cut(size_t column, uint64_t enough, Permission& permission) {
  const Hierarchy& hierarchy = *columns_[column].hierarchy;
  const size_t positions = values_.size() - 1;  // position i: between values_[i] and values_[i + 1]
  auto allowed = [&](size_t position, uint64_t left_rows) {
    if (std::min(left_rows, rows_ - left_rows) >= enough) return true;
    return permission.allows({column, values_[position], values_[position + 1], Cut::kEveryRow, left_rows});
  };
  const bool ranges = hierarchy.releases_ranges();
  if (ranges && hierarchy.missing() == values_.back()) {
    const uint64_t numbers = rows_ - counts_.back();
    if (allowed(positions - 1, numbers)) return candidate(column, numbers, positions - 1, positions);
  }
  if (!ranges) list_right_leaves(hierarchy);
  std::optional<size_t> best;
  uint64_t best_leaves = 0, best_off = 0, best_left = 0, left_rows = 0;
  Hierarchy::Node left_node = hierarchy.leaf_node(values_.front());
  for (size_t i = 0; i < positions; ++i) {
    left_rows += counts_[i];
    const uint64_t off = off_median(rows_, left_rows);
    uint64_t leaves = 0;  // of all cells of the column, were this the cut
    if (!ranges) {
      while (hierarchy.node(left_node).last < values_[i]) left_node = hierarchy.node(left_node).parent;
      leaves = left_rows * released_leaves(hierarchy, left_node) + (rows_ - left_rows) * right_leaves_[i + 1];
    } else if (best && 2 * left_rows > rows_ && off >= best_off) {
      break;  // farther and farther from the median
    }
    if (best && (leaves != best_leaves ? leaves > best_leaves : off >= best_off)) continue;
    if (!allowed(i, left_rows)) continue;
    best = i;
    best_leaves = leaves;
    best_off = off;
    best_left = left_rows;
  }
  if (!best) return std::nullopt;
  return candidate(column, best_left, *best, *best + 1);
}

// Half the rows (rounded down) to the left. For now the cut's last_row is how many rows of the median's value that is.
std::optional<MedianRule::Candidate> MedianRule::dealt_cut(size_t column, uint64_t enough, Permission& permission) {
  const uint64_t half = rows_ / 2;
  if (half == 0) return std::nullopt;
  size_t last = 0;
  uint64_t below = 0;
  for (; below + counts_[last] < half; ++last) below += counts_[last];
  const size_t first = below + counts_[last] == half ? last + 1 : last;
  Candidate result = candidate(column, half, last, first);
  result.cut.last_row = static_cast<uint32_t>(half - below);
  if (half < enough && !permission.allows(result.cut)) return std::nullopt;
  return result;
}

void MedianRule::list_values(const Rows& rows, std::span<const Region> regions, size_t column) {
  uint32_t least = least_[column], greatest = greatest_[column];
  rows_ = 0;
  for (const Region region : regions) {
    rows_ += rows.rows(region);
    if (regions.size() == 1) break;  // the region at hand, whose extent is known
    rows.extents(region, scope_least_, scope_greatest_);
    least = std::min(least, scope_least_[column]);
    greatest = std::max(greatest, scope_greatest_[column]);
  }
  values_.clear();
  counts_.clear();
  const size_t range = size_t{greatest} - least + 1;
  if (range <= 256 || range / 4 <= rows_) {
    histogram_.assign(range, 0);
    for (const Region region : regions) rows.count(region, column, least, histogram_);
    for (size_t i = 0; i < range; ++i) {
      if (histogram_[i] == 0) continue;
      values_.push_back(static_cast<uint32_t>(least + i));
      counts_.push_back(histogram_[i]);
    }
    return;
  }
  // Few rows spread over many leaves: sorting them is less work than looking through the leaves.
  leaves_.clear();
  sorted_.clear();
  for (const Region region : regions) {
    leaves_.resize(region.size());
    rows.copy(region, column, leaves_);
    const std::span<const uint32_t> numbers = rows.numbers(region);
    for (size_t i = 0; i < leaves_.size(); ++i) {
      sorted_.push_back(uint64_t{leaves_[i]} << 32 | (rows.times().empty() ? 1 : rows.times()[numbers[i]]));
    }
  }
  std::sort(sorted_.begin(), sorted_.end());
  for (uint64_t entry : sorted_) {
    const auto leaf = static_cast<uint32_t>(entry >> 32), times = static_cast<uint32_t>(entry);
    if (!values_.empty() && values_.back() == leaf) {
      counts_.back() += times;
    } else {
      values_.push_back(leaf);
      counts_.push_back(times);
    }
  }
}

void MedianRule::list_right_leaves(const Hierarchy& hierarchy) {
  right_leaves_.resize(values_.size());
  Hierarchy::Node node = hierarchy.leaf_node(values_.back());
  for (size_t i = values_.size(); i-- > 0;) {
    while (hierarchy.node(node).first > values_[i]) node = hierarchy.node(node).parent;
    right_leaves_[i] = released_leaves(hierarchy, node);
  }
}

}  // namespace shoal::mondrian
