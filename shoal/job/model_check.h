// What can be said about a job's privacy models, persons and orders without the data. Part of check_job; all throw
// Error(job).
#pragma once

#include <span>
#include <string>

#include "shoal/job/job.h"

namespace shoal {

// "its role is plain"; of a column that only settings name, maybe misspelt: that it has none.
std::string stated_role(const ColumnJob& column);

// The stated order of a column: a sensitive one that has no other order, each value once.
void check_order(const ColumnJob& column);

// Every model is complete, about a sensitive column (persons: about the person column), and, where it is joint, not
// about the only one.
void check_models(const Job& job);

// The method obeys what the job asks of groups, besides k rows.
void check_obedience(const Job& job, const MethodEntry& method, std::span<const MethodEntry> methods);

}  // namespace shoal
