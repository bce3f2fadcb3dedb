#include "shoal/learn/column_shares.h"

#include <algorithm>
#include <numeric>

namespace shoal {
namespace {

constexpr int kRounds = 25;

// Weight of each different cell.
std::vector<double> cell_weights(const Attribute& attribute, std::span<const double> weights, size_t cells) {
  std::vector<double> result(cells, 0);
  for (size_t row = 0; row < attribute.codes.size(); ++row) {
    if (!attribute.missing(row)) result[attribute.codes[row]] += weights[row];
  }
  return result;
}

}  // namespace

ColumnShares::ColumnShares(const Attribute& attribute, std::span<const double> weights, size_t most_bins) {
  if (attribute.numeric) {
    find_numbers(attribute, weights, most_bins);
  } else {
    find_categories(attribute, weights);
  }
}

void ColumnShares::find_categories(const Attribute& attribute, std::span<const double> weights) {
  const size_t categories = attribute.categories.size();
  const auto cells = cell_weights(attribute, weights, categories + attribute.sets.size());
  const double total = std::accumulate(cells.begin(), cells.end(), 0.0);
  if (total <= 0) return;
  // Evenly over what some cell can stand for, to begin with.
  shares_.assign(categories, 0);
  for (size_t v = 0; v < categories; ++v) shares_[v] = cells[v] > 0 ? 1 : 0;
  for (size_t s = 0; s < attribute.sets.size(); ++s) {
    if (cells[categories + s] <= 0) continue;
    for (uint32_t v : attribute.sets[s]) shares_[v] = 1;
  }
  const double possible = std::accumulate(shares_.begin(), shares_.end(), 0.0);
  for (double& share : shares_) share /= possible;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> next(categories, 0);
    for (size_t v = 0; v < categories; ++v) next[v] = cells[v];
    for (size_t s = 0; s < attribute.sets.size(); ++s) {
      double sum = 0;
      for (uint32_t v : attribute.sets[s]) sum += shares_[v];
      for (uint32_t v : attribute.sets[s]) next[v] += sum > 0 ? cells[categories + s] * shares_[v] / sum : 0;
    }
    for (size_t v = 0; v < categories; ++v) shares_[v] = next[v] / total;
  }
}

void ColumnShares::find_numbers(const Attribute& attribute, std::span<const double> weights, size_t most_bins) {
  const auto cells = cell_weights(attribute, weights, attribute.extents.size());
  const double total = std::accumulate(cells.begin(), cells.end(), 0.0);
  if (total <= 0) return;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] > 0) points_.insert(points_.end(), {attribute.extents[i].low, attribute.extents[i].high});
  }
  std::sort(points_.begin(), points_.end());
  points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
  const size_t points = points_.size();
  std::vector<size_t> first(cells.size(), 0), end(cells.size(), 0);  // points of each cell
  for (size_t i = 0; i < cells.size(); ++i) {
    first[i] = static_cast<size_t>(std::lower_bound(points_.begin(), points_.end(), attribute.extents[i].low) -
                                   points_.begin());
    end[i] = static_cast<size_t>(std::upper_bound(points_.begin(), points_.end(), attribute.extents[i].high) -
                                 points_.begin());
  }
  // A cell hands its weight to its points by their shares; sums along the column do it for all of them at once.
  point_shares_.assign(points, 1.0 / static_cast<double>(points));
  std::vector<double> below(points + 1), factor(points + 1);
  for (int round = 0; round < kRounds; ++round) {
    for (size_t v = 0; v < points; ++v) below[v + 1] = below[v] + point_shares_[v];
    std::fill(factor.begin(), factor.end(), 0);
    for (size_t i = 0; i < cells.size(); ++i) {
      const double held = below[end[i]] - below[first[i]];
      if (cells[i] <= 0 || held <= 0) continue;
      factor[first[i]] += cells[i] / held;
      factor[end[i]] -= cells[i] / held;
    }
    double along = 0, sum = 0;
    for (size_t v = 0; v < points; ++v) {
      along += factor[v];
      sum += point_shares_[v] *= std::max(0.0, along);
    }
    for (double& share : point_shares_) share /= sum;
  }
  // Bins of about equal share, by where the middle of each point's share falls; empty ones are not there.
  double before = 0;
  uint32_t bin = 0;
  size_t last = 0;
  for (size_t v = 0; v < points; ++v) {
    const auto asked = static_cast<size_t>(static_cast<double>(most_bins) * (before + point_shares_[v] / 2));
    const size_t place = points <= most_bins ? v : std::min(asked, most_bins - 1);
    before += point_shares_[v];
    if (v > 0 && place != last) {
      ++bin;
      cuts_.push_back(points_[v - 1] + (points_[v] - points_[v - 1]) / 2);
    }
    last = place;
    bin_of_point_.push_back(bin);
  }
  shares_.assign(bin + 1, 0);
  for (size_t v = 0; v < points; ++v) shares_[bin_of_point_[v]] += point_shares_[v];
}

size_t ColumnShares::bin_of(double number) const {
  return static_cast<size_t>(std::lower_bound(cuts_.begin(), cuts_.end(), number) - cuts_.begin());
}

void ColumnShares::covered(const Attribute& attribute, uint32_t code, std::vector<double>& result) const {
  if (code == Attribute::kMissing) {
    result = shares_;
    return;
  }
  result.assign(shares_.size(), 0);
  if (!attribute.numeric) {
    if (attribute.known_category(code)) {
      result[code] = shares_[code];
      return;
    }
    for (uint32_t v : attribute.set(code)) result[v] = shares_[v];
    return;
  }
  const Extent& extent = attribute.extents[code];
  const auto first =
      static_cast<size_t>(std::lower_bound(points_.begin(), points_.end(), extent.low) - points_.begin());
  const auto end = static_cast<size_t>(std::upper_bound(points_.begin(), points_.end(), extent.high) - points_.begin());
  if (extent.exact() || first == end) {
    const size_t bin = bin_of(extent.middle());
    result[bin] = shares_[bin];
    return;
  }
  for (size_t v = first; v < end; ++v) result[bin_of_point_[v]] += point_shares_[v];
}

}  // namespace shoal
