#include "shoal/job/strength.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "shoal/job/requirements.h"
#include "shoal/run/counted.h"

namespace shoal {
namespace {

// An identifier is never released, a quasi column is recoded, a sensitive one is what models speak of, a person column
// is not released and counts persons: a column that loses this loses protection. Not being released is the strongest
// that can happen to other columns.
bool protects_less(Role asked, Role run) {
  if (asked == run) return false;
  if (asked == Role::person) return true;
  if (run == Role::identifier || run == Role::person || run == Role::none) return false;
  return asked == Role::identifier || asked == Role::quasi || (asked == Role::sensitive && run != Role::quasi);
}

void compare_k(const Job& asked, const Job& run, std::vector<std::string>& said) {
  if (asked.k && !run.k) {
    said.push_back(
        fmt::format("weaker than the job: it asks k={} over all quasi columns, and none was asked", *asked.k));
  } else if (asked.k && *run.k < *asked.k) {
    said.push_back(fmt::format("weaker than the job: k={} was asked in place of its k={}", *run.k, *asked.k));
  }
}

// Models are compared as they are written: another parameter is another promise.
void compare_models(const std::vector<ModelSpec>& asked, const std::vector<ModelSpec>& run, const std::string& where,
                    std::vector<std::string>& said) {
  for (const ModelSpec& model : asked) {
    if (std::find(run.begin(), run.end(), model) != run.end()) continue;
    said.push_back(fmt::format("weaker than the job: its model {}{} was left out", model_text(model), where));
  }
}

void compare_requirements(const Job& asked, const Job& run, std::vector<std::string>& said) {
  for (const RequirementJob& requirement : asked.requirements) {
    const auto same = std::find_if(run.requirements.begin(), run.requirements.end(),
                                   [&](const RequirementJob& other) { return same_columns(other, requirement); });
    const std::string columns = fmt::format("{}", fmt::join(requirement.columns, ", "));
    if (same == run.requirements.end()) {
      said.push_back(
          fmt::format("weaker than the job: its requirement k={} on ({}) was left out", requirement.k, columns));
    } else if (same->k < requirement.k) {
      said.push_back(fmt::format("weaker than the job: k={} on ({}) was asked in place of its k={}", same->k, columns,
                                 requirement.k));
    }
    std::vector<ModelSpec> models = run.models;  // those of the whole job hold here as well
    if (same != run.requirements.end()) models.insert(models.end(), same->models.begin(), same->models.end());
    compare_models(requirement.models, models, fmt::format(" on ({})", columns), said);
  }
}

void compare_suppressed_rows(const Job& asked, const Job& run, std::vector<std::string>& said) {
  const double before = asked.suppress_rows.value_or(0), after = run.suppress_rows.value_or(0);
  if (after <= before) return;
  said.push_back(fmt::format("weaker than the job: a share of {} of the rows may be dropped, and it allows {}", after,
                             asked.suppress_rows ? fmt::format("{}", before) : "none"));
}

// A method that checks few columns together keeps the requirements on more of them in part.
void compare_combinations(const Job& asked, const Job& run, std::vector<std::string>& said) {
  const auto before = checked_combinations(asked), after = checked_combinations(run);
  if (!after || !after->stated || (before && before->stated && after->columns >= before->columns)) return;
  said.push_back(
      fmt::format("weaker than the job: requirements are kept for combinations of {} at a time, and it "
                  "asks for {}",
                  counted(after->columns, "column"),
                  before && before->stated ? fmt::format("{}", before->columns) : "all their columns together"));
}

}  // namespace

bool same_columns(const RequirementJob& a, const RequirementJob& b) {
  return std::set(a.columns.begin(), a.columns.end()) == std::set(b.columns.begin(), b.columns.end());
}

void add_requirement(Job& job, RequirementJob requirement) {
  for (RequirementJob& other : job.requirements) {
    if (!same_columns(other, requirement)) continue;
    other.k = std::max(other.k, requirement.k);
    for (ModelSpec& model : requirement.models) {
      if (std::find(other.models.begin(), other.models.end(), model) == other.models.end())
        other.models.push_back(std::move(model));
    }
    return;
  }
  job.requirements.push_back(std::move(requirement));
}

std::vector<std::string> weakenings(const Job& asked, const Job& run) {
  std::vector<std::string> said;
  compare_k(asked, run, said);
  compare_requirements(asked, run, said);
  compare_models(asked.models, run.models, "", said);
  compare_suppressed_rows(asked, run, said);
  compare_combinations(asked, run, said);
  if (run.others_plain && !asked.others_plain) {
    said.push_back("weaker than the job: columns without a role are released, and it leaves them out");
  }
  if (run.order == Order::input && asked.order != Order::input) {
    said.push_back("weaker than the job: rows are released in the order of the input, and it sorts them");
  }
  if (asked.ranges != Ranges::tight && run.ranges < asked.ranges) {
    said.push_back(fmt::format("weaker than the job: ranges are {}, and it asks for {}", to_string(run.ranges),
                               to_string(asked.ranges)));
  }
  for (const ColumnJob& column : asked.columns) {
    const Role role = run.role_of(column.name);
    if (!protects_less(column.role, role)) continue;
    said.push_back(fmt::format("weaker than the job: column '{}' is {}, and {} was asked", column.name,
                               to_string(column.role), to_string(role)));
  }
  return said;
}

}  // namespace shoal
