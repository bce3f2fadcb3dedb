#include "shoal/encode/problem.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shoal/encode/counted_table.h"
#include "shoal/error.h"
#include "shoal/job/requirements.h"
#include "shoal/model/population_index.h"
#include "shoal/model/possible.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

Requirement unite(const std::vector<Requirement>& requirements, const Table& table, std::vector<std::string>& notices) {
  const size_t asked = without_implied(requirements).size();
  Requirement all = united(requirements);
  if (asked > 1) {
    notices.push_back(
        fmt::format("union: true: the {} requirements of the job are satisfied by k={} on all their columns ({}), "
                    "which is more than was asked",
                    asked, all.k, fmt::join(column_names(all, table), ", ")));
  }
  return all;
}

// For a method that does not count groups: groups of at least 1/risk rows are few enough.
void replace_average_risk(Requirement& requirement, const MethodEntry& method, std::vector<std::string>& notices) {
  for (const ModelSpec& model : requirement.models) {
    if (model.kind != ModelKind::average_risk) continue;
    const uint64_t rows = (model.risk.denominator + model.risk.numerator - 1) / model.risk.numerator;
    if (rows > requirement.k) {
      notices.push_back(fmt::format("method {} keeps {} by k={}, which is more than was asked", method.name,
                                    model_text(model), rows));
    }
    requirement.k = std::max(requirement.k, rows);
  }
  std::erase_if(requirement.models, [](const ModelSpec& model) { return model.kind == ModelKind::average_risk; });
}

}  // namespace

std::vector<std::string> column_names(const Requirement& requirement, const Table& table) {
  std::vector<std::string> names;
  for (size_t j : requirement.columns) names.push_back(table.quasi[j].name);
  return names;
}

namespace {

// The rule with the models of the population that the requirement asks for.
std::shared_ptr<const GroupRule> beside(const Population* population, const Requirement& requirement,
                                        std::shared_ptr<const GroupRule> rule) {
  std::vector<CountedModel> models(rule->models().begin(), rule->models().end());
  std::shared_ptr<const PopulationIndex> people;
  for (const ModelSpec& spec : requirement.models) {
    if (!of_population(spec)) continue;
    if (population == nullptr) throw_no_population(spec);
    if (!people) people = population->on(requirement.columns);
    models.push_back(population_model(spec, people));
  }
  if (!people) return rule;
  return std::make_shared<const GroupRule>(rule->k(), std::move(models), rule->average_risk());
}

// A value that reads like the most general one could not be told from it in the release.
void refuse_stars(const Encoding& encoding) {
  for (const ColumnEncoding& column : encoding.columns) {
    if (std::find(column.leaf_texts.begin(), column.leaf_texts.end(), "*") == column.leaf_texts.end()) continue;
    throw Error(ErrorKind::input,
                fmt::format("the quasi column '{}' has the value '*', which is what a release says where it hides a "
                            "value; list it as `missing` in the job, or write it differently",
                            column.name));
  }
}

Problem problem_of(const Job& job, const MethodEntry& method, const Table& table, const Encoding& encoding,
                   std::vector<std::string>& notices) {
  refuse_stars(encoding);
  std::vector<std::string> quasi;
  for (const Column& column : table.quasi) quasi.push_back(column.name);
  Problem problem{table,    encoding.hierarchies, requirements_of(job, quasi),
                  {},       job.suppress_rows,    complete(job.params, method.parameters),
                  job.seed, job.thread_count()};
  if (job.unite || !method.several_requirements) problem.requirements = {unite(problem.requirements, table, notices)};
  for (const std::string& name : quasi) problem.weights.push_back(job.find_column(name)->weight);
  if (!method.obeys_average_risk) {
    for (Requirement& requirement : problem.requirements) replace_average_risk(requirement, method, notices);
  }
  return problem;
}

void add_rules(Problem& problem, CountedTable counted, const Population* population) {
  const bool rows_only = std::all_of(problem.requirements.begin(), problem.requirements.end(),
                                     [](const Requirement& requirement) { return requirement.models.empty(); });
  if (rows_only) return;
  for (const Requirement& requirement : problem.requirements) {
    problem.rules.push_back(beside(population, requirement, counted.rule(requirement)));
  }
}

}  // namespace

Problem make_problem(const Job& job, const MethodEntry& method, const Table& table, const Encoding& encoding,
                     std::vector<std::string>& notices) {
  Problem problem = problem_of(job, method, table, encoding, notices);
  add_rules(problem, CountedTable(table, encoding), nullptr);
  return problem;
}

