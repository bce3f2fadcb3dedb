#include "shoal/learn/discretise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "shoal/learn/entropy.h"

namespace shoal {
namespace {

// A column's numbers in pieces that no cell ends inside of: single numbers, and the stretches between neighbouring ends
// of ranges, each with the weight of its classes. Ascending; a range spreads evenly over its stretches.
struct Pieces {
  std::vector<Extent> extents;
  std::vector<double> weights;  // [piece * classes + class]
  size_t classes;

  // Where to cut between piece i - 1 and piece i: where they meet, or halfway between them. What equals a cut point
  // belongs below it, so that a single number that a stretch ends at stays above.
  double cut_before(size_t i) const {
    const double below = extents[i - 1].high, above = extents[i].low;
    if (below < above) return below + (above - below) / 2;
    return extents[i].exact() ? std::nextafter(above, -INFINITY) : above;
  }
};

// The weight of each class in each different cell.
std::vector<double> weights_of_cells(const Attribute& attribute, const Dataset& data) {
  std::vector<double> weights(attribute.extents.size() * data.classes.size(), 0);
  for (size_t row = 0; row < data.rows; ++row) {
    if (attribute.missing(row)) continue;
    weights[attribute.codes[row] * data.classes.size() + data.class_of[row]] += data.weights[row];
  }
  return weights;
}

// One class's ranges along the column. How many there are is counted apart: sums of densities leave rounding errors
// where nothing is.
struct Density {
  double sum = 0;
  int64_t ranges = 0;
};

Pieces pieces_of(const Attribute& attribute, const Dataset& data) {
  const size_t classes = data.classes.size();
  const std::vector<double> weights = weights_of_cells(attribute, data);
  auto weight = [&](size_t cell, size_t c) { return weights[cell * classes + c]; };
  // Cells by where they start are in order already; by where they end they are not.
  std::vector<size_t> by_end(attribute.extents.size());
  std::iota(by_end.begin(), by_end.end(), size_t{0});
  std::sort(by_end.begin(), by_end.end(),
            [&](size_t a, size_t b) { return attribute.extents[a].high < attribute.extents[b].high; });
  std::vector<double> ends;
  for (const Extent& extent : attribute.extents) ends.insert(ends.end(), {extent.low, extent.high});
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());

  Pieces pieces{{}, {}, classes};
  std::vector<Density> densities(classes);
  std::vector<double> exact(classes), stretch(classes);
  auto add = [&](Extent extent, const std::vector<double>& of_classes) {
    if (std::all_of(of_classes.begin(), of_classes.end(), [](double part) { return part == 0; })) return;
    pieces.extents.push_back(extent);
    pieces.weights.insert(pieces.weights.end(), of_classes.begin(), of_classes.end());
  };
  size_t next_start = 0, next_end = 0;
  for (size_t e = 0; e < ends.size(); ++e) {
    auto change = [&](size_t cell, bool starts) {
      const Extent& extent = attribute.extents[cell];
      if (extent.exact()) return;
      for (size_t c = 0; c < classes; ++c) {
        if (weight(cell, c) == 0) continue;
        densities[c].sum += (starts ? 1 : -1) * weight(cell, c) / (extent.high - extent.low);
        densities[c].ranges += starts ? 1 : -1;
      }
    };
    for (; next_end < by_end.size() && attribute.extents[by_end[next_end]].high == ends[e]; ++next_end) {
      change(by_end[next_end], false);
    }
    std::fill(exact.begin(), exact.end(), 0);
    for (; next_start < attribute.extents.size() && attribute.extents[next_start].low == ends[e]; ++next_start) {
      change(next_start, true);
      if (!attribute.extents[next_start].exact()) continue;
      for (size_t c = 0; c < classes; ++c) exact[c] += weight(next_start, c);
    }
    add({ends[e], ends[e]}, exact);
    if (e + 1 == ends.size()) break;
    for (size_t c = 0; c < classes; ++c) {
      stretch[c] = densities[c].ranges > 0 ? densities[c].sum * (ends[e + 1] - ends[e]) : 0;
    }
    add({ends[e], ends[e + 1]}, stretch);
  }
  return pieces;
}

double classes_present(std::span<const double> weights) {
  return static_cast<double>(std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; }));
}

// Is the cut of `whole` into `left` and `right` worth telling? Section 3 of the paper.
bool worth_cutting(std::span<const double> whole, std::span<const double> left, std::span<const double> right) {
  const double n = sum_of(whole);
  const double gain = (weighted_entropy(whole) - weighted_entropy(left) - weighted_entropy(right)) / n;
  auto surprise = [](std::span<const double> part) {
    return classes_present(part) * weighted_entropy(part) / sum_of(part);
  };
  const double delta =
      std::log2(std::pow(3.0, classes_present(whole)) - 2) - (surprise(whole) - surprise(left) - surprise(right));
  return gain > 1e-9 && gain > (std::log2(n - 1) + delta) / n;
}

// Cuts pieces first..last-1.
void cut(const Pieces& pieces, size_t first, size_t last, std::vector<double>& cuts) {
  const size_t classes = pieces.classes;
  std::vector<double> whole(classes, 0), left(classes, 0), right(classes, 0), best_left;
  for (size_t i = first * classes; i < last * classes; ++i) whole[i % classes] += pieces.weights[i];
  double least = INFINITY;
  size_t at = 0;
  for (size_t i = first; i + 1 < last; ++i) {
    for (size_t c = 0; c < classes; ++c) {
      left[c] += pieces.weights[i * classes + c];
      right[c] = whole[c] - left[c];
    }
    const double entropy = weighted_entropy(left) + weighted_entropy(right);
    if (entropy < least - 1e-9) {
      least = entropy;
      at = i + 1;
      best_left = left;
    }
  }
  if (at == 0) return;
  for (size_t c = 0; c < classes; ++c) right[c] = whole[c] - best_left[c];
  if (!worth_cutting(whole, best_left, right)) return;
  cut(pieces, first, at, cuts);
  cuts.push_back(pieces.cut_before(at));
  cut(pieces, at, last, cuts);
}

}  // namespace

std::vector<double> entropy_cuts(const Attribute& attribute, const Dataset& data) {
  const Pieces pieces = pieces_of(attribute, data);
  std::vector<double> cuts;
  cut(pieces, 0, pieces.extents.size(), cuts);
  return cuts;
}

void interval_shares(std::span<const double> cuts, const Extent& extent, std::vector<double>& shares) {
  shares.assign(cuts.size() + 1, 0);
  const auto first = static_cast<size_t>(std::lower_bound(cuts.begin(), cuts.end(), extent.low) - cuts.begin());
  const auto last = static_cast<size_t>(std::lower_bound(cuts.begin(), cuts.end(), extent.high) - cuts.begin());
  if (first == last) {
    shares[first] = 1;
    return;
  }
  for (size_t i = first; i <= last; ++i) {
    const double low = i == first ? extent.low : cuts[i - 1];
    const double high = i == last ? extent.high : cuts[i];
    shares[i] = (high - low) / (extent.high - extent.low);
  }
}

}  // namespace shoal
