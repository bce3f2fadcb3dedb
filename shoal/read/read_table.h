// From a file to codes: the columns the engine needs, their types, and the hierarchies bound to their values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shoal/hierarchy/tree.h"
#include "shoal/job.h"
#include "shoal/method/method.h"
#include "shoal/read/source.h"
#include "shoal/table/table.h"

namespace shoal {

// Every column of the input with its role, in file order. Throws Error(job) with a suggestion when the job names a
// column the input does not have.
struct ColumnPlan {
  std::string name;
  Role role = Role::plain;
};
std::vector<ColumnPlan> plan_columns(const Job& job, const Source& source);

// The job's requirements (k over all quasi columns first), columns as indices into the quasi columns.
std::vector<Requirement> plan_requirements(const Job& job, const std::vector<ColumnPlan>& columns);

// One column as read: texts in order of first appearance.
struct RawColumn {
  std::string name;
  Codes codes;  // into texts
  std::vector<std::string> texts;
  std::vector<uint64_t> counts;      // rows per text
  std::vector<uint64_t> first_rows;  // where each text was first seen
};

// Reads the named columns (indices into source.columns()); `fingerprint` lists columns that only go into Table::rest.
struct RawTable {
  size_t rows = 0;
  std::vector<RawColumn> columns;
  std::vector<uint64_t> rest;
};
RawTable read_columns(const Source& source, const std::vector<size_t>& columns, const std::vector<size_t>& fingerprint,
                      DuckDb& duck, Progress& progress);

// How a quasi column was understood, for the report.
struct QuasiColumn {
  std::string type;          // numeric, categorical
  std::string hierarchy;     // file, builder or "flat"
  std::optional<Tree> tree;  // as given or built, before binding
};

struct EncodedTable {
  Table table;
  std::vector<Hierarchy> hierarchies;  // one per quasi column
  std::vector<QuasiColumn> quasi;      // one per quasi column
  std::vector<std::string> notices;
};

// Reads and encodes what the job needs. `with_rest` also fills Table::rest. `read_seconds`, `encode_seconds` are added
// to.
struct ReadTimings {
  double read = 0, encode = 0;
};
// Reads and encodes what the job needs. `with_rest` also fills Table::rest.
EncodedTable read_table(const Job& job, const Source& source, DuckDb& duck, bool with_rest, ReadTimings& timings,
                        Progress& progress);

// The hierarchy file or builder that the job gives for a column (its own entry first, then the job's folder).
std::optional<HierarchySpec> hierarchy_of(const Job& job, const std::string& column);

}  // namespace shoal