Problem make_problem(const Job& job, const MethodEntry& method, const Table& part, const Encoding& encoding,
                     const WholeTable& whole, std::vector<std::string>& notices) {
  Problem problem = problem_of(job, method, part, encoding, notices);
  add_rules(problem, CountedTable(part, encoding, &whole), nullptr);
  return problem;
}

Problem make_problem(const Job& job, const MethodEntry& method, const EncodedTable& encoded,
                     const Population* population, std::vector<std::string>& notices) {
  Problem problem = problem_of(job, method, encoded.table, encoded.encoding, notices);
  add_rules(problem, CountedTable(encoded.table, encoded.encoding), population);
  return problem;
}

void throw_no_population(const ModelSpec& model) {
  throw Error(ErrorKind::job,
              fmt::format("model {} needs a table of the population, and none is named; say which (population: FILE)",
                          model_text(model)));
}

namespace {

std::string impossible_beside(const Population* population, const ModelSpec& model, uint64_t rows) {
  if (population == nullptr) throw_no_population(model);
  const ValueCount count{0, static_cast<uint32_t>(rows)};
  return what_is_possible(model, {}, GroupView::of(std::span(&count, 1)).with_population(population->people())).reason;
}

// Where rows may be dropped, those that stay may have what the whole table has not. Beside a population none is.
bool may_hold_without_some(const ModelSpec& model) {
  const bool any_superset = model_entry(model.kind).closure == Closure::any_superset && !model.joint;
  return !any_superset && !of_population(model);
}

// Too few rows for k; "": enough.
std::string too_few_rows(const Requirement& requirement, const Table& table, uint64_t rows) {
  if (requirement.k <= rows) return "";
  return fmt::format("k={} on ({}) cannot be met by {}, however recoded; the largest possible k is {}", requirement.k,
                     fmt::join(column_names(requirement, table), ", "), shoal::counted(rows, "row"), rows);
}

}  // namespace

std::string impossible(const std::vector<Requirement>& requirements, const Table& table, const Encoding& encoding,
                       const Population* population, bool drops_rows) {
  CountedTable counted(table, encoding);
  for (const Requirement& requirement : requirements) {
    if (std::string reason = too_few_rows(requirement, table, table.input_rows()); !reason.empty()) return reason;
    for (const ModelSpec& model : requirement.models) {
      if (drops_rows && may_hold_without_some(model)) continue;
      std::string reason =
          of_population(model) ? impossible_beside(population, model, table.input_rows()) : counted.impossible(model);
      if (!reason.empty()) return reason;
    }
  }
  return "";
}

std::string impossible(const std::vector<Requirement>& requirements, const Table& columns, const Encoding& encoding,
                       const WholeTable& whole, bool drops_rows) {
  CountedTable counted(columns, encoding, &whole);
  for (const Requirement& requirement : requirements) {
    if (std::string reason = too_few_rows(requirement, columns, whole.rows); !reason.empty()) return reason;
    for (const ModelSpec& model : requirement.models) {
      if (drops_rows && may_hold_without_some(model)) continue;
      if (std::string reason = counted.impossible(model); !reason.empty()) return reason;
    }
  }
  return "";
}

std::string impossible_alone(const std::vector<Requirement>& requirements, const Table& part, const Encoding& encoding,
                             const WholeTable& whole) {
  CountedTable counted(part, encoding, &whole);
  const uint64_t rows = part.input_rows();
  for (const Requirement& requirement : requirements) {
    if (std::string reason = too_few_rows(requirement, part, rows); !reason.empty()) return reason;
    for (const ModelSpec& spec : requirement.models) {
      bool holds = true;
      if (of_population(spec)) {
        throw_no_population(spec);
      } else if (spec.kind == ModelKind::average_risk) {
        holds = AverageRisk(spec).holds(1, rows);
      } else {
        const CountedModel model = counted.counted(spec);
        const HistogramShape shape{model.counted->values, nullptr};
        Histogram all(shape);
        for (size_t row = 0; row < part.rows; ++row) all.add(model.counted->codes[row], part.times_of(row));
        holds = model.model->holds(all);
      }
      if (!holds) return fmt::format("{} as one group break {}", shoal::counted(rows, "row"), model_text(spec));
    }
  }
  return "";
}

}  // namespace shoal
