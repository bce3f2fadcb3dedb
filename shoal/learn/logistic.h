// Logistic regression with a ridge penalty, for two or more classes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shoal/learn/cell_numbers.h"
#include "shoal/learn/curvature_blocks.h"
#include "shoal/learn/learner.h"

namespace shoal {

// Least Σ weight·(-log chance of the row's class) + ridge·Σ slope², slopes per standard deviation of their column;
// found by Newton steps whose equations are solved by conjugate gradients. These begin near the end where the features
// are few enough for a small matrix per class; else nothing grows with columns squared.
LearnerEntry logistic_learner();

// Rows as numbers, for linear models: a numeric column is centred and divided by its deviation, a categorical one has
// an indicator per category (a single one when there are two), divided by its deviation. A range counts as its middle,
// a set of categories as shares like the training rows' within the set; a missing cell, or a category that no
// training row has, as the training rows' mean. Columns that never change are left out.
class LinearDesign {
 public:
  explicit LinearDesign(const Dataset& train);
  using Cell = std::pair<uint32_t, double>;  // feature and its value
  size_t features() const { return names_.size(); }
  // `age`, `sex = Male`: one per feature.
  const std::vector<std::string>& names() const { return names_; }
  // Appends the row's non-zero features, ascending.
  void encode(const Dataset& data, size_t row, std::vector<Cell>& cells) const;

 private:
  struct ColumnCode {
    bool numeric = false;
    uint32_t first = 0, count = 0;  // features
    CellNumbers numbers;            // numeric
    double mean = 0, scale = 0;     // numeric
    std::vector<double> weights;    // categorical: training weight per category
    std::vector<double> scales;     // categorical: per indicator, 0 when it never changes
    double known = 0;               // categorical: their sum
  };
  static ColumnCode numeric_code(const Attribute& attribute, const Dataset& train);
  static ColumnCode categorical_code(const Attribute& attribute, const Dataset& train);
  std::vector<ColumnCode> columns_;
  std::vector<std::string> names_;
};

// The penalised likelihood of a training table, as a function of coefficients: [feature * (classes-1) + class], the
// features first, then the intercept; the last class has none. For the optimiser and its tests.
class LogisticLoss {
 public:
  LogisticLoss(const Dataset& train, const LinearDesign& design, double ridge);
  size_t size() const { return (features_ + 1) * others_; }
  // The loss, its gradient, and what `curvature` needs.
  double value(std::span<const double> at, std::span<double> gradient);
  // The Hessian at the last `value` times a direction; its diagonal.
  void curvature(std::span<const double> direction, std::span<double> result) const;
  void curvature_diagonal(std::span<double> result) const;
  // The part of it that belongs to one class, for each class: with two classes that is all of it. Whether making and
  // factoring them takes no longer than a few dozen products with a direction, and little memory.
  CurvatureBlocks curvature_blocks() const;
  bool blocks_are_cheap() const;

 private:
  size_t features_, others_;
  double ridge_;
  std::vector<size_t> starts_;  // [row], and the end
  std::vector<uint32_t> feature_;
  std::vector<double> cell_;
  std::vector<double> weights_;
  std::vector<uint32_t> class_of_;
  std::vector<double> chances_;  // [row * others + class] at the last value()
};

// The coefficients of least loss. Throws Error(cancelled).
std::vector<double> minimise(LogisticLoss& loss, int max_steps, Progress& progress);

}  // namespace shoal
