// Counts per class and column; an answer is the product of what every column says. Numbers are rounded to the column's
// precision (the average gap between its values), as in the program whose errors ours are compared with
// (docs/learners.md). A vague cell adds its parts: a range spreads over what it covers, a set over its members.
#include "shoal/learn/naive_bayes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "shoal/learn/cell_numbers.h"
#include "shoal/learn/column_shares.h"
#include "shoal/learn/discretise.h"
#include "shoal/learn/entropy.h"

namespace shoal {
namespace {

// No single cell may rule a class out for good: numbers far from everything seen would.
constexpr double kLeastChance = 1e-75;

// The weight between two standard scores of the normal distribution, exact in both tails.
double normal_mass(double low, double high) {
  constexpr double kRoot = std::numbers::sqrt2;
  if (low > 0) return 0.5 * (std::erfc(low / kRoot) - std::erfc(high / kRoot));
  return 0.5 * (std::erfc(-high / kRoot) - std::erfc(-low / kRoot));
}

// What is known of one column, per class.
struct ColumnModel {
  bool normal = false;
  double precision = 0.01;                // numbers are known to within half of this
  std::vector<double> means, deviations;  // [class]; normal only
  std::vector<double> cell_deviations;    // [class]; normal only: of the cells' numbers, ranges as points
  CellNumbers numbers;                    // normal only
  std::optional<ColumnShares> marginal;   // shares only
  std::vector<double> cuts;               // discretised only
  size_t values = 0;                      // categories or intervals
  std::vector<double> chances;            // [class * values + value]
};

// The average gap between neighbouring values: how finely the column was measured.
double precision_of(const Attribute& attribute) {
  std::vector<double> middles;
  std::vector<bool> used(attribute.extents.size(), false);
  for (uint32_t code : attribute.codes) {
    if (code != Attribute::kMissing) used[code] = true;
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i]) middles.push_back(attribute.extents[i].middle());
  }
  std::sort(middles.begin(), middles.end());
  middles.erase(std::unique(middles.begin(), middles.end()), middles.end());
  if (middles.size() < 2) return 0.01;
  return (middles.back() - middles.front()) / static_cast<double>(middles.size() - 1);
}

ColumnModel normal_model(const Attribute& attribute, const Dataset& data) {
  ColumnModel model;
  model.normal = true;
  model.precision = precision_of(attribute);
  model.numbers = CellNumbers(attribute, data.weights);
  const size_t classes = data.classes.size();
  std::vector<double> sums(classes, 0), squares(classes, 0), spreads(classes, 0), weights(classes, 0);
  // Rounded to the precision; an evenly spread range adds its own variance, width^2/12.
  auto rounded = [&](const Extent& extent) {
    return extent.exact() ? std::rint(extent.low / model.precision) * model.precision : extent.middle();
  };
  for (size_t row = 0; row < data.rows; ++row) {
    if (attribute.missing(row)) continue;
    const uint32_t c = data.class_of[row];
    weights[c] += data.weights[row];
    sums[c] += data.weights[row] * rounded(attribute.extents[attribute.codes[row]]);
  }
  const double known = sum_of(weights);
  if (known <= 0) return {};  // says nothing
  // A class with no known number is taken to have the numbers of all rows: any narrower guess would rule it in or out.
  const double mean_of_all = sum_of(sums) / known;
  for (size_t c = 0; c < classes; ++c) model.means.push_back(weights[c] > 0 ? sums[c] / weights[c] : mean_of_all);
  double squares_of_all = 0;
  for (size_t row = 0; row < data.rows; ++row) {
    if (attribute.missing(row)) continue;
    const uint32_t c = data.class_of[row];
    const Extent& extent = attribute.extents[attribute.codes[row]];
    const double width = extent.high - extent.low, number = rounded(extent);
    squares[c] += data.weights[row] * (number - model.means[c]) * (number - model.means[c]);
    squares_of_all += data.weights[row] * (number - mean_of_all) * (number - mean_of_all);
    spreads[c] += data.weights[row] * width * width / 12;
  }
  const double spread_of_all = sum_of(spreads);
  for (size_t c = 0; c < classes; ++c) {
    auto deviation = [&](double sum, double sum_of_all) {
      return std::max(std::sqrt(weights[c] > 0 ? sum / weights[c] : sum_of_all / known), model.precision / 6);
    };
    model.deviations.push_back(deviation(squares[c] + spreads[c], squares_of_all + spread_of_all));
    model.cell_deviations.push_back(deviation(squares[c], squares_of_all));
  }
  return model;
}

