#include "shoal/learn/curvature_blocks.h"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr double kLeastPivot = 1e-10;  // of the entry on the diagonal

// to -= a x b, class by class.
void subtract_product(double* to, const double* a, const double* b, size_t classes) {
  for (size_t k = 0; k < classes; ++k) to[k] -= a[k] * b[k];
}

}  // namespace

CurvatureBlocks::CurvatureBlocks(size_t places, size_t classes)
    : places_(places), classes_(classes), values_(places * (places + 1) / 2 * classes, 0.0) {}

void CurvatureBlocks::factor() {
  std::vector<double> diagonal(classes_);
  for (size_t i = 0; i < places_; ++i) {
    double* const row = entries(i, 0).data();
    std::copy_n(row + i * classes_, classes_, diagonal.begin());
    for (size_t j = 0; j <= i; ++j) {
      double* const entry = row + j * classes_;
      const double* const other = at(j, 0);
      for (size_t p = 0; p < j; ++p) subtract_product(entry, row + p * classes_, other + p * classes_, classes_);
      if (j < i) {
        for (size_t k = 0; k < classes_; ++k) entry[k] /= other[j * classes_ + k];
        continue;
      }
      for (size_t k = 0; k < classes_; ++k) {
        const double least = diagonal[k] > 0 ? kLeastPivot * diagonal[k] : 1;
        entry[k] = std::sqrt(std::max(entry[k], least));
      }
    }
  }
}

void CurvatureBlocks::solve(std::span<double> values) const {
  for (size_t i = 0; i < places_; ++i) {
    double* const value = values.data() + i * classes_;
    for (size_t p = 0; p < i; ++p) subtract_product(value, at(i, p), values.data() + p * classes_, classes_);
    for (size_t k = 0; k < classes_; ++k) value[k] /= at(i, i)[k];
  }
  for (size_t i = places_; i-- > 0;) {
    double* const value = values.data() + i * classes_;
    for (size_t k = 0; k < classes_; ++k) value[k] /= at(i, i)[k];
    for (size_t p = 0; p < i; ++p) subtract_product(values.data() + p * classes_, at(i, p), value, classes_);
  }
}

}  // namespace shoal
