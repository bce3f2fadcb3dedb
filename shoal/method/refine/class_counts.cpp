#include "shoal/method/refine/class_counts.h"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

double x_log_x(uint64_t count) {
  const auto x = static_cast<double>(count);
  return count < 2 ? 0 : x * std::log2(x);
}

uint64_t total(std::span<const uint64_t> classes) {
  uint64_t rows = 0;
  for (uint64_t count : classes) rows += count;
  return rows;
}

// |R| I(R): needs no division, so that parts can simply be summed.
double weighed_entropy(std::span<const uint64_t> classes) {
  double bits = x_log_x(total(classes));
  for (uint64_t count : classes) bits -= x_log_x(count);
  return bits;
}

}  // namespace

ClassCounts::ClassCounts(const Table& table, size_t quasi, size_t leaves)
    : classes_(table.target->values.size()), before_((leaves + 1) * classes_, 0) {
  table.quasi[quasi].codes.visit([&](auto leaf_of_row) {
    table.target->codes.visit([&](auto class_of_row) {
      uint64_t* counts = before_.data() + classes_;  // shifted by one leaf, so that the sums below exclude the leaf
      for (size_t row = 0; row < leaf_of_row.size(); ++row) {
        counts[size_t{leaf_of_row[row]} * classes_ + class_of_row[row]] += table.times_of(row);
      }
    });
  });
  for (size_t i = classes_; i < before_.size(); ++i) before_[i] += before_[i - classes_];
}

void ClassCounts::add(uint32_t first, uint32_t last, std::span<uint64_t> into) const {
  const uint64_t* low = before_.data() + size_t{first} * classes_;
  const uint64_t* high = before_.data() + (size_t{last} + 1) * classes_;
  for (size_t c = 0; c < classes_; ++c) into[c] += high[c] - low[c];
}

double entropy(std::span<const uint64_t> classes) {
  const uint64_t rows = total(classes);
  return rows == 0 ? 0 : weighed_entropy(classes) / static_cast<double>(rows);
}

double information_gain(std::span<const uint64_t> parts, size_t classes) {
  uint64_t rows = 0;
  double bits = 0;
  for (size_t c = 0; c < classes; ++c) {
    uint64_t count = 0;
    for (size_t i = c; i < parts.size(); i += classes) count += parts[i];
    bits -= x_log_x(count);
    rows += count;
  }
  if (rows == 0) return 0;
  bits += x_log_x(rows);
  for (size_t i = 0; i < parts.size(); i += classes) bits -= weighed_entropy(parts.subspan(i, classes));
  const double gain = bits / static_cast<double>(rows);
  // Sums of this size are exact to about 1e-13; below that a gain is rounding, and would break ties by chance.
  return gain < 1e-12 ? 0 : gain;
}

bool mixed(std::span<const uint64_t> classes) {
  return std::count_if(classes.begin(), classes.end(), [](uint64_t count) { return count > 0; }) > 1;
}

}  // namespace shoal