// Counts plus one, as chances. A value that no training row shows speaks for no class: counts plus one would have it
// speak for the class of which fewer cells are known, which suppression makes a matter of chance.
void set_chances(ColumnModel& model, std::vector<double> counts, size_t classes) {
  std::vector<size_t> unseen;
  for (size_t v = 0; v < model.values; ++v) {
    double rows = 0;
    for (size_t c = 0; c < classes; ++c) rows += counts[c * model.values + v];
    if (rows == 0) unseen.push_back(v);
  }
  for (size_t c = 0; c < classes; ++c) {
    double sum = 0;
    for (size_t v = 0; v < model.values; ++v) sum += ++counts[c * model.values + v];
    for (size_t v = 0; v < model.values; ++v) counts[c * model.values + v] /= sum;
    for (size_t v : unseen) counts[c * model.values + v] = 1.0 / static_cast<double>(model.values);
  }
  model.chances = std::move(counts);
}

ColumnModel discretised_model(const Attribute& attribute, const Dataset& data) {
  ColumnModel model;
  model.cuts = entropy_cuts(attribute, data);
  model.values = model.cuts.size() + 1;
  std::vector<double> counts(data.classes.size() * model.values, 0), shares;
  for (size_t row = 0; row < data.rows; ++row) {
    if (attribute.missing(row)) continue;
    interval_shares(model.cuts, attribute.extents[attribute.codes[row]], shares);
    double* const at = counts.data() + data.class_of[row] * model.values;
    for (size_t v = 0; v < model.values; ++v) at[v] += data.weights[row] * shares[v];
  }
  set_chances(model, std::move(counts), data.classes.size());
  return model;
}

ColumnModel categorical_model(const Attribute& attribute, const Dataset& data) {
  ColumnModel model;
  model.values = attribute.categories.size();
  std::vector<double> counts(data.classes.size() * model.values, 0);
  for (size_t row = 0; row < data.rows; ++row) {
    const uint32_t code = attribute.codes[row];
    if (attribute.known_category(code)) counts[data.class_of[row] * model.values + code] += data.weights[row];
  }
  if (attribute.has_vague) {
    // A set is spread like the known rows of its class within the set, each category with one row on top.
    const std::vector<double> known = counts;
    for (size_t row = 0; row < data.rows; ++row) {
      const uint32_t code = attribute.codes[row];
      if (code == Attribute::kMissing || attribute.known_category(code)) continue;
      const size_t base = data.class_of[row] * model.values;
      double sum = 0;
      for (uint32_t v : attribute.set(code)) sum += known[base + v] + 1;
      for (uint32_t v : attribute.set(code)) counts[base + v] += data.weights[row] * (known[base + v] + 1) / sum;
    }
  }
  set_chances(model, std::move(counts), data.classes.size());
  return model;
}

// Counts by the column's marginal: every cell is spread over what it covers, `*` over everything, and the marginal
// itself is added as one row per value.
ColumnModel shares_model(const Attribute& attribute, const Dataset& data) {
  ColumnModel model;
  ColumnShares marginal(attribute, data.weights);
  model.values = marginal.bins();
  if (model.values == 0) return {};  // says nothing
  const size_t classes = data.classes.size(), cells = attribute.numeric
                                                          ? attribute.extents.size()
                                                          : attribute.categories.size() + attribute.sets.size();
  std::vector<double> weights((cells + 1) * classes, 0);  // the last cell: missing
  for (size_t row = 0; row < data.rows; ++row) {
    const size_t cell = std::min<size_t>(attribute.codes[row], cells);
    weights[cell * classes + data.class_of[row]] += data.weights[row];
  }
  std::vector<double> counts(classes * model.values, 0), covered;
  for (size_t cell = 0; cell <= cells; ++cell) {
    const std::span<const double> of_classes(weights.data() + cell * classes, classes);
    if (sum_of(of_classes) == 0) continue;
    marginal.covered(attribute, cell == cells ? Attribute::kMissing : static_cast<uint32_t>(cell), covered);
    const double all = sum_of(covered);
    for (size_t v = 0; v < model.values && all > 0; ++v) {
      for (size_t c = 0; c < classes; ++c) counts[c * model.values + v] += of_classes[c] * covered[v] / all;
    }
  }
  for (size_t c = 0; c < classes; ++c) {
    double sum = 0;
    for (size_t v = 0; v < model.values; ++v) {
      sum += counts[c * model.values + v] += static_cast<double>(model.values) * marginal.shares()[v];
    }
    for (size_t v = 0; v < model.values; ++v) counts[c * model.values + v] /= sum;
  }
  model.chances = std::move(counts);
  model.marginal = std::move(marginal);
  return model;
}

class NaiveBayes : public Classifier {
 public:
  enum class Numbers { automatic, normal, discretised };

  NaiveBayes(const Dataset& data, Numbers numbers, Progress& progress) {
    const size_t classes = data.classes.size();
    priors_.assign(classes, 1);
    for (size_t row = 0; row < data.rows; ++row) priors_[data.class_of[row]] += data.weights[row];
    double sum = 0;
    for (double prior : priors_) sum += prior;
    for (double& prior : priors_) prior /= sum;
    for (const Attribute& attribute : data.attributes) {
      progress.check();
      names_.push_back(attribute.name);
      numeric_.push_back(attribute.numeric);
      const bool by_shares =
          numbers == Numbers::automatic && data.recoded_locally && (attribute.has_vague || attribute.has_missing);
      models_.push_back(by_shares                         ? shares_model(attribute, data)
                        : !attribute.numeric              ? categorical_model(attribute, data)
                        : numbers == Numbers::discretised ? discretised_model(attribute, data)
                                                          : normal_model(attribute, data));
    }
    class_names_ = data.classes;
  }

