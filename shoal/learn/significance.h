// Is one error really lower than another? Intervals and tests for classification errors.
//
// Errors are shares of rows in [0,1]. All functions are pure and safe to call from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shoal {

// Upper tails P(X >= x). Accurate to about 1e-10.
double normal_tail(double z);
double chi_squared_tail(double x, double degrees);
double f_tail(double f, double degrees_above, double degrees_below);
// The z with P(Z <= z) = p. Requires 0 < p < 1.
double normal_quantile(double p);

// Where the true error lies with the given confidence when `error` of `rows` tested rows were wrong: Wilson's interval,
// that is the normal approximation of the binomial with the variance of the true error. Requires rows > 0.
struct ErrorInterval {
  double low = 0, high = 1;
};
ErrorInterval error_interval(double error, uint64_t rows, double confidence = 0.95);

// Two errors on the same rows: how much the first is above the second, with a 95 % interval. Rows are paired: each adds
// the share of its tests that the first got wrong minus that of the second, and the interval is that of a mean over
// rows. It tells how much other rows from the same source would change the answer, not what other training rows would.
struct ErrorDifference {
  double difference = 0, low = 0, high = 0;
};
// One entry per row that both were tested on. All 0 without rows.
ErrorDifference mean_difference(const std::vector<double>& by_row);

// A mean with its 95 % interval by Student's t (few values: tables, say). The interval of a single value is the value.
struct MeanInterval {
  double mean = 0, low = 0, high = 0;
};
MeanInterval mean_interval(const std::vector<double>& values);

// Alpaydin's combined 5x2cv F test (1999): do two learners have the same error? `differences[i][j]` is error of one
// minus error of the other on fold j of repetition i. F with 10 and 5 degrees of freedom under "the same".
struct FTest {
  double f = 0;
  double p = 1;
};
FTest combined_5x2_f_test(const std::array<std::array<double, 2>, 5>& differences);

// Friedman's test with Iman and Davenport's correction: do m methods have the same error over N sets (Demsar 2006)?
struct FriedmanTest {
  std::vector<double> mean_ranks;  // by method; 1 is the lowest error, equal errors share ranks
  double chi_squared = 0;          // m - 1 degrees of freedom
  double f = 0;                    // corrected; m - 1 and (m - 1)(N - 1) degrees of freedom
  double p = 1;                    // of f
};
// errors[set][method]. Requires at least two sets and two methods.
FriedmanTest friedman_test(const std::vector<std::vector<double>>& errors);

// Bonferroni-Dunn: two mean ranks of a Friedman test differ when they are at least this far apart, where one method
// (the control) is compared with all m - 1 others at once.
double bonferroni_dunn_distance(size_t methods, size_t sets, double alpha = 0.05);

}  // namespace shoal
