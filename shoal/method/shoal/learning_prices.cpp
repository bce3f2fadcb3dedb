#include "shoal/method/shoal/learning_prices.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shoal/learn/entropy.h"
#include "shoal/learn/learner.h"
#include "shoal/method/trees/quasi_dataset.h"
#include "shoal/run/seeded_random.h"

namespace shoal {
namespace {

constexpr size_t kMostParts = 12;
constexpr double kRankShare = 0.2;
constexpr double kLeastShareOfRows = 1.0 / 40;
constexpr size_t kMostTrained = 20'000, kMostAsked = 2'000;  // different rows
constexpr size_t kMostShuffles = 10;
constexpr double kLeastWeight = 0.03;
constexpr double kLeastChanceAsked = 1e-6;

// A run of values, and its best cut.
struct CutStretch {
  size_t first = 0, end = 0;
  size_t cut = 0;  // first value of the right part; 0: none
  double gain = 0;
};

CutStretch with_cut(size_t first, size_t end, std::span<const double> counts, size_t classes, double least) {
  CutStretch stretch{first, end};
  std::vector<double> all(classes, 0), left(classes, 0), right(classes);
  for (size_t v = first; v < end; ++v) {
    for (size_t c = 0; c < classes; ++c) all[c] += counts[v * classes + c];
  }
  const double before = weighted_entropy(all), rows = sum_of(all);
  double on_left = 0;
  for (size_t v = first; v + 1 < end; ++v) {
    for (size_t c = 0; c < classes; ++c) {
      left[c] += counts[v * classes + c];
      right[c] = all[c] - left[c];
      on_left += counts[v * classes + c];
    }
    if (on_left < least || rows - on_left < least) continue;
    const double gain = before - weighted_entropy(left) - weighted_entropy(right);
    if (gain > stretch.gain + 1e-9) {
      stretch.gain = gain;
      stretch.cut = v + 1;
    }
  }
  return stretch;
}

std::vector<double> class_shares(const CutStretch& part, std::span<const double> counts, size_t classes) {
  std::vector<double> shares(classes, 0);
  for (size_t v = part.first; v < part.end; ++v) {
    for (size_t c = 0; c < classes; ++c) shares[c] += counts[v * classes + c];
  }
  const double all = sum_of(shares);
  for (double& share : shares) share /= all > 0 ? all : 1;
  return shares;
}

double log_loss(const Classifier& classifier, const Dataset& data) {
  std::vector<double> chances(data.classes.size());
  double sum = 0;
  for (size_t row = 0; row < data.rows; ++row) {
    classifier.distribution(data, row, chances);
    sum -= data.weights[row] * std::log(std::max(chances[data.class_of[row]], kLeastChanceAsked));
  }
  return sum / data.total_weight();
}

// At most `most` of them, evenly.
std::vector<uint32_t> thinned(const std::vector<uint32_t>& rows, size_t most) {
  if (rows.size() <= most) return rows;
  std::vector<uint32_t> kept;
  for (size_t i = 0; i < most; ++i) kept.push_back(rows[i * rows.size() / most]);
  return kept;
}

// What a model taught by `taught` loses on `asked` when each column is shuffled there, added to `losses`: the mean of
// `rounds` shuffles, times the weight of what was asked.
struct Lesson {
  std::vector<uint32_t> taught, asked;
  size_t rounds = 1;
};
void add_losses(const Dataset& data, const Lesson& lesson, SeededRandom& random, std::vector<double>& losses,
                Progress& progress) {
  const auto model = train("boosted", data.subset(thinned(lesson.taught, kMostTrained)), {}, progress);
  Dataset test = data.subset(thinned(lesson.asked, kMostAsked));
  const double before = log_loss(*model, test);
  for (size_t j = 0; j < losses.size(); ++j) {
    std::vector<uint32_t>& codes = test.attributes[j].codes;
    const std::vector<uint32_t> kept = codes;
    for (size_t round = 0; round < lesson.rounds; ++round) {
      progress.check();
      for (size_t i = codes.size(); i > 1; --i) std::swap(codes[i - 1], codes[random.below(i)]);
      losses[j] += (log_loss(*model, test) - before) * test.total_weight() / static_cast<double>(lesson.rounds);
    }
    codes = kept;
  }
}

// What the model loses without each column; mean 1. Every row is asked once: where rows are few, a third of them says
// little about a column.
std::vector<double> permutation_weights(const Dataset& data, uint64_t seed, Progress& progress) {
  const size_t columns = data.attributes.size(), third = data.rows / 3;
  SeededRandom random(seed);
  std::vector<uint32_t> order(data.rows);
  std::iota(order.begin(), order.end(), 0U);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::vector<double> weights(columns, 0);
  const bool can_teach = third > 0 && data.classes.size() > 1;
  for (size_t part = 0; part < 3 && can_teach && !progress.out_of_time(); ++part) {
    Lesson lesson{{}, {}, std::clamp<size_t>(kMostAsked / third, 1, kMostShuffles)};
    for (size_t i = 0; i < order.size(); ++i) (i / third == part ? lesson.asked : lesson.taught).push_back(order[i]);
    add_losses(data, lesson, random, weights, progress);
  }
  for (double& weight : weights) weight = std::max(0.0, weight);
  const double mean = sum_of(weights) / static_cast<double>(columns);
  for (double& weight : weights) weight = mean > 0 ? std::max(kLeastWeight, weight / mean) : 1;
  return weights;
}

}  // namespace

std::vector<double> class_positions(std::span<const double> counts, size_t classes, double least) {
  const size_t values = counts.size() / classes;
  std::vector<CutStretch> parts{with_cut(0, values, counts, classes, least)};
  while (parts.size() < kMostParts) {
    const auto best = std::max_element(parts.begin(), parts.end(),
                                       [](const CutStretch& a, const CutStretch& b) { return a.gain < b.gain; });
    if (best->cut == 0) break;
    const CutStretch left = with_cut(best->first, best->cut, counts, classes, least),
                     right = with_cut(best->cut, best->end, counts, classes, least);
    *best = left;
    parts.insert(best + 1, right);
  }
  std::vector<double> apart(parts.size(), 0);  // of the first part
  for (size_t p = 1; p < parts.size(); ++p) {
    const auto before = class_shares(parts[p - 1], counts, classes), here = class_shares(parts[p], counts, classes);
    double variation = 0;
    for (size_t c = 0; c < classes; ++c) variation += std::abs(before[c] - here[c]) / 2;
    apart[p] = apart[p - 1] + variation;
  }
  const double widest = apart.back(), all = sum_of(counts);
  std::vector<double> positions;
  double before = 0;
  for (size_t p = 0; p < parts.size(); ++p) {
    for (size_t v = parts[p].first; v < parts[p].end; ++v) {
      const double rows = sum_of(counts.subspan(v * classes, classes));
      const double rank = all > 0 ? (before + rows / 2) / all : 0;
      before += rows;
      positions.push_back((widest > 0 ? apart[p] / widest : 0) + kRankShare * rank);
    }
  }
  if (positions.empty()) return positions;
  const double first = positions.front(), extent = positions.back() - first;
  for (double& position : positions) position = extent > 0 ? (position - first) / extent : 0;
  return positions;
}

std::vector<IntervalCost> learning_prices(const Problem& problem, const std::vector<size_t>& columns,
                                          Progress& progress) {
  const Tuples tuples = tuples_with_target(problem, columns);
  const std::vector<double> weights =
      permutation_weights(quasi_dataset(problem, tuples, columns), problem.seed, progress);
  const size_t classes = problem.table.target->values.size();
  const double least = std::max(static_cast<double>(problem.requirements.front().k),
                                kLeastShareOfRows * static_cast<double>(problem.table.rows));
  std::vector<IntervalCost> prices;
  for (size_t i = 0; i < columns.size(); ++i) {
    const Hierarchy& hierarchy = problem.hierarchies[columns[i]];
    const double weight = problem.weights[columns[i]] * weights[i];
    if (!hierarchy.releases_ranges()) {
      prices.emplace_back(hierarchy, weight);
      continue;
    }
    std::vector<double> counts(hierarchy.leaves() * classes, 0);
    for (size_t t = 0; t < tuples.size(); ++t) {
      counts[tuples.columns[i][t] * classes + tuples.columns.back()[t]] += tuples.counts[t];
    }
    // The missing leaf is the last one, and no number.
    const bool missing = hierarchy.missing() == hierarchy.leaves() - 1;
    if (missing) counts.resize(counts.size() - classes);
    std::vector<double> positions = class_positions(counts, classes, least);
    if (missing) positions.push_back(IntervalCost::kBeyond);
    prices.emplace_back(std::move(positions), weight);
  }
  return prices;
}

}  // namespace shoal