  void distribution(const Dataset& data, size_t row, std::span<double> chances) const override {
    for (size_t c = 0; c < priors_.size(); ++c) chances[c] = std::log(priors_[c]);
    std::vector<double> shares;
    for (size_t j = 0; j < models_.size(); ++j) {
      const Attribute& attribute = data.attributes[j];
      const uint32_t code = attribute.codes[row];
      if (code == Attribute::kMissing) continue;
      const ColumnModel& model = models_[j];
      if (model.values == 0 && !model.normal) continue;
      if (!model.cuts.empty()) interval_shares(model.cuts, attribute.extents[code], shares);
      if (model.marginal) {
        model.marginal->covered(attribute, code, shares);
        if (sum_of(shares) <= 0) continue;  // nothing that training rows could have been
      }
      for (size_t c = 0; c < priors_.size(); ++c) {
        chances[c] += std::log(std::max(kLeastChance, chance(model, data, {j, row}, shares, c)));
      }
    }
    const double top = *std::max_element(chances.begin(), chances.end());
    double sum = 0;
    for (double& chance : chances) sum += chance = std::exp(chance - top);
    for (double& chance : chances) chance /= sum;
  }

  std::string text() const override {
    std::string text = "Naive Bayes\n";
    for (size_t c = 0; c < priors_.size(); ++c) {
      text += fmt::format("\nclass {}: {:.4f}\n", class_names_[c], priors_[c]);
      for (size_t j = 0; j < models_.size(); ++j) {
        const ColumnModel& model = models_[j];
        if (model.normal) {
          text += fmt::format("  {}: mean {:.4g}, deviation {:.4g}\n", names_[j], model.means[c], model.deviations[c]);
        } else {
          const bool intervals = !model.cuts.empty() || (model.marginal && numeric_[j]);
          text += fmt::format("  {}: {} {}\n", names_[j], model.values, intervals ? "intervals" : "values");
        }
      }
    }
    return text;
  }

 private:
  // The chance of the cell, or of what it may stand for, in class c.
  static double chance(const ColumnModel& model, const Dataset& data, std::pair<size_t, size_t> column_and_row,
                       const std::vector<double>& shares, size_t c) {
    const Attribute& attribute = data.attributes[column_and_row.first];
    const uint32_t code = attribute.codes[column_and_row.second];
    if (model.normal) {
      Extent extent = attribute.extents[code];
      double deviation = model.deviations[c];
      if (extent.exact()) {
        const double number = model.numbers.number(extent, data.as_collected);
        if (data.as_collected) deviation = model.cell_deviations[c];
        extent.low = extent.high = std::rint(number / model.precision) * model.precision;
      }
      const double half = model.precision / 2, mean = model.means[c];
      return normal_mass((extent.low - half - mean) / deviation, (extent.high + half - mean) / deviation);
    }
    const double* const chances = model.chances.data() + c * model.values;
    if (model.marginal) {  // of each value the part that the cell covers
      double sum = 0;
      for (size_t v = 0; v < model.values; ++v) {
        if (shares[v] > 0) sum += chances[v] * shares[v] / model.marginal->shares()[v];
      }
      return sum;
    }
    if (attribute.numeric) {
      if (model.cuts.empty()) return 1;
      double sum = 0;
      for (size_t v = 0; v < model.values; ++v) sum += shares[v] * chances[v];
      return sum;
    }
    if (attribute.known_category(code)) return chances[code];
    double sum = 0;
    for (uint32_t v : attribute.set(code)) sum += chances[v];
    return sum;
  }

  std::vector<double> priors_;
  std::vector<ColumnModel> models_;
  std::vector<bool> numeric_;
  std::vector<std::string> names_, class_names_;
};

std::unique_ptr<Classifier> train_naive_bayes(const Dataset& data, const Params& params, Progress& progress) {
  const std::string& numeric = setting(params, "numeric");
  return std::make_unique<NaiveBayes>(data,
                                      numeric == "discretised" ? NaiveBayes::Numbers::discretised
                                      : numeric == "normal"    ? NaiveBayes::Numbers::normal
                                                               : NaiveBayes::Numbers::automatic,
                                      progress);
}

}  // namespace

LearnerEntry naive_bayes_learner() {
  return {"nb",
          "naive Bayes: columns independent given the class",
          "Duda and Hart 1973; numbers: John and Langley 1995, Fayyad and Irani 1993",
          {{"numeric",
            "how numbers are learned: a normal density per class, or intervals cut by entropy; automatic: normal, but "
            "columns "
            "of local recodings by shares of the column's marginal",
            "automatic",
            {"automatic", "normal", "discretised"}}},
          &train_naive_bayes};
}

}  // namespace shoal
