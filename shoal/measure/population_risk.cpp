#include "shoal/measure/population_risk.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace shoal {
namespace {

// Sizes and how many groups have them; all that the models look at.
struct SizeCounts {
  std::map<uint32_t, double> groups_of_size;
  double rows = 0, groups = 0;

  explicit SizeCounts(std::span<const uint32_t> sizes) {
    for (const uint32_t size : sizes) {
      ++groups_of_size[size];
      rows += size;
      ++groups;
    }
  }
  double uniques() const { return groups_of_size.contains(1) ? groups_of_size.at(1) : 0; }
};

// ---- Zayatz ----

// ln of the chance that a sample of n of N people has exactly one of a group of `size`: hypergeometric.
double log_one_of(double size, double n, double people) {
  const auto choose = [](double a, double b) {
    return std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1);
  };
  if (people - size < n - 1) return -INFINITY;
  return std::log(size) + choose(people - size, n - 1) - choose(people, n);
}

// Bayes: a sample unique is a population unique with the chance P(F=1 | f=1), and a share n/N of these is in the
// sample.
std::optional<double> zayatz(const SizeCounts& sample, double people) {
  if (sample.uniques() == 0) return 0;
  double sum = 0;
  for (const auto& [size, groups] : sample.groups_of_size) {
    sum += groups / sample.groups * std::exp(log_one_of(size, sample.rows, people));
  }
  const double fraction = sample.rows / people;
  const double unique_given_one = fraction * sample.uniques() / sample.groups / sum;
  return std::min(1.0, unique_given_one) * sample.uniques() / fraction;
}

// ---- Pitman ----

// Log-likelihood of Pitman's sampling formula, 0 < alpha < 1, theta > 0 (Hoshino 2001), without what is constant.
double pitman_likelihood(const SizeCounts& sample, double theta, double alpha) {
  double sum = (sample.groups - 1) * std::log(alpha) + std::lgamma(theta / alpha + sample.groups) -
               std::lgamma(theta / alpha + 1) - std::lgamma(theta + sample.rows) + std::lgamma(theta + 1);
  for (const auto& [size, groups] : sample.groups_of_size) {
    sum += groups * (std::lgamma(size - alpha) - std::lgamma(1 - alpha));
  }
  return sum;
}

// The place of the largest value between low and high, of a function with one peak.
template <class Function>
double peak(double low, double high, Function value) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = high - golden * (high - low), b = low + golden * (high - low), at_a = value(a), at_b = value(b);
  for (int step = 0; step < 80; ++step) {
    if (at_a < at_b) {
      low = a, a = b, at_a = at_b;
      at_b = value(b = low + golden * (high - low));
    } else {
      high = b, b = a, at_b = at_a;
      at_a = value(a = high - golden * (high - low));
    }
  }
  return (low + high) / 2;
}

std::optional<double> pitman(const SizeCounts& sample, double people) {
  if (sample.groups < 2 || sample.groups == sample.rows) return std::nullopt;  // nothing to learn parameters from
  constexpr double kLeast = 1e-6, kLowLog = -10, kHighLog = 25;
  const auto best_theta = [&](double alpha) {
    return std::exp(peak(kLowLog, kHighLog,
                         [&](double log_theta) { return pitman_likelihood(sample, std::exp(log_theta), alpha); }));
  };
  const double alpha = peak(kLeast, 1 - kLeast, [&](double a) { return pitman_likelihood(sample, best_theta(a), a); });
  const double theta = best_theta(alpha);
  if (theta > std::exp(kHighLog - 0.1)) return std::nullopt;  // the likelihood grows without end
  const double uniques = std::exp(std::lgamma(theta + 1) - std::lgamma(theta + alpha) + alpha * std::log(people));
  return std::min(uniques, people);
}

// ---- slide negative binomial ----

// Group sizes F with F - 1 negative binomial: P(F = j) = Γ(α+j-1) / (Γ(α)·(j-1)!) · β^α·(1-β)^(j-1). With its
// generating function G a sample that takes each person with chance π has K·(1 - G(1-π)) groups and K·π·G'(1-π)
// uniques.
struct SlideNegativeBinomial {
  double alpha, beta;
  double mean() const { return 1 + alpha * (1 - beta) / beta; }
  double generating(double s) const { return s * std::pow(beta / (1 - (1 - beta) * s), alpha); }
  double slope(double s) const { return generating(s) / s * (1 + alpha * (1 - beta) * s / (1 - (1 - beta) * s)); }
  double groups_per_person(double pi) const { return (1 - generating(1 - pi)) / mean(); }
  double uniques_per_person(double pi) const { return pi * slope(1 - pi) / mean(); }
};

