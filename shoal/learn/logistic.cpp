// Newton's method without ever writing down the whole Hessian: its product with a vector is one pass over the rows, and
// conjugate gradients need no more (a truncated Newton step). Divided by the Hessian's blocks, one for each class, they
// need far fewer passes than divided by its diagonal. Every step is shortened until the penalised loss falls
// enough (Armijo), so that it converges from zero for any data; with a ridge the optimum is unique.
#include "shoal/learn/logistic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "shoal/table/number.h"

namespace shoal {
namespace {

constexpr double kMostEntries = 8e6;  // of all matrices: 64 MB
constexpr double kMostProducts = 30;  // as many products with a direction may be spent on making and factoring them

}  // namespace

LogisticLoss::LogisticLoss(const Dataset& train, const LinearDesign& design, double ridge)
    : features_(design.features()),
      others_(train.classes.size() - 1),
      ridge_(ridge),
      weights_(train.weights),
      class_of_(train.class_of),
      chances_(train.rows * others_) {
  std::vector<LinearDesign::Cell> cells;
  starts_.push_back(0);
  for (size_t row = 0; row < train.rows; ++row) {
    cells.clear();
    design.encode(train, row, cells);
    for (const auto& [feature, value] : cells) {
      feature_.push_back(feature);
      cell_.push_back(value);
    }
    starts_.push_back(feature_.size());
  }
}

double LogisticLoss::value(std::span<const double> at, std::span<double> gradient) {
  double loss = 0;
  for (size_t i = 0; i < gradient.size(); ++i) {
    const bool slope = i < features_ * others_;
    loss += slope ? ridge_ * at[i] * at[i] : 0;
    gradient[i] = slope ? 2 * ridge_ * at[i] : 0;
  }
  std::vector<double> scores(others_);
  const size_t intercept = features_ * others_;
  for (size_t row = 0; row < weights_.size(); ++row) {
    for (size_t k = 0; k < others_; ++k) scores[k] = at[intercept + k];
    for (size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
      for (size_t k = 0; k < others_; ++k) scores[k] += cell_[i] * at[feature_[i] * others_ + k];
    }
    // The last class has score 0; the greatest is taken out so that nothing overflows.
    const double top = std::max(0.0, *std::max_element(scores.begin(), scores.end()));
    const uint32_t c = class_of_[row];
    const double own = c < others_ ? scores[c] : 0;
    double sum = std::exp(-top);
    for (size_t k = 0; k < others_; ++k) sum += scores[k] = std::exp(scores[k] - top);
    loss -= weights_[row] * (own - top - std::log(sum));
    double* const chances = chances_.data() + row * others_;
    for (size_t k = 0; k < others_; ++k) {
      chances[k] = scores[k] / sum;
      scores[k] = weights_[row] * (chances[k] - (c == k ? 1 : 0));  // what the row pulls towards
      gradient[intercept + k] += scores[k];
    }
    // Classes within a feature stand side by side: with many of them any other order is slow.
    for (size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
      for (size_t k = 0; k < others_; ++k) gradient[feature_[i] * others_ + k] += scores[k] * cell_[i];
    }
  }
  return loss;
}

void LogisticLoss::curvature(std::span<const double> direction, std::span<double> result) const {
  const size_t intercept = features_ * others_;
  for (size_t i = 0; i < result.size(); ++i) result[i] = i < intercept ? 2 * ridge_ * direction[i] : 0;
  std::vector<double> scores(others_);
  for (size_t row = 0; row < weights_.size(); ++row) {
    for (size_t k = 0; k < others_; ++k) scores[k] = direction[intercept + k];
    for (size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
      for (size_t k = 0; k < others_; ++k) scores[k] += cell_[i] * direction[feature_[i] * others_ + k];
    }
    const double* const chances = chances_.data() + row * others_;
    double mean = 0;
    for (size_t k = 0; k < others_; ++k) mean += chances[k] * scores[k];
    for (size_t k = 0; k < others_; ++k) scores[k] = weights_[row] * chances[k] * (scores[k] - mean);
    for (size_t k = 0; k < others_; ++k) result[intercept + k] += scores[k];
    for (size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
      for (size_t k = 0; k < others_; ++k) result[feature_[i] * others_ + k] += cell_[i] * scores[k];
    }
  }
}

void LogisticLoss::curvature_diagonal(std::span<double> result) const {
  const size_t intercept = features_ * others_;
  for (size_t i = 0; i < result.size(); ++i) result[i] = i < intercept ? 2 * ridge_ : 0;
  std::vector<double> bends(others_);
  for (size_t row = 0; row < weights_.size(); ++row) {
    for (size_t k = 0; k < others_; ++k) {
      const double chance = chances_[row * others_ + k];
      bends[k] = weights_[row] * chance * (1 - chance);
      result[intercept + k] += bends[k];
    }
    for (size_t i = starts_[row]; i < starts_[row + 1]; ++i) {
      for (size_t k = 0; k < others_; ++k) result[feature_[i] * others_ + k] += bends[k] * cell_[i] * cell_[i];
    }
  }
}

CurvatureBlocks LogisticLoss::curvature_blocks() const {
  CurvatureBlocks blocks(features_ + 1, others_);
  std::vector<double> bends(others_);
  std::vector<std::pair<uint32_t, double>> cells;
  for (size_t row = 0; row < weights_.size(); ++row) {
    for (size_t k = 0; k < others_; ++k) {
      const double chance = chances_[row * others_ + k];
      bends[k] = weights_[row] * chance * (1 - chance);
    }
    cells.clear();
    for (size_t i = starts_[row]; i < starts_[row + 1]; ++i) cells.emplace_back(feature_[i], cell_[i]);
    cells.emplace_back(static_cast<uint32_t>(features_), 1);  // the intercept
    for (size_t a = 0; a < cells.size(); ++a) {
      for (size_t b = 0; b <= a; ++b) {
        double* const entry = blocks.entries(cells[a].first, cells[b].first).data();
        const double product = cells[a].second * cells[b].second;
        for (size_t k = 0; k < others_; ++k) entry[k] += bends[k] * product;
      }
    }
  }
  for (size_t feature = 0; feature < features_; ++feature) {
    for (double& entry : blocks.entries(feature, feature)) entry += 2 * ridge_;
  }
  return blocks;
}

bool LogisticLoss::blocks_are_cheap() const {
  double pairs = 0;
  for (size_t row = 0; row < weights_.size(); ++row) {
    const auto cells = static_cast<double>(starts_[row + 1] - starts_[row] + 1);
    pairs += cells * cells / 2;
  }
  const auto places = static_cast<double>(features_ + 1);
  const double product = 2 * static_cast<double>(feature_.size() + weights_.size());
  return places * places / 2 * static_cast<double>(others_) <= kMostEntries &&
         pairs + places * places * places / 6 <= kMostProducts * product;
}

namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Divides a vector by what is near the Hessian and easily divided by: its blocks, or its diagonal.
class NearCurvature {
 public:
  NearCurvature(const LogisticLoss& loss, bool by_blocks) {
    if (by_blocks) {
      blocks_.emplace(loss.curvature_blocks());
      blocks_->factor();
      return;
    }
    diagonal_.resize(loss.size());
    loss.curvature_diagonal(diagonal_);
    const double floor = 1e-12 * *std::max_element(diagonal_.begin(), diagonal_.end());
    for (double& entry : diagonal_) entry = std::max(entry, floor);
  }
  void divide(std::span<const double> from, std::vector<double>& to) const {
    std::copy(from.begin(), from.end(), to.begin());
    if (blocks_) return blocks_->solve(to);
    for (size_t i = 0; i < to.size(); ++i) to[i] = diagonal_[i] > 0 ? from[i] / diagonal_[i] : from[i];
  }

