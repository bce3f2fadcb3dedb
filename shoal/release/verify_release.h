// Releases in memory, whoever made them, verified as those in files are.
#pragma once

#include <span>

#include "shoal/encode/encoding.h"
#include "shoal/encode/table_source.h"
#include "shoal/job/job.h"
#include "shoal/run/progress.h"
#include "shoal/verify/sql_engine.h"
#include "shoal/verify/verify.h"

namespace shoal {

// What a release is compared with; nullptr where it is not at hand.
struct TablesBehind {
  const OriginalToVerify* original = nullptr;
  TableSource* population = nullptr;  // the people that the table was taken from, for k-map and delta-presence
  // What stands in columns of the whole table, where the original is a fragment of it or not at hand: builders make
  // trees from them, models compare with them. Empty: the original is the whole, or nothing is known about it.
  std::span<const Domain> domains = {};
};

// Has the promise of the job checked on a released table: see verify().
// The job's hierarchies must be read. The engine is asked only when the columns of the release are those promised.
// Throws Error(job) for a job that does not fit the original, Error(input) for tables that cannot be read.
Verification verify_release(const Job& job, TableSource& release, const TablesBehind& behind,
                            const SecondEngine& engine, const Progress& progress);

}  // namespace shoal
