#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "shoal/error.h"
#include "shoal/job/file_job.h"
#include "shoal/job/job_text.h"
#include "shoal/job/model_check.h"
#include "shoal/job/requirements.h"
#include "shoal/method/method.h"
#include "shoal/nearest_word.h"
#include "shoal/run/counted.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

[[noreturn]] void wrong(const std::string& message) { throw Error(ErrorKind::job, message); }
[[noreturn]] void wrong(const std::string& message, Advice advice) {
  throw Error(ErrorKind::job, message, std::move(advice));
}

void check_hierarchy(const ColumnJob& column) {
  if (!column.hierarchy) return;
  const HierarchySpec& hierarchy = *column.hierarchy;
  if (!hierarchy.builder) return;
  if (!hierarchy.file.empty()) {
    wrong(fmt::format("column '{}' has both a hierarchy file ('{}') and a builder ('{}'); keep one", column.name,
                      hierarchy.file, hierarchy.builder->kind));
  }
  try {
    parse_builder_kind(hierarchy.builder->kind);
  } catch (const Error& error) {
    wrong(fmt::format("column '{}': {}", column.name, error.what()));
  }
}

void check_column(const ColumnJob& column) {
  if (column.name.empty()) wrong("a column without a name");
  if (!(column.weight > 0) || !std::isfinite(column.weight)) {
    wrong(fmt::format("the weight of column '{}' is {}; weights are greater than 0", column.name, column.weight));
  }
  // Settings that would silently do nothing are mistakes: the user believes that the column is protected.
  if (column.role != Role::quasi && column.weight != 1) {
    wrong(fmt::format("column '{}' has a weight but {}; only quasi columns have weights", column.name,
                      stated_role(column)));
  }
  if (column.role != Role::quasi && column.role != Role::sensitive && column.hierarchy) {
    wrong(fmt::format("column '{}' has a hierarchy but {}; only quasi columns are recoded", column.name,
                      stated_role(column)));
  }
  check_order(column);
  check_hierarchy(column);
}

void check_requirement(const Job& job, const RequirementJob& requirement) {
  const std::string place = fmt::format("requirement ({})", fmt::join(requirement.columns, ", "));
  if (requirement.columns.empty()) wrong("a requirement without columns");
  if (requirement.k < 1) wrong(fmt::format("{}: k is {}; it must be at least 1", place, requirement.k));
  for (size_t i = 0; i < requirement.columns.size(); ++i) {
    const std::string& name = requirement.columns[i];
    const ColumnJob* column = job.find_column(name);
    if (column == nullptr) {
      wrong(
          fmt::format("{}: '{}' is not among the quasi columns{}", place, name, did_you_mean(name, quasi_names(job))));
    }
    if (column->role != Role::quasi) {
      wrong(fmt::format("{}: the role of column '{}' is {}; requirements are about quasi columns", place, name,
                        to_string(column->role)));
    }
    if (std::find(requirement.columns.begin(), requirement.columns.begin() + static_cast<std::ptrdiff_t>(i), name) !=
        requirement.columns.begin() + static_cast<std::ptrdiff_t>(i)) {
      wrong(fmt::format("{}: column '{}' is listed twice", place, name));
    }
  }
}

