// C4.5's pessimistic estimate of errors.
#pragma once

#include <span>

namespace shoal {

// How many errors to expect beyond the `errors` seen among `total` (weights): the upper end of the confidence interval
// of a binomial, `confidence` in (0, 0.5]. Exact for none, interpolated below one error, by the normal approximation
// with continuity correction above.
class ExtraErrors {
 public:
  explicit ExtraErrors(double confidence);
  double operator()(double total, double errors) const;
  // Errors of a leaf that predicts its heaviest class, seen and expected; 0 without weight.
  double of_leaf(std::span<const double> class_weights) const;

 private:
  double confidence_;
  double score_;  // standard score that a normal variable exceeds with the chance `confidence`
};

}  // namespace shoal
