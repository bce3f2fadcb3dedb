// A release before it leaves: what becomes of every cell, and what is to be said about it. Nothing is written yet, and
// nothing verified.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "shoal/encode/counted_table.h"
#include "shoal/encode/encoding.h"
#include "shoal/encode/population.h"
#include "shoal/encode/roles.h"
#include "shoal/job/job.h"
#include "shoal/method/method.h"
#include "shoal/recode/recoding.h"
#include "shoal/release/tables_beside.h"
#include "shoal/report/report.h"
#include "shoal/run/progress.h"

namespace shoal {

// Why an answer that drops every row is none.
inline constexpr std::string_view kNoRowLeft =
    "only a release without a single row would satisfy them; ask for less, or give hierarchies, so that rows can be "
    "recoded in place of being dropped";

struct Draft {
  Job job;                          // as run: threads and method decided
  const MethodEntry* method;        // never nullptr
  Report report;                    // status `unsatisfied` and the reason where there is nothing to release
  std::vector<ColumnPlan> columns;  // of the source, in its order
  EncodedTable original;
  std::shared_ptr<const Population> population;  // that the table was taken from; nullptr: not known
  SearchResult found;                            // has an answer unless the report says unsatisfied
  ReleasedTable released;                        // every cell of the quasi columns
  std::optional<WholeTable> whole = {};          // what models compare with where `original` is a part of it

  bool satisfied() const { return found.recoding() != nullptr; }
  // The original rows that are released, ascending.
  std::vector<uint32_t> kept_rows() const;
};

// Reads, encodes, searches and recodes. The job is checked first; its hierarchies must be at hand (make_encoding).
// Throws Error for what the user got wrong. A fragment of a larger table is searched as run_search would search it
// there: models compare with the whole table, and rows that do not keep the requirements as one group have no answer.
// Rows that stand for several are searched as they are, the same answer as if all were there; methods that cannot do so
// are refused by name, and with them a population, an earlier release and the order of the input.
Draft draft_release(const Job& job, TableSource& source, Progress& progress, const TablesBeside& beside = {});

// The beginning of a draft: checks the job, and says what is known before a row is read. `threads` and `method` of its
// job are decided.
Draft begin_draft(const Job& job, const TableSource& source);
// What a careful user would wonder about: a hierarchy over numbers that is not used, or none where nodes were asked
// for. `encoding`: of the quasi columns.
void notice_ranges(const Job& job, const MethodEntry& method, const Encoding& encoding,
                   std::vector<std::string>& notices);

// Fills in what the report says about the release: measures, risks, columns. Touches nothing but `draft.report`, so
// that it may run while the release is being written. Requires: draft.satisfied().
void measure_draft(Draft& draft);

// Looks for findings (report.findings) in the table as it would be released. False where one stands in the way that the
// job does not accept; report.reason says which then. Requires: draft.satisfied(), and a method that releases a table.
// Of rows that stand for several, these are looked at (counted_out.h).
bool examine_draft(Draft& draft, TableSource& source, const std::vector<TableSource*>& earlier, Progress& progress);

}  // namespace shoal