void check_parameter(const MethodEntry& method, const std::string& name, const std::string& value) {
  std::vector<std::string> names;
  const Parameter* found = nullptr;
  for (const Parameter& parameter : method.parameters) {
    names.push_back(parameter.name);
    if (parameter.name == name) found = &parameter;
  }
  if (found == nullptr) {
    wrong(fmt::format("method {} has no parameter '{}'{}", method.name, name,
                      names.empty() ? "; it has none" : advice_on(name, names, "its parameters")));
  }
  if (!found->choices.empty()) {
    if (std::find(found->choices.begin(), found->choices.end(), value) != found->choices.end()) return;
    if (found->minimum < found->maximum) {  // or a number: fragments=auto, fragments=16
      const auto given = shoal::parse_number(value);
      if (given && *given >= found->minimum && *given <= found->maximum && *given == std::floor(*given)) return;
      wrong(fmt::format("parameter {} of method {} cannot be '{}'; it must be {} or a whole number from {} to {}", name,
                        method.name, value, fmt::join(found->choices, ", "), found->minimum, found->maximum));
    }
    wrong(fmt::format("parameter {} of method {} cannot be '{}'{}", name, method.name, value,
                      advice_on(value, found->choices, "choices")));
  }
  const double number = parse_number(fmt::format("parameter {} of method {}", name, method.name), value);
  const bool bounded = found->minimum < found->maximum;
  if (bounded && (number < found->minimum || number > found->maximum)) {
    wrong(fmt::format("parameter {} of method {} is {}; it must lie between {} and {}", name, method.name, value,
                      found->minimum, found->maximum));
  }
}

// Names of the methods for which `able` holds, as words for a message.
std::string names_of(std::span<const MethodEntry> methods, const auto& able) {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods) {
    if (able(method)) names.push_back(method.name);
  }
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

bool has_target(const Job& job) {
  return std::any_of(job.columns.begin(), job.columns.end(),
                     [](const ColumnJob& column) { return column.role == Role::target; });
}

// A method that takes one requirement, and a job with several that do not follow from each other: refused unless the
// job says that they may be united, since that hides (and loses) more than was asked.
void check_one_requirement(const Job& job, const MethodEntry& method, std::span<const MethodEntry> methods) {
  if (method.several_requirements || job.unite) return;
  const std::vector<std::string> quasi = quasi_names(job);
  const std::vector<Requirement> kept = without_implied(requirements_of(job, quasi));
  if (kept.size() < 2) return;
  const Requirement all = united(kept);
  std::vector<std::string> columns;
  for (size_t i : all.columns) columns.push_back(quasi[i]);
  wrong(fmt::format(
            "method {} takes one requirement, and the job has {} that do not follow from each other; allow `union: "
            "true` to satisfy them by one over all their columns with the largest k ({}: k={}), which "
            "is more than was asked, or use a method that takes several: {}",
            method.name, kept.size(), fmt::join(columns, ", "), all.k,
            names_of(methods, [](const MethodEntry& other) { return other.several_requirements; })),
        Advice{Setting::unite});
}

// A method that checks a few columns together promises less than a requirement on more of them: only for those who ask
// for that in so many words.
void check_combinations(const Job& job, const MethodEntry& method) {
  const auto checked = checked_combinations(job);
  if (!checked || checked->stated) return;
  for (const Requirement& requirement : requirements_of(job, quasi_names(job))) {
    if (requirement.columns.size() <= checked->columns) continue;
    wrong(fmt::format(
              "method {} checks at most {} together, and a requirement is about {}: k rows need not look "
              "alike on all of these in its release; state combinations={} to ask for that weaker promise, or use "
              "a method that keeps the requirement, such as datafly",
              method.name, counted(checked->columns, "column"), requirement.columns.size(), checked->columns),
          Advice{Setting::parameter, "combinations"});
  }
}

const MethodEntry& known_method(const std::string& name, std::span<const MethodEntry> methods) {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  wrong(fmt::format("unknown method '{}'{}", name, advice_on(name, names, "methods")));
}

void check_method(const Job& job, std::span<const MethodEntry> methods) {
  const MethodEntry* found = &known_method(chosen_method(job), methods);
  for (const auto& [name, value] : job.params) check_parameter(*found, name, value);
  check_one_requirement(job, *found, methods);
  check_combinations(job, *found);
  check_obedience(job, *found, methods);
  if (!found->drops_rows && job.suppress_rows && *job.suppress_rows > 0) {
    wrong(fmt::format("suppress_rows is {}, but method {} never drops rows; methods that can: {}", *job.suppress_rows,
                      found->name, names_of(methods, [](const MethodEntry& method) { return method.drops_rows; })));
  }
  if (found->needs_target && !has_target(job)) {
    wrong(fmt::format("method {} needs a target column (the class to predict), and no column has the role target",
                      found->name),
          Advice{Setting::target});
  }
}

