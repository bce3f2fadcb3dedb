// Looks for what the job did not say, in a table as it stands or in a release of it (docs/findings.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shoal/encode/encoding.h"
#include "shoal/encode/roles.h"
#include "shoal/encode/table_source.h"
#include "shoal/examine/finding.h"
#include "shoal/job/job.h"
#include "shoal/recode/recoding.h"
#include "shoal/run/progress.h"

namespace shoal {

// A table, and what becomes of it.
struct ExaminedTable {
  const Job& job;
  TableSource& source;  // read once more, for the columns that `original` does not hold
  const EncodedTable& original;
  const ReleasedTable* released = nullptr;  // nullptr: the table as it stands; nothing stands in the way then
  std::vector<TableSource*> earlier = {};   // releases of the same table that are out already
  // `original` is itself a release whose original is not at hand: what needs that is not looked for, and findings stand
  // in the way.
  bool release_alone = false;
  const Job* said = nullptr;  // the user's own words about types, where `job` was changed; null: `job`
};

// All findings, by code in the order of kFindingCodes and then by column; those that the job accepts are marked. The
// same for any number of threads. Cost: one more reading of the columns that are not quasi, and time linear in rows for
// each of them; pairs of columns are compared on 50,000 rows and in full only where that tells something. Throws
// Error(input) as the source does.
std::vector<Finding> look_for_findings(const ExaminedTable& examined, Progress& progress);

// The finding `formula` of a release that has an apostrophe before each such cell.
void say_formulas_are_escaped(std::vector<Finding>& findings);

// Findings in a release that is at hand, whoever made it: against its original, or (nullptr) those that the release
// shows alone, where `earlier` is not looked at. The job's hierarchies must be read. Throws Error(input) also where the
// rows cannot be matched (match_release).
std::vector<Finding> release_findings(const Job& job, TableSource& release, TableSource* original,
                                      const std::vector<TableSource*>& earlier, Progress& progress);

// Some finding stands in the way of a release and is not accepted.
bool any_stands_in_the_way(std::span<const Finding> findings);
// "reveals (education-num), order (age): mend the job, or accept: [reveals:education-num, order:age]".
std::string what_stands_in_the_way(std::span<const Finding> findings);

}  // namespace shoal
