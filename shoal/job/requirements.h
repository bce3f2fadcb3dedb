// The requirements of a job in full: with the models that hold for each, persons, and what lkc stands for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/job/job.h"
#include "shoal/model/requirement.h"

namespace shoal {

// k over all quasi columns first, then those that the job lists, then those that lkc models stand for; columns as
// indices into `quasi`, the names of the quasi columns. The models of the whole job hold for each of them; with a
// person column so does `persons` with the requirement's k. Throws Error(job) for a column that is not among `quasi`.
// A method with the parameter `combinations` promises less than a requirement on more columns says: where the job
// states it, each such requirement is replaced by one for every combination of so many of its columns, for everybody
// who asks: search, verification and reports.
std::vector<Requirement> requirements_of(const Job& job, const std::vector<std::string>& quasi);

// How many columns the job's method checks together at most, stated by the job or not; nothing for all other methods.
struct CheckedCombinations {
  size_t columns = 0;
  bool stated = false;
};
std::optional<CheckedCombinations> checked_combinations(const Job& job);

// The names of the job's quasi columns, in the job's order; and of its sensitive ones.
std::vector<std::string> quasi_names(const Job& job);
std::vector<std::string> sensitive_names(const Job& job);
// The column that says who a row is about; nullptr: rows count as persons.
const ColumnJob* person_column(const Job& job);

// Models that look at the rows of the population: k-map and delta-presence.
bool of_population(const ModelSpec& model);
// Models that compare groups with the whole table: t-closeness, delta-disclosure and beta-likeness.
bool compares_with_whole(const ModelSpec& model);

// Every model that the job asks for, of all requirements.
std::vector<ModelSpec> all_models(const Job& job);

}  // namespace shoal