void check_limits(const Job& job) {
  if (job.suppress_rows && !(*job.suppress_rows >= 0 && *job.suppress_rows <= 1)) {
    wrong(fmt::format("suppress_rows is {}; it is a share of the rows, between 0 and 1", *job.suppress_rows));
  }
  if (job.threads < 0) wrong(fmt::format("threads is {}; it must be at least 0 (0: all cores)", job.threads));
  if (job.distortion_beta != 0 && !(job.distortion_beta >= 1)) {
    wrong(fmt::format("distortion_beta is {}; it is 0 (uniform weights) or at least 1 (height weights)",
                      job.distortion_beta));
  }
  if (job.time_budget && !(*job.time_budget > 0)) {
    wrong(fmt::format("time_budget is {}; it must be more than 0 seconds", *job.time_budget));
  }
  if (job.memory_limit && *job.memory_limit == 0) wrong("memory_limit is 0; it must be more");
}

// A reason that nothing is accepted for would make the reports say that something was.
void check_reasons(const Job& job) {
  for (const auto& [accepted, reason] : job.reasons) {
    if (std::find(job.accept.begin(), job.accept.end(), accepted) == job.accept.end()) {
      wrong(fmt::format("reasons: '{}' is not accepted; put it into `accept`, or leave its reason out", accepted));
    }
    if (reason.find_first_not_of(" \t\r\n") == std::string::npos) {
      wrong(fmt::format("reasons: '{}' has an empty reason", accepted));
    }
  }
}

}  // namespace

std::string chosen_method(const Job& job) {
  if (!job.method.empty()) return job.method;
  return has_target(job) ? "mondrian" : "shoal";
}

void check_columns(const Job& job) {
  const ColumnJob* target = nullptr;
  for (const ColumnJob& column : job.columns) {
    check_column(column);
    if (job.find_column(column.name) != &column) wrong(fmt::format("column '{}' is listed twice", column.name));
    if (column.role == Role::person && person_column(job) != &column) {
      wrong(fmt::format("two person columns, '{}' and '{}'; one column says who a row is about",
                        person_column(job)->name, column.name));
    }
    if (column.role != Role::target) continue;
    if (target != nullptr) {
      wrong(
          fmt::format("two target columns, '{}' and '{}'; a job has one class to predict", target->name, column.name));
    }
    target = &column;
  }
  if (quasi_names(job).empty()) {
    wrong("no quasi column; say which columns an attacker may know", Advice{Setting::quasi});
  }
}

void check_requirements(const Job& job) {
  if (job.k && *job.k < 1) wrong("k is 0; it must be at least 1");
  const bool by_lkc = std::any_of(job.models.begin(), job.models.end(),
                                  [](const ModelSpec& model) { return model.kind == ModelKind::lkc; });
  if (!job.k && job.requirements.empty() && !by_lkc) {
    wrong("no requirement; say how many rows must look alike", Advice{Setting::k});
  }
  for (const RequirementJob& requirement : job.requirements) check_requirement(job, requirement);
  check_models(job);
}

void check_method_name(const Job& job) {
  if (!job.method.empty()) known_method(job.method, methods());
}

void check_job(const Job& job) { check_job(job, methods()); }

void check_job(const Job& job, std::span<const MethodEntry> methods) {
  check_columns(job);
  check_requirements(job);
  check_limits(job);
  check_reasons(job);
  check_method(job, methods);
}

void check_files(const Files& files) {
  if (files.delimiter.size() > 1) {
    wrong(fmt::format("delimiter: '{}' is not a single character (or 'tab')", files.delimiter));
  }
  if (!files.thousands.empty() && files.thousands == (files.decimal.empty() ? "." : files.decimal)) {
    wrong(fmt::format("thousands and decimal are both '{}'; numbers could not be read", files.thousands));
  }
}

}  // namespace shoal
