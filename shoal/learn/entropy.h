// Weights: their sum, and their entropy in bits.
#pragma once

#include <cmath>
#include <numeric>
#include <span>

namespace shoal {

inline double sum_of(std::span<const double> weights) { return std::accumulate(weights.begin(), weights.end(), 0.0); }

inline double x_log2_x(double x) { return x > 0 ? x * std::log2(x) : 0; }

// Total weight times the entropy of its shares: Σw log2 Σw - Σ w log2 w.
inline double weighted_entropy(std::span<const double> weights) {
  double sum = 0, parts = 0;
  for (double weight : weights) {
    sum += weight;
    parts += x_log2_x(weight);
  }
  return x_log2_x(sum) - parts;
}

}  // namespace shoal