 private:
  std::optional<CurvatureBlocks> blocks_;
  std::vector<double> diagonal_;
};

// Solves curvature · step = -gradient roughly, by conjugate gradients divided by what is near the curvature; the nearer
// the optimum, the more exactly (Dembo and Steihaug 1983).
std::vector<double> newton_step(const LogisticLoss& loss, const NearCurvature& near, std::span<const double> gradient,
                                double exactness, Progress& progress) {
  const size_t n = gradient.size();
  std::vector<double> step(n, 0), residual(n), scaled(n), direction(n), bent(n);
  for (size_t i = 0; i < n; ++i) residual[i] = -gradient[i];
  near.divide(residual, scaled);
  direction = scaled;
  double size = dot(residual, scaled);
  const double enough = exactness * exactness * size;
  for (size_t i = 0; i < std::min<size_t>(n, 500) && size > enough; ++i) {
    progress.check();
    loss.curvature(direction, bent);
    const double bend = dot(direction, bent);
    if (!(bend > 0)) break;
    const double length = size / bend;
    for (size_t j = 0; j < n; ++j) {
      step[j] += length * direction[j];
      residual[j] -= length * bent[j];
    }
    near.divide(residual, scaled);
    const double next = dot(residual, scaled);
    for (size_t j = 0; j < n; ++j) direction[j] = scaled[j] + next / size * direction[j];
    size = next;
  }
  return step;
}

}  // namespace

