// Which of the methods compared to take: a rule that can be said in three sentences.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "shoal/examine/compare_methods.h"

namespace shoal {
namespace {

std::string in_percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

bool is_candidate(const ComparedRun& run) { return run.done() && run.shape != Shape::model; }

const MethodError* error_of(const ComparedRun& run, const std::vector<MethodError>& errors) {
  for (const MethodError& error : errors) {
    if (error.method == run.method && run.k == error.k) return &error;
  }
  return nullptr;
}

// The runs with the k that the rule chooses.
std::vector<size_t> of_chosen_k(const MethodComparison& comparison, double acceptable_risk, std::string& reason) {
  std::map<uint64_t, double> highest;  // by k: over all methods, so that whichever is taken keeps it
  for (const ComparedRun& run : comparison.runs) {
    if (is_candidate(run) && run.k) highest[*run.k] = std::max(highest[*run.k], run.highest_risk());
  }
  std::optional<uint64_t> smallest, largest;
  for (const auto& [k, risk] : highest) {
    if (!smallest && risk <= acceptable_risk) smallest = k;
    largest = k;
  }
  const bool several = highest.size() > 1;
  const std::optional<uint64_t> chosen = smallest ? smallest : largest;
  if (several && smallest) {
    reason =
        fmt::format("k={} is the smallest k compared with which all methods keep the highest risk at {:.0f} % or below",
                    *chosen, 100 * acceptable_risk);
  } else if (several) {
    reason = fmt::format(
        "with no k compared all methods keep the highest risk at {:.0f} % or below, and k={} is the largest",
        100 * acceptable_risk, *chosen);
  }
  std::vector<size_t> runs;
  for (size_t i = 0; i < comparison.runs.size(); ++i) {
    if (is_candidate(comparison.runs[i]) && comparison.runs[i].k == chosen) runs.push_back(i);
  }
  return runs;
}

// Those that learners can tell apart from the best by nothing but chance.
std::vector<size_t> of_least_error(const MethodComparison& comparison, const std::vector<MethodError>& errors,
                                   const std::vector<size_t>& runs, std::string& reason) {
  const MethodError* least = nullptr;
  for (size_t i : runs) {
    const MethodError* error = error_of(comparison.runs[i], errors);
    if (error && (!least || error->error < least->error)) least = error;
  }
  if (!least) return runs;
  std::vector<size_t> kept;
  for (size_t i : runs) {
    const MethodError* error = error_of(comparison.runs[i], errors);
    if (error && error->error <= least->error + least->margin) kept.push_back(i);
  }
  if (kept.size() < runs.size()) {
    reason = fmt::format("learners err least with {} ({}, ± {}), and {} of {} methods within that margin remain",
                         least->method, in_percent(least->error), in_percent(least->margin), kept.size(), runs.size());
  } else {
    reason = fmt::format("learners err alike with all methods, within ± {}", in_percent(least->margin));
  }
  return kept;
}

}  // namespace

std::optional<Recommendation> recommend(const MethodComparison& comparison, const std::vector<MethodError>& errors,
                                        double acceptable_risk) {
  std::string of_k, of_learners;
  std::vector<size_t> runs = of_chosen_k(comparison, acceptable_risk, of_k);
  if (runs.empty()) return std::nullopt;
  if (!errors.empty()) runs = of_least_error(comparison, errors, runs, of_learners);
  std::stable_sort(runs.begin(), runs.end(), [&](size_t a, size_t b) {
    return comparison.runs[a].measures.gcp < comparison.runs[b].measures.gcp;
  });
  const ComparedRun& best = comparison.runs[runs.front()];
  std::string of_loss =
      fmt::format("{} {} (GCP {})", best.method, runs.size() == 1 ? "is the only method left" : "loses least",
                  in_percent(best.measures.gcp));
  if (runs.size() > 1) {
    const ComparedRun& next = comparison.runs[runs[1]];
    of_loss += fmt::format(", next is {} ({})", next.method, in_percent(next.measures.gcp));
  }
  std::string reason;
  for (const std::string& part : {of_k, of_learners, of_loss}) {
    if (!part.empty()) reason += (reason.empty() ? "" : "; ") + part;
  }
  return Recommendation{runs.front(), reason};
}

}  // namespace shoal
