#include "shoal/job/requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/error.h"
#include "shoal/method/method.h"
#include "shoal/model/lkc.h"

namespace shoal {
namespace {

std::vector<std::string> names_with(const Job& job, Role role) {
  std::vector<std::string> names;
  for (const ColumnJob& column : job.columns) {
    if (column.role == role) names.push_back(column.name);
  }
  return names;
}

std::vector<size_t> indices(const std::vector<std::string>& names, const std::vector<std::string>& quasi) {
  std::vector<size_t> columns;
  for (const std::string& name : names) {
    const auto found = std::find(quasi.begin(), quasi.end(), name);
    if (found == quasi.end()) {
      throw Error(
          ErrorKind::job,
          fmt::format("the requirement on '{}' names a column that is not quasi; give it the role quasi", name));
    }
    columns.push_back(static_cast<size_t>(found - quasi.begin()));
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

// The requirements that an lkc model over these columns stands for.
void add_lkc(const ModelSpec& lkc, const std::vector<size_t>& columns, std::vector<Requirement>& requirements) {
  LkcParts parts = expand_lkc(lkc, columns.size());
  for (Requirement& part : parts.requirements) {
    for (size_t& column : part.columns) column = columns[column];
    part.models = {parts.confidence};
    requirements.push_back(std::move(part));
  }
}

// In place of a requirement on more columns: one for every `most` of them, in order. What holds for these holds for
// fewer columns, too, since no model has closure N.
void add_combinations(const Requirement& requirement, size_t most, std::vector<Requirement>& requirements) {
  constexpr size_t kMost = 10'000;
  std::vector<size_t> chosen(most);
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  while (true) {
    if (requirements.size() >= kMost) {
      throw Error(
          ErrorKind::job,
          fmt::format("combinations of {} out of {} columns are more than {} requirements; check fewer together", most,
                      requirement.columns.size(), kMost),
          Advice{Setting::parameter, "combinations"});
    }
    Requirement part = requirement;
    part.columns.clear();
    for (size_t place : chosen) part.columns.push_back(requirement.columns[place]);
    const bool known = std::any_of(requirements.begin(), requirements.end(), [&](const Requirement& other) {
      return other.columns == part.columns && other.k == part.k && other.models == part.models;
    });
    if (!known) requirements.push_back(std::move(part));
    // The next choice in order: the last column that can move up does, those behind it follow closely.
    size_t place = most;
    while (place > 0 && chosen[place - 1] == requirement.columns.size() - most + place - 1) --place;
    if (place == 0) return;
    ++chosen[place - 1];
    for (size_t i = place; i < most; ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

}  // namespace

std::optional<CheckedCombinations> checked_combinations(const Job& job) {
  const MethodEntry* method = find_method(job.method);
  if (method == nullptr) return std::nullopt;
  for (const Parameter& parameter : method->parameters) {
    if (parameter.name != "combinations") continue;
    const auto stated = job.params.find(parameter.name);
    const std::string& text = stated == job.params.end() ? parameter.default_value : stated->second;
    const auto choice = std::find(parameter.choices.begin(), parameter.choices.end(), text);
    if (choice == parameter.choices.end()) return std::nullopt;  // not a choice: job_check.cpp says so
    return CheckedCombinations{std::stoul(text), stated != job.params.end()};
  }
  return std::nullopt;
}

std::vector<std::string> quasi_names(const Job& job) { return names_with(job, Role::quasi); }
std::vector<std::string> sensitive_names(const Job& job) { return names_with(job, Role::sensitive); }

const ColumnJob* person_column(const Job& job) {
  for (const ColumnJob& column : job.columns) {
    if (column.role == Role::person) return &column;
  }
  return nullptr;
}

bool of_population(const ModelSpec& model) {
  return model.kind == ModelKind::k_map || model.kind == ModelKind::delta_presence;
}

bool compares_with_whole(const ModelSpec& model) {
  return model.kind == ModelKind::t_closeness || model.kind == ModelKind::delta_disclosure ||
         model.kind == ModelKind::beta_likeness;
}

std::vector<ModelSpec> all_models(const Job& job) {
  std::vector<ModelSpec> models = job.models;
  for (const RequirementJob& requirement : job.requirements) {
    models.insert(models.end(), requirement.models.begin(), requirement.models.end());
  }
  return models;
}

std::vector<Requirement> requirements_of(const Job& job, const std::vector<std::string>& quasi) {
  std::vector<Requirement> requirements, by_lkc;
  std::vector<size_t> all;
  for (size_t j = 0; j < quasi.size(); ++j) all.push_back(j);
  if (job.k) requirements.push_back({all, *job.k});
  for (const RequirementJob& asked : job.requirements) {
    Requirement requirement{indices(asked.columns, quasi), asked.k};
    for (const ModelSpec& model : asked.models) {
      if (model.kind == ModelKind::lkc) {
        add_lkc(model, requirement.columns, by_lkc);
      } else {
        requirement.models.push_back(model);
      }
    }
    requirements.push_back(std::move(requirement));
  }
  for (const ModelSpec& model : job.models) {
    if (model.kind == ModelKind::lkc) add_lkc(model, all, by_lkc);
  }
  requirements.insert(requirements.end(), by_lkc.begin(), by_lkc.end());
  const ColumnJob* person = person_column(job);
  for (Requirement& requirement : requirements) {
    for (const ModelSpec& model : job.models) {
      if (model.kind != ModelKind::lkc) requirement.models.push_back(model);
    }
    if (person == nullptr) continue;
    ModelSpec persons;
    persons.kind = ModelKind::persons;
    persons.column = person->name;
    persons.k = {requirement.k, 1};
    requirement.models.push_back(std::move(persons));
  }
  const auto checked = checked_combinations(job);
  if (!checked || !checked->stated) return requirements;
  std::vector<Requirement> combinations;
  for (Requirement& requirement : requirements) {
    if (requirement.columns.size() <= checked->columns) {
      combinations.push_back(std::move(requirement));
    } else {
      add_combinations(requirement, checked->columns, combinations);
    }
  }
  return combinations;
}

}  // namespace shoal
