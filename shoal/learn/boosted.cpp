// Friedman's gradient boosting with second-order leaves. A row's score is the mean over the leaves that its cells may
// lead to (boosted_tree.h), for training and prediction alike, so that released and raw rows are understood alike.
#include "shoal/learn/boosted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/learn/boosted_tree.h"

namespace shoal {
namespace {

struct BoostSettings {
  int rounds = 60;
  double rate = 0.15;
  TreeSettings tree;
};

// Scores to chances. With two classes there is one score, for the second class.
void to_chances(std::span<const double> scores, std::span<double> chances) {
  if (scores.size() == 1) {
    chances[1] = 1 / (1 + std::exp(-scores[0]));
    chances[0] = 1 - chances[1];
    return;
  }
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (size_t c = 0; c < scores.size(); ++c) sum += chances[c] = std::exp(scores[c] - top);
  for (double& chance : chances) chance /= sum;
}

class Boosted : public Classifier {
 public:
  Boosted(const Dataset& data, const BoostSettings& settings, Progress& progress)
      : rate_(settings.rate), classes_(data.classes.size()) {
    const BinnedRows rows(data);
    for (size_t j = 0; j < rows.columns(); ++j) {
      names_.push_back(data.attributes[j].name);
      columns_.push_back(rows.shares(j));
    }
    gains_.assign(names_.size(), 0);
    start(data);
    const size_t scored = start_.size();
    std::vector<double> scores, answers(data.rows), chances(classes_);
    for (size_t row = 0; row < data.rows; ++row) scores.insert(scores.end(), start_.begin(), start_.end());
    std::vector<std::vector<Pull>> pulls(scored, std::vector<Pull>(data.rows));
    for (int round = 0; round < settings.rounds && classes_ > 1; ++round) {
      progress.check();
      for (size_t row = 0; row < data.rows; ++row) {
        to_chances({scores.data() + row * scored, scored}, chances);
        for (size_t s = 0; s < scored; ++s) {
          const size_t c = scored == 1 ? 1 : s;
          const double chance = chances[c], is = data.class_of[row] == c ? 1 : 0, weight = data.weights[row];
          pulls[s][row] = {weight * (is - chance), weight * chance * (1 - chance), weight};
        }
      }
      for (size_t s = 0; s < scored; ++s) {
        std::fill(answers.begin(), answers.end(), 0);
        trees_.emplace_back(rows, pulls[s], settings.tree, answers, gains_);
        for (size_t row = 0; row < data.rows; ++row) scores[row * scored + s] += rate_ * answers[row];
      }
    }
  }

  void distribution(const Dataset& data, size_t row, std::span<double> chances) const override {
    std::vector<double> scores = start_;
    std::vector<std::vector<double>> covered(columns_.size());
    for (size_t j = 0; j < columns_.size(); ++j) {
      if (columns_[j].bins() > 0) columns_[j].covered(data.attributes[j], data.attributes[j].codes[row], covered[j]);
    }
    for (size_t i = 0; i < trees_.size(); ++i) scores[i % scores.size()] += rate_ * trees_[i].answer(covered);
    if (classes_ == 1) {
      chances[0] = 1;
    } else {
      to_chances(scores, chances);
    }
  }

  std::string text() const override {
    std::string text = fmt::format("Boosted trees: {}\n", trees_.size());
    const double all = std::accumulate(gains_.begin(), gains_.end(), 0.0);
    for (size_t j = 0; j < names_.size(); ++j) {
      if (gains_[j] > 0) text += fmt::format("  {}: {:.1f} % of the loss won\n", names_[j], 100 * gains_[j] / all);
    }
    return text;
  }

 private:
  // Every row's first score: how frequent the classes are, each with one row on top.
  void start(const Dataset& data) {
    std::vector<double> weights(classes_, 1);
    for (size_t row = 0; row < data.rows; ++row) weights[data.class_of[row]] += data.weights[row];
    if (classes_ <= 2) {
      start_ = {classes_ == 2 ? std::log(weights[1] / weights[0]) : 0.0};
      return;
    }
    for (double weight : weights) start_.push_back(std::log(weight));
  }

  double rate_;
  size_t classes_;
  std::vector<double> start_;  // one score, or one per class
  std::vector<ColumnShares> columns_;
  std::vector<std::string> names_;
  std::vector<double> gains_;       // [column]
  std::vector<BoostedTree> trees_;  // of a round together, one per score
};

std::unique_ptr<Classifier> train_boosted(const Dataset& data, const Params& params, Progress& progress) {
  BoostSettings settings;
  settings.rounds = static_cast<int>(number_setting(params, "rounds"));
  settings.rate = number_setting(params, "rate");
  settings.tree.depth = static_cast<int>(number_setting(params, "depth"));
  settings.tree.least_rows = number_setting(params, "min-rows");
  if (const auto merged = data.merged_by_half()) return std::make_unique<Boosted>(*merged, settings, progress);
  return std::make_unique<Boosted>(data, settings, progress);
}

}  // namespace

LearnerEntry boosted_learner() {
  return {"boosted",
          "gradient boosting: small trees, each grown on what those before it get wrong",
          "Friedman 2001; second-order leaves: Chen and Guestrin 2016",
          {{"rounds", "trees per class", "60", {}, 1, 10000},
           {"rate", "share of each tree's answer that counts", "0.15", {}, 0.001, 1},
           {"depth", "tests on the longest path", "3", {}, 1, 12},
           {"min-rows", "least rows on either side of a test", "10", {}, 1, 1e9}},
          &train_boosted};
}

}  // namespace shoal
