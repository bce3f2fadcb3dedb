// Equations of several classes at once: symmetric, positive matrices of one size, side by side, factored.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace shoal {

// One matrix for each class. What belongs to the classes of a place stands side by side, so that every step treats all
// classes alike. Memory: places² / 2 x classes x 8 bytes.
class CurvatureBlocks {
 public:
  CurvatureBlocks(size_t places, size_t classes);
  size_t places() const { return places_; }
  size_t classes() const { return classes_; }

  // The entries of all classes in this row and column. Requires column <= row: the other half is the same.
  std::span<double> entries(size_t row, size_t column) {
    return {values_.data() + (row * (row + 1) / 2 + column) * classes_, classes_};
  }
  // Cholesky's factors in place of the matrices. A matrix that rounding or a column told twice left without a root is
  // factored as if that column had a little more on the diagonal. Cost: places³ / 6 x classes.
  void factor();
  // Divides by the matrices: `values[place * classes + class]`. Requires factor(). Cost: places² x classes.
  void solve(std::span<double> values) const;

 private:
  const double* at(size_t row, size_t column) const {
    return values_.data() + (row * (row + 1) / 2 + column) * classes_;
  }
  size_t places_, classes_;
  std::vector<double> values_;
};

}  // namespace shoal
