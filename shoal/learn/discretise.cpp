#include "shoal/learn/discretise.h"

#include <algorithm>
#include <cmath>

#include "shoal/learn/entropy.h"

namespace shoal {
namespace {

// The distinct numbers of a column, ascending, with the weight of each class.
struct ClassSums {
  std::vector<double> numbers;
  std::vector<double> weights;  // [number * classes + class]
  size_t classes;
};

ClassSums class_sums(const Attribute& attribute, const Dataset& data) {
  struct Cell {
    double number;
    uint32_t row;
  };
  std::vector<Cell> cells;
  for (uint32_t row = 0; row < data.rows; ++row) {
    if (!attribute.missing(row)) cells.push_back({attribute.extents[attribute.codes[row]].middle(), row});
  }
  std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.number < b.number; });
  ClassSums sums{{}, {}, data.classes.size()};
  for (const Cell& cell : cells) {
    if (sums.numbers.empty() || sums.numbers.back() < cell.number) {
      sums.numbers.push_back(cell.number);
      sums.weights.resize(sums.weights.size() + sums.classes, 0);
    }
    sums.weights[(sums.numbers.size() - 1) * sums.classes + data.class_of[cell.row]] += data.weights[cell.row];
  }
  return sums;
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

// Cuts numbers first..last-1.
void cut(const ClassSums& sums, size_t first, size_t last, std::vector<double>& cuts) {
  const size_t classes = sums.classes;
  std::vector<double> whole(classes, 0), left(classes, 0), right(classes, 0), best_left;
  for (size_t i = first * classes; i < last * classes; ++i) whole[i % classes] += sums.weights[i];
  double least = INFINITY;
  size_t at = 0;
  for (size_t i = first; i + 1 < last; ++i) {
    for (size_t c = 0; c < classes; ++c) {
      left[c] += sums.weights[i * classes + c];
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
  cut(sums, first, at, cuts);
  cuts.push_back(sums.numbers[at - 1] + (sums.numbers[at] - sums.numbers[at - 1]) / 2);
  cut(sums, at, last, cuts);
}

}  // namespace

std::vector<double> entropy_cuts(const Attribute& attribute, const Dataset& data) {
  const ClassSums sums = class_sums(attribute, data);
  std::vector<double> cuts;
  cut(sums, 0, sums.numbers.size(), cuts);
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
