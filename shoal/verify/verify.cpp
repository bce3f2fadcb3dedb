#include "shoal/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>

#include "shoal/read/read_table.h"
#include "shoal/read/rows.h"
#include "shoal/verify/mean_check.h"
#include "shoal/verify/row_matcher.h"
#include "shoal/verify/tree_of_column.h"

namespace shoal {
namespace {

struct AskedRequirement {
  std::vector<std::string> columns;
  uint64_t k;
};

std::vector<AskedRequirement> asked_requirements(const Job& job) {
  std::vector<AskedRequirement> asked;
  if (job.k) {
    AskedRequirement all{{}, *job.k};
    for (const ColumnJob& column : job.columns) {
      if (column.role == Role::quasi) all.columns.push_back(column.name);
    }
    asked.push_back(all);
  }
  for (const RequirementJob& requirement : job.requirements) asked.push_back({requirement.columns, requirement.k});
  return asked;
}

VerificationCheck check_columns(const Job& job, const Source& release, const Source* original) {
  for (const ColumnJob& column : job.columns) {
    if (column.role == Role::identifier && release.find(column.name)) {
      return {"columns", false, fmt::format("the identifier '{}' is in the release", column.name)};
    }
    if (column.role != Role::identifier && !release.find(column.name)) {
      return {"columns", false, fmt::format("the column '{}' is not in the release", column.name)};
    }
  }
  if (original) {
    size_t identifiers = 0;
    for (const std::string& name : original->columns()) {
      const ColumnJob* column = job.find_column(name);
      const bool identifier = column && column->role == Role::identifier;
      identifiers += identifier;
      if (!identifier && !release.find(name)) {
        return {"columns", false, fmt::format("the column '{}' of the original is not in the release", name)};
      }
    }
    if (release.columns().size() + identifiers != original->columns().size()) {
      return {"columns", false, "the release has a column that the original does not have"};
    }
  }
  return {"columns", true, fmt::format("{} columns, no identifier among them", release.columns().size())};
}

// Counts groups in SQL, on the written file. Several requirements share one reading of it.
void check_requirements(const Job& job, const Source& release, DuckDb& duck, const Progress& progress,
                        Verification& verification) {
  const auto asked = asked_requirements(job);
  std::string relation = release.relation();
  if (asked.size() > 1) {
    std::string list;
    for (size_t j = 0; j < release.columns().size(); ++j) {
      const ColumnJob* column = job.find_column(release.columns()[j]);
      if (!column || column->role != Role::quasi) continue;
      list += fmt::format("{}{} AS t{}", list.empty() ? "" : ", ", release.text(j), j);
    }
    duck.query(fmt::format("CREATE OR REPLACE TEMP TABLE released AS SELECT {} FROM {}", list, relation), progress);
    relation = "released";
  }
  for (const AskedRequirement& requirement : asked) {
    std::string columns;
    for (const std::string& name : requirement.columns) {
      const size_t column = *release.find(name);
      columns += (columns.empty() ? "" : ", ") + (asked.size() > 1 ? fmt::format("t{}", column) : release.text(column));
    }
    const auto counted = duck.query(
        fmt::format("SELECT coalesce(min(c), 0), count(*), count(*) FILTER (WHERE c < {}) FROM (SELECT count(*) AS c "
                    "FROM {} GROUP BY {})",
                    requirement.k, relation, columns),
        progress)[0];
    const bool ok = counted[2] == "0";
    verification.smallest_groups.push_back(std::stoull(counted[0]));
    VerificationCheck check{fmt::format("requirement ({}) k={}", fmt::join(requirement.columns, ", "), requirement.k),
                            ok, ""};
    check.detail = ok ? fmt::format("{} groups, the smallest has {} rows", counted[1], counted[0])
                      : fmt::format("{} of {} groups are smaller than {}; the smallest has {} rows", counted[2],
                                    counted[1], requirement.k, counted[0]);
    verification.checks.push_back(std::move(check));
  }
}

// SQL for the original's rows in the order of a shuffled release.
std::string in_release_order(const Source& original, const std::string& list,
                             const std::vector<uint32_t>& row_of_release, DuckDb& duck, const Progress& progress) {
  duck.query("CREATE OR REPLACE TABLE release_rows (release_row BIGINT, original_row BIGINT)", progress);
  duckdb_appender appender = nullptr;
  duckdb_appender_create(duck.connection(), nullptr, "release_rows", &appender);
  for (size_t row = 0; row < row_of_release.size(); ++row) {
    duckdb_append_int64(appender, static_cast<int64_t>(row));
    duckdb_append_int64(appender, row_of_release[row]);
    duckdb_appender_end_row(appender);
  }
  if (duckdb_appender_destroy(&appender) != DuckDBSuccess) throw DuckError("DuckDB did not take the row numbers");
  return fmt::format(
      "SELECT {} FROM (SELECT *, row_number() OVER () - 1 AS original_row FROM {}) o JOIN release_rows "
      "USING (original_row) ORDER BY release_row",
      list, original.relation());
}

// The checks of coverage and, where there may be some, of means.
std::vector<VerificationCheck> check_cells(const Job& job, const Source& release, const Source& original,
                                           const std::vector<uint32_t>* row_of_release, DuckDb& duck,
                                           const Progress& progress) {
  if (job.shuffle && !row_of_release) {
    return {{"coverage", true, "not checked: the release is shuffled, so that rows cannot be paired"}};
  }
  std::vector<size_t> alike;
  for (const std::string& name : columns_with_means(job)) alike.push_back(*release.find(name));
  std::set<std::string, std::less<>> missing(job.missing.begin(), job.missing.end());
  missing.insert("");
  std::vector<ComparedColumn> columns;
  std::vector<size_t> release_columns, original_columns;
  std::string original_list;
  for (size_t j = 0; j < release.columns().size(); ++j) {
    const std::string& name = release.columns()[j];
    const ColumnJob* column = job.find_column(name);
    ComparedColumn compared{name, std::nullopt};
    if (column && column->role == Role::quasi) {
      compared.coverage.emplace(column->type, tree_of_column(job, name, original, duck, progress), missing);
    }
    columns.push_back(std::move(compared));
    release_columns.push_back(j);
    original_columns.push_back(*original.find(name));
    original_list += (j ? ", " : "") + original.text(original_columns.back());
  }
  for (size_t j : alike) {
    if (columns[j].coverage->numeric()) columns[j].coverage->allow_means();
  }
  std::span<const uint32_t> kept;
  if (row_of_release && !job.shuffle) kept = *row_of_release;
  return read_by_either([&](Reader reader) {
    const auto release_rows = rows_of(release, release_columns, reader, duck, progress);
    const auto original_rows =
        job.shuffle ? duck.stream(in_release_order(original, original_list, *row_of_release, duck, progress), progress)
                    : rows_of(original, original_columns, reader, duck, progress);
    RowMatcher matcher(columns, *release_rows, *original_rows, kept, alike);
    std::vector<VerificationCheck> checks{matcher.run()};
    if (auto means = matcher.means(); means && checks.front().ok) checks.push_back(std::move(*means));
    return checks;
  });
}

}  // namespace

Verification verify_release(const Job& job, const std::string& release_path,
                            const std::optional<std::string>& original_path, Progress& progress,
                            const std::vector<uint32_t>* row_of_release) {
  DuckDb duck(job.thread_count(), job.memory_limit);
  Verification verification;
  // A release keeps the delimiter of its original unless its name says tabs.
  const bool tabs = !file_kind(release_path).delimiter.empty();
  const Source release(release_path, tabs ? "" : job.delimiter, duck, progress);
  std::optional<Source> original;
  if (original_path) original.emplace(*original_path, job.delimiter, duck, progress);
  verification.checks.push_back(check_columns(job, release, original ? &*original : nullptr));
  if (verification.checks.back().ok) {
    // Counting and walking are independent: side by side they keep all cores busy.
    auto cells = std::async(std::launch::async, [&]() -> std::vector<VerificationCheck> {
      if (!original) return {};
      try {
        DuckDb own(job.thread_count(), job.memory_limit);  // a connection serves one thread
        return check_cells(job, release, *original, row_of_release, own, progress);
      } catch (const DuckError& error) {
        throw original->input_error(error);
      }
    });
    try {
      check_requirements(job, release, duck, progress, verification);
    } catch (const DuckError& error) {
      throw release.input_error(error);
    }
    for (VerificationCheck& check : cells.get()) verification.checks.push_back(std::move(check));
  }
  verification.ok = std::all_of(verification.checks.begin(), verification.checks.end(),
                                [](const VerificationCheck& check) { return check.ok; });
  return verification;
}

}  // namespace shoal