std::vector<double> minimise(LogisticLoss& loss, int max_steps, Progress& progress) {
  const size_t n = loss.size();
  std::vector<double> at(n, 0), gradient(n), trial(n), trial_gradient(n);
  double value = loss.value(at, gradient);
  const bool by_blocks = loss.blocks_are_cheap();
  const double start = std::sqrt(dot(gradient, gradient));
  for (int step = 0; step < max_steps; ++step) {
    const double size = std::sqrt(dot(gradient, gradient));
    if (size <= 1e-8 * start || start == 0) break;
    progress.update(static_cast<double>(step) / max_steps);
    const auto direction =
        newton_step(loss, NearCurvature(loss, by_blocks), gradient, std::min(0.1, std::sqrt(size / start)), progress);
    const double slope = dot(direction, gradient);
    if (!(slope < 0)) break;
    // Shorter and shorter until the loss falls as it should.
    double length = 1, next = 0;
    bool fell = false;
    for (int half = 0; half < 40 && !fell; ++half, length /= 2) {
      for (size_t i = 0; i < n; ++i) trial[i] = at[i] + length * direction[i];
      next = loss.value(trial, trial_gradient);
      fell = next <= value + 1e-4 * length * slope;
    }
    if (!fell) break;
    const bool still = value - next <= 1e-12 * std::abs(value);
    std::swap(at, trial);
    std::swap(gradient, trial_gradient);
    value = next;
    if (still) break;
  }
  return at;
}

namespace {

class Logistic : public Classifier {
 public:
  Logistic(const Dataset& data, double ridge, int max_steps, Progress& progress)
      : design_(data), others_(data.classes.size() - 1), classes_(data.classes) {
    if (others_ == 0) return;
    LogisticLoss loss(data, design_, ridge);
    coefficients_ = minimise(loss, max_steps, progress);
  }

  void distribution(const Dataset& data, size_t row, std::span<double> chances) const override {
    chances[others_] = 0;
    std::vector<LinearDesign::Cell> cells;
    design_.encode(data, row, cells);
    for (size_t k = 0; k < others_; ++k) {
      chances[k] = coefficients_[design_.features() * others_ + k];
      for (const auto& [feature, value] : cells) chances[k] += value * coefficients_[feature * others_ + k];
    }
    const double top = *std::max_element(chances.begin(), chances.end());
    double sum = 0;
    for (double& chance : chances) sum += chance = std::exp(chance - top);
    for (double& chance : chances) chance /= sum;
  }

  std::string text() const override {
    std::string text =
        fmt::format("Logistic regression: {} features, classes against '{}'\n", design_.features(), classes_[others_]);
    for (size_t k = 0; k < others_; ++k) {
      text +=
          fmt::format("\nclass {}: intercept {:.4f}\n", classes_[k], coefficients_[design_.features() * others_ + k]);
      for (size_t feature = 0; feature < design_.features(); ++feature) {
        text += fmt::format("  {}: {:.4f}\n", design_.names()[feature], coefficients_[feature * others_ + k]);
      }
    }
    return text;
  }

 private:
  LinearDesign design_;
  size_t others_;
  std::vector<std::string> classes_;
  std::vector<double> coefficients_;
};

std::unique_ptr<Classifier> train_logistic(const Dataset& data, const Params& params, Progress& progress) {
  const auto steps = static_cast<int>(number_setting(params, "max-steps"));
  const double ridge = number_setting(params, "ridge");
  if (const auto merged = data.merged_by_half()) return std::make_unique<Logistic>(*merged, ridge, steps, progress);
  return std::make_unique<Logistic>(data, ridge, steps, progress);
}

}  // namespace

LearnerEntry logistic_learner() {
  return {"logistic",
          "logistic regression with a ridge penalty",
          "le Cessie and van Houwelingen 1992",
          {{"ridge", "penalty on squared coefficients (per standard deviation of their column)", "10", {}, 0, 1e9},
           {"max-steps", "most Newton steps", "200", {}, 1, 1e6}},
          &train_logistic};
}

}  // namespace shoal
