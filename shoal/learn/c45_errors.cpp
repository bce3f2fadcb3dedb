#include "shoal/learn/c45_errors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {

ExtraErrors::ExtraErrors(double confidence) : confidence_(confidence) {
  // Halving: as exact as doubles are, and done once.
  double low = 0, high = 40;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(middle / std::numbers::sqrt2) > confidence ? low : high) = middle;
  }
  score_ = (low + high) / 2;
}

double ExtraErrors::operator()(double total, double errors) const {
  if (errors < 1) {
    const double none = total * (1 - std::pow(confidence_, 1 / total));
    return errors == 0 ? none : none + errors * ((*this)(total, 1) - none);
  }
  if (errors + 0.5 >= total) return std::max(total - errors, 0.0);
  const double share = (errors + 0.5) / total, square = score_ * score_;
  const double deviation = std::sqrt(share / total - share * share / total + square / (4 * total * total));
  const double upper = (share + square / (2 * total) + score_ * deviation) / (1 + square / total);
  return upper * total - errors;
}

double ExtraErrors::of_leaf(std::span<const double> class_weights) const {
  double total = 0, most = 0;
  for (double weight : class_weights) {
    total += weight;
    most = std::max(most, weight);
  }
  if (total <= 0) return 0;
  return total - most + (*this)(total, total - most);
}

}  // namespace shoal
