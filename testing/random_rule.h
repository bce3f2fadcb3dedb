// Random privacy models for random tables, and whether a release keeps them, by plain recounts (model_oracle.h).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "shoal/method/method.h"
#include "shoal/model/group_rule.h"
#include "testing/model_oracle.h"
#include "testing/random_problem.h"

namespace shoal::testing {

// A sensitive column and models that the whole table, as one group, satisfies.
struct RandomModels {
  std::unique_ptr<Scene> scene;
  std::shared_ptr<const CountedColumn> counted;
  std::vector<ModelSpec> specs;

  size_t rows() const { return counted->codes.size(); }
  // A rule of k rows and all of the models.
  std::shared_ptr<const GroupRule> rule(uint64_t k) const {
    std::vector<CountedModel> models;
    for (const ModelSpec& spec : specs) models.push_back({make_model(spec, scene->column), counted});
    return std::make_shared<const GroupRule>(k, std::move(models));
  }
};

// One or two models of these kinds, on a column of about `rows` rows: a table for them must have rows() of them.
inline RandomModels random_models(std::span<const ModelKind> kinds, size_t rows, std::mt19937_64& random) {
  RandomModels result;
  const size_t values = 1 + random() % 5;
  result.scene = random_scene(random, values, static_cast<int64_t>(std::max<size_t>(1, 2 * rows / values)));
  CountedColumn counted{static_cast<uint32_t>(result.scene->whole.size()), {}};
  for (uint32_t v = 0; v < counted.values; ++v) {
    counted.codes.insert(counted.codes.end(), static_cast<size_t>(result.scene->whole[v]), v);
  }
  for (size_t i = counted.codes.size(); i > 1; --i) std::swap(counted.codes[i - 1], counted.codes[random() % i]);
  result.counted = std::make_shared<const CountedColumn>(std::move(counted));
  for (size_t wanted = 1 + random() % 2, tries = 0; result.specs.size() < wanted && tries < 50; ++tries) {
    const ModelSpec spec = random_spec(kinds[random() % kinds.size()], *result.scene, random);
    if (make_model(spec, result.scene->column)->holds(histogram({counted.values, nullptr}, result.scene->whole))) {
      result.specs.push_back(spec);
    }
  }
  return result;
}

// Whether every group of the requirement, suppressed rows included, satisfies every model. Plain and slow on purpose.
inline bool models_hold(const ReleasedTable& released, const RandomModels& models, const Requirement& requirement) {
  std::map<std::vector<uint32_t>, Counts> groups;
  size_t next_dropped = 0;
  for (uint32_t row = 0; row < models.rows(); ++row) {
    if (next_dropped < released.dropped_rows.size() && released.dropped_rows[next_dropped] == row) {
      ++next_dropped;
      continue;
    }
    std::vector<uint32_t> tuple;
    for (size_t j : requirement.columns) {
      const Released& cell = released.quasi[j].values[released.quasi[j].codes[row]];
      tuple.insert(tuple.end(), {cell.first, cell.last, uint32_t(cell.kind), cell.number});
    }
    Counts& counts = groups.try_emplace(tuple, models.counted->values).first->second;
    ++counts[models.counted->codes[row]];
  }
  return std::all_of(groups.begin(), groups.end(), [&](const auto& group) {
    return std::all_of(models.specs.begin(), models.specs.end(), [&](const ModelSpec& spec) {
      return plain_holds(spec, *models.scene, group.second) != Answer::no;
    });
  });
}

}  // namespace shoal::testing
