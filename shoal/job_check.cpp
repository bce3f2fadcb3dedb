#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "shoal/error.h"
#include "shoal/job.h"
#include "shoal/job_text.h"
#include "shoal/method/method.h"
#include "shoal/nearest_word.h"

namespace shoal {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void wrong(const std::string& message) { throw Error(ErrorKind::job, message); }

std::vector<std::string> quasi_names(const Job& job) {
  std::vector<std::string> names;
  for (const ColumnJob& column : job.columns) {
    if (column.role == Role::quasi) names.push_back(column.name);
  }
  return names;
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
    wrong(fmt::format("column '{}' has a weight but its role is {}; only quasi columns have weights", column.name,
                      to_string(column.role)));
  }
  if (column.role != Role::quasi && column.hierarchy) {
    wrong(fmt::format("column '{}' has a hierarchy but its role is {}; only quasi columns are recoded", column.name,
                      to_string(column.role)));
  }
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

// The job's requirements, columns as indices into the quasi names, without those that follow from others.
std::vector<Requirement> requirements_that_count(const Job& job, const std::vector<std::string>& quasi) {
  std::vector<Requirement> requirements;
  if (job.k) {
    requirements.push_back({{}, *job.k});
    for (size_t i = 0; i < quasi.size(); ++i) requirements.back().columns.push_back(i);
  }
  for (const RequirementJob& asked : job.requirements) {
    Requirement requirement{{}, asked.k};
    for (size_t i = 0; i < quasi.size(); ++i) {
      if (std::find(asked.columns.begin(), asked.columns.end(), quasi[i]) != asked.columns.end()) {
        requirement.columns.push_back(i);
      }
    }
    requirements.push_back(std::move(requirement));
  }
  return without_implied(std::move(requirements));
}

// A method that takes one requirement, and a job with several that do not follow from each other: refused unless the
// job says that they may be united, since that hides (and loses) more than was asked.
void check_one_requirement(const Job& job, const MethodEntry& method, std::span<const MethodEntry> methods) {
  if (method.several_requirements || job.unite) return;
  const std::vector<std::string> quasi = quasi_names(job);
  const std::vector<Requirement> kept = requirements_that_count(job, quasi);
  if (kept.size() < 2) return;
  const Requirement all = united(kept);
  std::vector<std::string> columns;
  for (size_t i : all.columns) columns.push_back(quasi[i]);
  wrong(fmt::format(
      "method {} takes one requirement, and the job has {} that do not follow from each other; allow `union: "
      "true` (`--union`) to satisfy them by one over all their columns with the largest k ({}: k={}), which "
      "is more than was asked, or use a method that takes several: {}",
      method.name, kept.size(), fmt::join(columns, ", "), all.k,
      names_of(methods, [](const MethodEntry& other) { return other.several_requirements; })));
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
  if (!found->drops_rows && job.suppress_rows && *job.suppress_rows > 0) {
    wrong(fmt::format("suppress_rows is {}, but method {} never drops rows; methods that can: {}", *job.suppress_rows,
                      found->name, names_of(methods, [](const MethodEntry& method) { return method.drops_rows; })));
  }
  if (found->needs_target && !has_target(job)) {
    wrong(fmt::format("method {} needs a target column (the class to predict), and no column has the role target",
                      found->name));
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
  if (job.delimiter.size() > 1) {
    wrong(fmt::format("delimiter: '{}' is not a single character (or 'tab')", job.delimiter));
  }
}

bool same_file(const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (a == "-" || b == "-") return false;
  std::error_code ignored;
  const fs::path one = fs::weakly_canonical(fs::absolute(a, ignored), ignored);
  const fs::path other = fs::weakly_canonical(fs::absolute(b, ignored), ignored);
  return !one.empty() && one == other;
}

// Writing over what is read, or two things to one place, would destroy one of them.
void check_files(const Job& job) {
  struct Place {
    std::string what, file;
    bool written;
  };
  std::vector<Place> places{{"input", job.input, false}};
  for (const ColumnJob& column : job.columns) {
    if (column.hierarchy) places.push_back({"the hierarchy of " + column.name, column.hierarchy->file, false});
  }
  places.insert(places.end(), {{"output", job.output, true},
                               {"json", job.json, true},
                               {"report", job.report, true},
                               {"recoding", job.recoding, true}});
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t j = i + 1; j < places.size(); ++j) {
      const Place &a = places[i], &b = places[j];
      if (a.file.empty() || b.file.empty() || !b.written) continue;
      if (!a.written && a.file == "-" && b.file == "-") continue;  // standard input, standard output
      if (same_file(a.file, b.file)) wrong(fmt::format("{} and {} are the same file, '{}'", a.what, b.what, b.file));
    }
  }
}

}  // namespace

std::string chosen_method(const Job& job) {
  if (!job.method.empty()) return job.method;
  const bool one = job.unite || requirements_that_count(job, quasi_names(job)).size() < 2;
  return one && !has_target(job) ? "shoal" : "mondrian";
}

void check_columns(const Job& job) {
  const ColumnJob* target = nullptr;
  for (const ColumnJob& column : job.columns) {
    check_column(column);
    if (job.find_column(column.name) != &column) wrong(fmt::format("column '{}' is listed twice", column.name));
    if (column.role != Role::target) continue;
    if (target != nullptr) {
      wrong(
          fmt::format("two target columns, '{}' and '{}'; a job has one class to predict", target->name, column.name));
    }
    target = &column;
  }
  if (quasi_names(job).empty()) {
    wrong(
        "no quasi column; say which columns an attacker may know (role quasi), as in `--quasi age,zip` or `age: "
        "quasi`");
  }
}

void check_requirements(const Job& job) {
  if (job.k && *job.k < 1) wrong("k is 0; it must be at least 1");
  if (!job.k && job.requirements.empty()) {
    wrong("no requirement; say how many rows must look alike, as in `--k 5` or `k: 5`");
  }
  for (const RequirementJob& requirement : job.requirements) check_requirement(job, requirement);
}

void check_method_name(const Job& job) {
  if (!job.method.empty()) known_method(job.method, methods());
}

void check_job(const Job& job) { check_job(job, methods()); }

void check_job(const Job& job, std::span<const MethodEntry> methods) {
  check_columns(job);
  check_requirements(job);
  check_limits(job);
  check_method(job, methods);
  check_files(job);
}

}  // namespace shoal
