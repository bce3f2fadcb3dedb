// What a job promises about its release, for the verification.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/verify/promise.h"

namespace shoal {

// `original_columns`: the names of the table's columns, or nullptr where they are not known: where the job releases
// columns without a role, any further column of the release is then one of these. Without trees: builders need the
// table.
Promise promise_of(const Job& job, const std::vector<std::string>* original_columns);

// Throws Error(input) where the job has a model that compares groups with the whole table, and that has more rows than
// can be counted for it (kMostRows).
void refuse_too_many_to_compare(const Job& job, uint64_t rows);

// The sensitive columns that must be known over the whole table: those that models are about, where one of these
// compares groups with it. Empty: none does.
std::vector<std::string> compared_columns(const Job& job);

// Adds the whole input's sensitive columns that models are about, read from the original. The job's hierarchies must be
// at hand. `times`: for how many rows each of its rows stands (Table::times); empty: for itself.
void add_inputs(Promise& promise, const Job& job, TableSource& original, const Progress& progress,
                std::span<const uint32_t> times = {});
// The same where the whole input is not at hand, but it is known what stands in its columns. Throws as
// refuse_too_many_to_compare does.
void add_inputs(Promise& promise, const Job& job, std::span<const Domain> domains);

// The promise of the job as an SQL script, for the table `relation` of any engine (promise_script). Needs no files.
std::string promise_sql_of(const Job& job, const std::string& relation);

}  // namespace shoal
