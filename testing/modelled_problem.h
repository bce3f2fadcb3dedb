// Random tables with random models, and requirements of which some ask for these: what methods that obey models are
// tested on. Plain counts say whether a release keeps them.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "shoal/method/method.h"
#include "testing/random_rule.h"

namespace shoal::testing {

// The average risk of a requirement's groups.
inline bool risk_holds(const ReleasedTable& released, size_t rows, const Requirement& requirement,
                       const ModelSpec& spec) {
  std::set<std::vector<uint32_t>> groups;
  for (uint32_t row = 0; row < rows; ++row) {
    if (std::binary_search(released.dropped_rows.begin(), released.dropped_rows.end(), row)) continue;
    std::vector<uint32_t> tuple;
    for (size_t j : requirement.columns) {
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      tuple.insert(tuple.end(), {cell.first, cell.last, uint32_t(cell.kind), cell.number});
    }
    groups.insert(tuple);
  }
  return groups.size() * spec.risk.denominator <= (rows - released.dropped_rows.size()) * spec.risk.numerator;
}

// A table, models that it satisfies as one group, and requirements of which at least one asks for them.
struct Asked {
  RandomModels models;
  RandomTable drawn;
  std::vector<Requirement> requirements;
  std::vector<bool> with_models;  // [requirement]
  std::optional<ModelSpec> risk;  // of the requirements with models
  std::optional<double> suppress_rows;
  Params params;
  uint64_t seed = 1;

  // The table must stay where it is. `with_rules`: else k rows are all that it asks for.
  Problem problem(bool with_rules = true) const {
    Problem problem = drawn.problem(requirements);
    problem.suppress_rows = suppress_rows;
    problem.params = params;
    problem.seed = seed;
    for (size_t i = 0; i < requirements.size() && with_rules; ++i) {
      problem.rules.push_back(rule(requirements[i].k, with_models[i]));
    }
    return problem;
  }

 private:
  std::shared_ptr<const GroupRule> rule(uint64_t k, bool modelled) const {
    std::vector<CountedModel> wanted;
    if (!modelled) return std::make_shared<const GroupRule>(k);
    for (const ModelSpec& spec : models.specs) {
      wanted.push_back({make_model(spec, models.scene->column), models.counted});
    }
    return std::make_shared<const GroupRule>(k, std::move(wanted),
                                             risk ? std::optional(AverageRisk(*risk)) : std::nullopt);
  }
};

struct AskedSettings {
  size_t most_rows = 40;
  size_t max_values = 5;  // distinct values per column
  bool several = true;    // requirements
  bool average_risk = false;
};

inline Asked draw_asked(RandomTables& random, ModelKind kind, const AskedSettings& settings) {
  Asked asked;
  asked.models = random_models(std::span(&kind, 1), random.draw(1, settings.most_rows), random.engine());
  const size_t rows = asked.models.rows();
  asked.drawn = random.table({.rows = rows, .columns = random.draw(1, 3), .max_values = settings.max_values});
  asked.requirements = random.requirements(asked.drawn.table);
  if (!settings.several) asked.requirements.resize(1);
  for (Requirement& requirement : asked.requirements) {
    requirement.k = random.draw(1, std::max<size_t>(1, rows / 5));
    asked.with_models.push_back(random.draw(0, 2) > 0);
  }
  asked.with_models[random.draw(0, asked.requirements.size() - 1)] = true;
  if (settings.average_risk && random.draw(0, 2) == 0) {
    asked.risk.emplace();
    asked.risk->kind = ModelKind::average_risk;
    asked.risk->risk = {random.draw(1, rows), rows};
  }
  return asked;
}

// Whether every requirement holds, with its models, on what is released.
inline bool keeps(const Asked& asked, const ReleasedTable& released) {
  const size_t rows = asked.drawn.table.rows;
  for (size_t i = 0; i < asked.requirements.size(); ++i) {
    const Requirement& requirement = asked.requirements[i];
    if (!holds(released, rows, requirement)) return false;
    if (!asked.with_models[i]) continue;
    if (!models_hold(released, asked.models, requirement)) return false;
    if (asked.risk && !risk_holds(released, rows, requirement, *asked.risk)) return false;
  }
  return true;
}

// Whether these rows, as a group of the requirement, break one of its models.
inline bool breaks(const Asked& asked, size_t requirement, const std::vector<size_t>& rows) {
  if (!asked.with_models[requirement]) return false;
  Counts counts(asked.models.counted->values);
  for (size_t row : rows) ++counts[asked.models.counted->codes[row]];
  return std::any_of(asked.models.specs.begin(), asked.models.specs.end(), [&](const ModelSpec& spec) {
    return plain_holds(spec, *asked.models.scene, counts) == Answer::no;
  });
}

}  // namespace shoal::testing
