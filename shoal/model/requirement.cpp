#include "shoal/model/requirement.h"

#include <algorithm>
#include <iterator>

namespace shoal {
namespace {

// Of persons a larger k implies a smaller one; other models imply themselves.
bool implied_by(const ModelSpec& model, const std::vector<ModelSpec>& others) {
  return std::any_of(others.begin(), others.end(), [&](const ModelSpec& other) {
    if (model.kind != ModelKind::persons || other.kind != ModelKind::persons) return other == model;
    return other.column == model.column && !below(other.k, model.k);
  });
}

void add_model(std::vector<ModelSpec>& models, const ModelSpec& model) {
  if (implied_by(model, models)) return;
  std::erase_if(models, [&](const ModelSpec& other) { return implied_by(other, {model}); });
  models.push_back(model);
}

}  // namespace

std::vector<Requirement> without_implied(std::vector<Requirement> requirements) {
  auto implies = [](const Requirement& a, const Requirement& b) {  // a implies b
    return a.k >= b.k && std::includes(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end()) &&
           std::all_of(b.models.begin(), b.models.end(),
                       [&](const ModelSpec& model) { return implied_by(model, a.models); });
  };
  std::vector<Requirement> kept;
  for (size_t i = 0; i < requirements.size(); ++i) {
    bool implied = false;
    for (size_t j = 0; j < requirements.size() && !implied; ++j) {
      if (i == j || !implies(requirements[j], requirements[i])) continue;
      implied = !implies(requirements[i], requirements[j]) || j < i;  // of two equal ones the first stays
    }
    if (!implied) kept.push_back(requirements[i]);
  }
  return kept;
}

Requirement united(const std::vector<Requirement>& requirements) {
  Requirement all;
  for (const Requirement& requirement : requirements) {
    std::vector<size_t> columns;
    std::set_union(all.columns.begin(), all.columns.end(), requirement.columns.begin(), requirement.columns.end(),
                   std::back_inserter(columns));
    all.columns = std::move(columns);
    all.k = std::max(all.k, requirement.k);
    for (const ModelSpec& model : requirement.models) add_model(all.models, model);
  }
  return all;
}

}  // namespace shoal
