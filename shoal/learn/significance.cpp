#include "shoal/learn/significance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

constexpr double kTiny = 1e-300;
constexpr double kConverged = 1e-15;
constexpr int kMostTerms = 500;

// Continued fraction by Lentz's method: b0 + a1/(b1 + a2/(b2 + ...)), terms as (a_i, b_i) from `term`.
template <typename Term>
double continued_fraction(double b0, const Term& term) {
  double result = b0 == 0 ? kTiny : b0, c = result, d = 0;
  for (int i = 1; i <= kMostTerms; ++i) {
    const auto [a, b] = term(i);
    d = b + a * d;
    c = b + a / c;
    if (std::abs(d) < kTiny) d = kTiny;
    if (std::abs(c) < kTiny) c = kTiny;
    d = 1 / d;
    result *= c * d;
    if (std::abs(c * d - 1) < kConverged) break;
  }
  return result;
}

// Regularised incomplete beta function I_x(a, b).
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast below the mean only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x)) / a;
  const double fraction = continued_fraction(1, [&](int i) {
    const int odd_half = (i - 1) / 2, half = i / 2;
    const double m = odd_half, n = half;
    const bool even = i % 2 == 0;
    double above = 1;
    if (i > 1) {
      above = even ? -(a + n - 1) * (a + b + n - 1) * x / ((a + 2 * n - 2) * (a + 2 * n - 1))
                   : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    }
    return std::pair{above, 1.0};
  });
  // continued_fraction gives 1 + 1/(1 + ...); the wanted one is 1/(1 + ...).
  return front * (fraction - 1);
}

// Regularised upper incomplete gamma function Q(a, x).
double upper_gamma(double a, double x) {
  if (x <= 0) return 1;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {
    double term = 1 / a, sum = term;
    for (int n = 1; n <= 10 * kMostTerms && term > sum * kConverged; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - front * sum;
  }
  const double fraction = continued_fraction(x + 1 - a, [&](int i) {
    return std::pair{-i * (i - a), x + 2 * i + 1 - a};
  });
  return front / fraction;
}

}  // namespace

double normal_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

double chi_squared_tail(double x, double degrees) { return upper_gamma(degrees / 2, x / 2); }

double f_tail(double f, double degrees_above, double degrees_below) {
  if (f <= 0) return 1;
  if (std::isinf(f)) return 0;
  return incomplete_beta(degrees_below / 2, degrees_above / 2, degrees_below / (degrees_below + degrees_above * f));
}

double normal_quantile(double p) {
  // The tail falls steadily: halving the bracket gives all digits in about sixty steps.
  double low = -40, high = 40;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (normal_tail(-middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

ErrorInterval error_interval(double error, uint64_t rows, double confidence) {
  const double z = normal_quantile(0.5 + confidence / 2), n = static_cast<double>(rows);
  const double middle = error + z * z / (2 * n);
  const double half = z * std::sqrt(error * (1 - error) / n + z * z / (4 * n * n));
  const double scale = 1 + z * z / n;
  return {std::max(0.0, (middle - half) / scale), std::min(1.0, (middle + half) / scale)};
}

namespace {

// Mean and standard error of the mean.
std::pair<double, double> mean_and_error(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double value : values) sum += value;
  const double mean = sum / n;
  for (double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

// The t that Student's variable exceeds in size with the chance `alpha`: t squared is an F with 1 degree above.
double student_quantile(double degrees, double alpha) {
  double low = 0, high = 1;
  while (f_tail(high * high, 1, degrees) > alpha) high *= 2;
  for (int round = 0; round < 80; ++round) {
    const double middle = (low + high) / 2;
    (f_tail(middle * middle, 1, degrees) > alpha ? low : high) = middle;
  }
  return high;
}

}  // namespace

ErrorDifference mean_difference(const std::vector<double>& by_row) {
  if (by_row.empty()) return {};
  const auto [mean, error] = mean_and_error(by_row);
  const double half = normal_quantile(0.975) * error;
  return {mean, mean - half, mean + half};
}

MeanInterval mean_interval(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [mean, error] = mean_and_error(values);
  const double half = values.size() > 1 ? student_quantile(static_cast<double>(values.size() - 1), 0.05) * error : 0;
  return {mean, mean - half, mean + half};
}

FTest combined_5x2_f_test(const std::array<std::array<double, 2>, 5>& differences) {
  double squares = 0, variances = 0;
  for (const auto& [first, second] : differences) {
    const double mean = (first + second) / 2;
    squares += first * first + second * second;
    variances += (first - mean) * (first - mean) + (second - mean) * (second - mean);
  }
  if (squares == 0) return {};
  const double f = variances > 0 ? squares / (2 * variances) : std::numeric_limits<double>::infinity();
  return {f, f_tail(f, 10, 5)};
}

FriedmanTest friedman_test(const std::vector<std::vector<double>>& errors) {
  const size_t methods = errors.front().size();
  const auto m = static_cast<double>(methods), n = static_cast<double>(errors.size());
  FriedmanTest test;
  test.mean_ranks.assign(methods, 0);
  for (const std::vector<double>& set : errors) {
    for (size_t i = 0; i < methods; ++i) {
      const auto below = std::count_if(set.begin(), set.end(), [&](double error) { return error < set[i]; });
      const auto same = std::count(set.begin(), set.end(), set[i]);
      test.mean_ranks[i] += (static_cast<double>(below) + static_cast<double>(same + 1) / 2) / n;
    }
  }
  double squares = 0;
  for (double rank : test.mean_ranks) squares += rank * rank;
  test.chi_squared = std::max(0.0, 12 * n / (m * (m + 1)) * (squares - m * (m + 1) * (m + 1) / 4));
  const double left = n * (m - 1) - test.chi_squared;
  // Nothing left: every set ranks the methods alike.
  test.f = left > 1e-12 ? (n - 1) * test.chi_squared / left : std::numeric_limits<double>::infinity();
  test.p = f_tail(test.f, m - 1, (m - 1) * (n - 1));
  return test;
}

double bonferroni_dunn_distance(size_t methods, size_t sets, double alpha) {
  const auto m = static_cast<double>(methods), n = static_cast<double>(sets);
  return normal_quantile(1 - alpha / (2 * (m - 1))) * std::sqrt(m * (m + 1) / (6 * n));
}

}  // namespace shoal