std::optional<double> snb(const SizeCounts& sample, double people) {
  const double pi = sample.rows / people;
  if (pi >= 1) return sample.uniques();
  const double groups = sample.groups / people, uniques = sample.uniques() / people;
  // Larger alpha, larger groups, fewer of them: alpha for a given beta by halving.
  const auto fitted = [&](double beta) -> std::optional<SlideNegativeBinomial> {
    double low = -30, high = 30;
    if (SlideNegativeBinomial{std::exp(low), beta}.groups_per_person(pi) < groups ||
        SlideNegativeBinomial{std::exp(high), beta}.groups_per_person(pi) > groups) {
      return std::nullopt;
    }
    for (int step = 0; step < 100; ++step) {
      const double middle = (low + high) / 2;
      (SlideNegativeBinomial{std::exp(middle), beta}.groups_per_person(pi) > groups ? low : high) = middle;
    }
    return SlideNegativeBinomial{std::exp((low + high) / 2), beta};
  };
  // Then the first beta at which the uniques fit as well, looked for on a grid and refined by halving.
  const auto error = [&](double log_beta) -> std::optional<double> {
    const auto model = fitted(std::exp(log_beta));
    if (!model) return std::nullopt;
    return model->uniques_per_person(pi) - uniques;
  };
  constexpr double kLowLog = -12, kHighLog = -1e-4;
  constexpr int kSteps = 400;
  std::optional<double> before;
  for (int step = 0; step <= kSteps; ++step) {
    double high = kLowLog + (kHighLog - kLowLog) * step / kSteps;
    const std::optional<double> now = error(high);
    if (now && before && (*now > 0) != (*before > 0)) {
      double low = high - (kHighLog - kLowLog) / kSteps;
      for (int half = 0; half < 60; ++half) {
        const double middle = (low + high) / 2;
        const auto at = error(middle);
        if (!at) break;
        ((*at > 0) == (*before > 0) ? low : high) = middle;
      }
      const auto model = fitted(std::exp((low + high) / 2));
      if (!model) return std::nullopt;
      return people / model->mean() * std::pow(model->beta, model->alpha);
    }
    before = now;
  }
  return std::nullopt;
}

}  // namespace

double individual_risk(uint64_t f, double people) {
  const double p = std::min(1.0, static_cast<double>(f) / people);
  if (p > 1 - 1e-9) return 1.0 / static_cast<double>(f);
  const double odds = p / (1 - p);
  if (f == 1) return odds * std::log(1 / p);
  if (f == 2) return odds - odds * odds * std::log(1 / p);
  return p / (static_cast<double>(f) - (1 - p));
}

std::string to_string(UniquesModel model) {
  return model == UniquesModel::zayatz ? "Zayatz" : model == UniquesModel::pitman ? "Pitman" : "SNB";
}

PopulationUniques population_uniques(std::span<const uint32_t> group_sizes, uint64_t people) {
  const SizeCounts sample(group_sizes);
  const auto all = static_cast<double>(people);
  PopulationUniques result;
  if (sample.rows >= all) {  // the sample is the population
    result.zayatz = result.pitman = result.snb = sample.uniques();
    result.people = sample.uniques();
    return result;
  }
  result.zayatz = zayatz(sample, all);
  result.pitman = pitman(sample, all);
  result.snb = snb(sample, all);
  result.people = *result.zayatz;
  if (sample.rows / all <= 0.1) {
    if (result.pitman) result.chosen = UniquesModel::pitman, result.people = *result.pitman;
  } else if (result.snb && *result.snb < *result.zayatz) {
    result.chosen = UniquesModel::snb, result.people = *result.snb;
  }
  return result;
}

PopulationRisk population_risk(std::span<const uint32_t> group_sizes, std::span<const double> people_of_group) {
  PopulationRisk risk;
  double rows = 0;
  for (size_t g = 0; g < group_sizes.size(); ++g) {
    const double here = std::max<double>(group_sizes[g], people_of_group[g]);
    const double of_row = individual_risk(group_sizes[g], here);
    risk.people += here;
    rows += group_sizes[g];
    risk.smallest_group = g == 0 ? here : std::min(risk.smallest_group, here);
    risk.risk_max = std::max(risk.risk_max, of_row);
    risk.risk_sum += of_row * group_sizes[g];
  }
  if (group_sizes.empty()) return risk;
  risk.sampling_fraction = rows / risk.people;
  risk.uniques = population_uniques(group_sizes, static_cast<uint64_t>(std::llround(risk.people)));
  return risk;
}

}  // namespace shoal
