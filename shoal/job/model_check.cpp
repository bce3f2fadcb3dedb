#include "shoal/job/model_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shoal/error.h"
#include "shoal/job/requirements.h"
#include "shoal/method/method.h"
#include "shoal/method/search.h"
#include "shoal/nearest_word.h"

namespace shoal {
namespace {

[[noreturn]] void wrong_model(const std::string& message) { throw Error(ErrorKind::job, message); }

void check_column_of(const Job& job, const ModelSpec& model) {
  const Role wanted = model.kind == ModelKind::persons ? Role::person : Role::sensitive;
  const ColumnJob* column = job.find_column(model.column);
  if (column != nullptr && column->role == wanted) return;
  std::vector<std::string> known;
  for (const ColumnJob& other : job.columns) {
    if (other.role == wanted) known.push_back(other.name);
  }
  const std::string near = column == nullptr ? did_you_mean(model.column, known) : "";
  wrong_model(fmt::format("model {}: the role of column '{}' is {}, and the model is about {} columns; {}",
                          model_text(model), model.column, to_string(column == nullptr ? Role::none : column->role),
                          to_string(wanted),
                          near.empty() ? fmt::format("give it the role {}", to_string(wanted)) : near.substr(2)));
}

void check_one(const Job& job, const ModelSpec& model) {
  check_model(model);
  if (!model_entry(model.kind).has_column) return;
  check_column_of(job, model);
  const ColumnJob& column = *job.find_column(model.column);
  if (model.distance == Distance::ordered && column.type == ColumnType::categorical && column.order.empty()) {
    wrong_model(
        fmt::format("model {}: column '{}' is categorical and has no order; state it (order: [low, middle, high]), "
                    "make the column numeric, or use distance equal or hierarchical",
                    model_text(model), column.name));
  }
  if (model.joint && sensitive_names(job).size() < 2) {
    wrong_model(
        fmt::format("model {} is joint, and '{}' is the only sensitive column; joint models are for attackers who "
                    "know the other sensitive columns",
                    model_text(model), model.column));
  }
}

}  // namespace

std::string stated_role(const ColumnJob& column) {
  return column.role == Role::none ? "it has no role (is its name right?)" : "its role is " + to_string(column.role);
}

void check_order(const ColumnJob& column) {
  if (column.order.empty()) return;
  const bool ordinal = column.role == Role::quasi && column.type == ColumnType::ordinal;
  if (column.role != Role::sensitive && !ordinal) {
    wrong_model(
        fmt::format("column '{}' has an order but {}; an order is for quasi columns of type ordinal and "
                    "for models of sensitive columns",
                    column.name, stated_role(column)));
  }
  if (column.type == ColumnType::numeric) {
    wrong_model(fmt::format("column '{}' is numeric and has a stated order; keep one", column.name));
  }
  for (size_t i = 0; i < column.order.size(); ++i) {
    if (std::count(column.order.begin(), column.order.end(), column.order[i]) > 1) {
      wrong_model(fmt::format("the order of column '{}' names '{}' twice", column.name, column.order[i]));
    }
  }
}

void check_models(const Job& job) {
  for (const ModelSpec& model : all_models(job)) check_one(job, model);
  requirements_of(job, quasi_names(job));  // lkc over too many columns
}

namespace {

bool keeps(const MethodEntry& method, const ModelSpec& model) {
  return model.kind == ModelKind::k_map ? population_use(method) != PopulationUse::none
                                        : population_use(method) == PopulationUse::in_search;
}

// What a method cannot do with a model of the population, and what cannot be asked of any.
void check_population(const Job& job, const ModelSpec& model, const MethodEntry& method,
                      std::span<const MethodEntry> methods) {
  if (!keeps(method, model)) {
    std::vector<std::string> able;
    for (const MethodEntry& other : methods) {
      if (keeps(other, model)) able.push_back(other.name);
    }
    const std::string why = !method.cannot_obey.empty() ? method.cannot_obey
                            : population_use(method) == PopulationUse::none
                                ? "counts the rows of the table alone"
                                : "releases groups that may overlap, so that somebody who fits several would be "
                                  "counted in each of them";
    wrong_model(fmt::format("method {} cannot obey the model {}: it {}; methods that can: {}", method.name,
                            model_text(model), why, able.empty() ? "none" : fmt::format("{}", fmt::join(able, ", "))));
  }
  if (model.lowest.numerator > 0) {
    wrong_model(
        fmt::format("no method searches by the least share of {}: a more general release also takes in people where "
                    "the table has no row; set min to 0, and have the least share measured on the release",
                    model_text(model)));
  }
  if (job.suppress_rows.value_or(0) > 0) {
    wrong_model(fmt::format("rows cannot be dropped beside the model {}; leave suppress_rows out", model_text(model)));
  }
  const bool one = job.unite || requirements_of(job, quasi_names(job)).size() == 1;
  if (population_use(method) == PopulationUse::by_merging && !one) {
    wrong_model(
        fmt::format("method {} obeys the model {} for one requirement alone; keep one, set union: true, or choose a "
                    "method of levels or cuts",
                    method.name, model_text(model)));
  }
}

}  // namespace

void check_obedience(const Job& job, const MethodEntry& method, std::span<const MethodEntry> methods) {
  for (const Requirement& requirement : requirements_of(job, quasi_names(job))) {
    for (const ModelSpec& model : requirement.models) {
      if (model.kind == ModelKind::average_risk) continue;  // a k that makes it hold does for every method
      if (of_population(model)) {
        check_population(job, model, method, methods);
        continue;
      }
      if (method.obeys_models) continue;
      std::vector<std::string> able;
      for (const MethodEntry& other : methods) {
        if (other.obeys_models) able.push_back(other.name);
      }
      const bool persons = model.kind == ModelKind::persons;
      const std::string what = persons ? "count persons" : "obey the model " + model_text(model);
      wrong_model(fmt::format("method {} cannot {}{}; methods that can: {}", method.name, what,
                              method.cannot_obey.empty() ? "" : fmt::format(": it {}", method.cannot_obey),
                              able.empty() ? "none" : fmt::format("{}", fmt::join(able, ", "))));
    }
  }
}

}  // namespace shoal
