// Methods compared over many sets.
#include <algorithm>
#include <map>

#include "shoal/evaluate/evaluate.h"

namespace shoal {

std::optional<Comparison> compare(const std::vector<Evaluation>& evaluations) {
  Comparison comparison;
  // Sets in order of appearance, each with the errors of its methods.
  std::vector<std::map<std::string, double>> sets;
  for (const Evaluation& evaluation : evaluations) {
    std::map<std::pair<uint64_t, std::string>, size_t> set_of;
    for (const EvaluationCell& cell : evaluation.cells) {
      const auto [place, fresh] = set_of.emplace(std::pair(cell.k, cell.learner), sets.size());
      if (fresh) sets.emplace_back();
      sets[place->second][cell.method] = cell.anonymized.error;
      auto& methods = comparison.methods;
      if (std::find(methods.begin(), methods.end(), cell.method) == methods.end()) methods.push_back(cell.method);
    }
  }
  // A method that has no error in some set (a tree of its own, say, where other learners are compared) is left out.
  std::erase_if(comparison.methods, [&](const std::string& method) {
    return std::any_of(sets.begin(), sets.end(), [&](const auto& set) { return !set.contains(method); });
  });
  std::vector<std::vector<double>> errors;
  for (const auto& set : sets) {
    errors.emplace_back();
    for (const std::string& method : comparison.methods) errors.back().push_back(set.at(method));
  }
  if (errors.size() < 2 || comparison.methods.size() < 2) return std::nullopt;
  comparison.sets = errors.size();
  for (size_t m = 0; m < comparison.methods.size(); ++m) {
    double sum = 0;
    for (const auto& set : errors) sum += set[m];
    comparison.mean_errors.push_back(sum / static_cast<double>(errors.size()));
  }
  comparison.friedman = friedman_test(errors);
  comparison.distance = bonferroni_dunn_distance(comparison.methods.size(), comparison.sets);
  return comparison;
}

}  // namespace shoal
