// The numbers are measured (docs/limits.md): the greatest use of the methods of each shape at 300,000 and 1,000,000
// rows of 14 quasi columns, where a run without a limit takes as much as it likes.
#include "shoal/files/memory_plan.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "shoal/encode/roles.h"
#include "shoal/files/anonymize_outsized.h"
#include "shoal/job/family_job.h"
#include "shoal/job/requirements.h"
#include "shoal/plan/fragments.h"

namespace shoal {
namespace {

constexpr uint64_t kMegabyte = 1'000'000;
constexpr uint64_t kProgram = 50 * kMegabyte;
constexpr uint64_t kDatabase = 50 * kMegabyte;          // of DuckDB, for all verification has open
constexpr uint64_t kDatabaseThread = 20 * kMegabyte;    // and for each of its threads
constexpr uint64_t kTableRow = 24;                      // bytes: fingerprint, row numbers
constexpr uint64_t kTableCell = 6;                      // codes of the table and of the release
constexpr uint64_t kOrderRow = 100, kOrderCell = 14;    // rows in another order: sorted, and matched as sets
constexpr uint64_t kOutsizedBuffers = 120 * kMegabyte;  // for sorting and merging what is in private files
constexpr uint64_t kOutsizedPerson = 120;               // a person's text and number, while rows are read and verified
constexpr uint64_t kPairsRow = 45, kPairs = 210 * kMegabyte;  // models: DuckDB counts pairs of a group and a value
constexpr size_t kSampledBytes = size_t{1} << 18;

// What a search holds for each row and for each of its cells.
struct SearchBytes {
  uint64_t row, cell;
};
SearchBytes search_bytes(Shape shape) {
  switch (shape) {
    case Shape::levels:
    case Shape::cut:
      return {60, 10};
    case Shape::regions:
      return {24, 6};
    case Shape::groups:
    case Shape::model:
      return {60, 14};
  }
  return {};
}

uint64_t lines_in(std::string_view text) { return static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')); }

std::string megabytes(uint64_t bytes) { return fmt::format("{} MB", (bytes + kMegabyte - 1) / kMegabyte); }

}  // namespace

MemoryPlan memory_plan(const MemoryQuestion& asked) {
  MemoryPlan plan{kProgram, asked.rows * (kTableRow + asked.columns * kTableCell), 0,
                  kDatabase + kDatabaseThread * static_cast<uint64_t>(asked.threads)};
  if (asked.reordered) plan.table += asked.rows * (kOrderRow + asked.columns * kOrderCell);
  if (!asked.shape) return plan;
  const SearchBytes bytes = search_bytes(*asked.shape);
  plan.search = asked.rows * (bytes.row + asked.columns * bytes.cell);
  return plan;
}

uint64_t about_rows(const InputFile& input, const Progress& progress) {
  const Source& source = input.source;
  struct stat status {};
  if (source.format() == FileFormat::parquet || !source.kind().compression.empty() ||
      stat(source.plain_path().c_str(), &status) != 0) {
    try {
      const auto counted = input.duck.query("SELECT count(*) FROM " + source.relation(), progress);
      return std::stoull(counted.at(0).at(0));
    } catch (const DuckError& error) {
      throw source.input_error(error);
    }
  }
  std::string first(kSampledBytes, '\0');
  std::ifstream file(source.plain_path(), std::ios::binary);
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<size_t>(file.gcount()));
  if (first.empty()) return 0;
  const double bytes_per_line = double(first.size()) / double(std::max<uint64_t>(lines_in(first), 1));
  return static_cast<uint64_t>(double(status.st_size) / bytes_per_line);
}

namespace {

MemoryQuestion question_of(const FileJob& job, InputFile& input, std::optional<Shape> shape, const Progress& progress) {
  MemoryQuestion asked{about_rows(input, progress), 0, job.thread_count(), shape, shape && job.order != Order::input};
  std::vector<std::string> quasi;
  for (const ColumnPlan& column : plan_columns(job, input.table)) {
    asked.columns += column.role != Role::plain && column.role != Role::identifier;
    asked.persons |= column.role == Role::person;
    if (column.role == Role::quasi) quasi.push_back(column.name);
  }
  const std::vector<ModelSpec> models = all_models(job);
  asked.models =
      std::any_of(models.begin(), models.end(), [](const ModelSpec& model) { return !model.column.empty(); });
  if (shape && families_of(job, quasi).size() > 1) asked.carried = quasi.size();
  return asked;
}

[[noreturn]] void refuse(uint64_t limit, const MemoryQuestion& asked, const MemoryPlan& plan, std::string_view advice) {
  throw Error(ErrorKind::job,
              fmt::format("the memory limit of {} is too low: about {} rows with {} columns to work on need {} "
                          "(program {}, table {}, search {}, reading and verifying {}); allow that much, use "
                          "fewer threads, or release fewer rows or columns{}",
                          megabytes(limit), asked.rows, asked.columns, megabytes(plan.sum()), megabytes(plan.program),
                          megabytes(plan.table), megabytes(plan.search), megabytes(plan.database), advice));
}

void give_rest_to_database(FileJob& job, InputFile& input, const MemoryPlan& plan) {
  job.memory_limit = *job.memory_limit - (plan.sum() - plan.database);
  input.duck.limit_memory(*job.memory_limit);
}

// It takes more than it is told, most of all while it writes Parquet: so much of what is left, and a share of that,
// stays free. (Where a table is in memory as a whole the estimates are wide enough.) With a sixth 100,000,000 rows
// under 8 GB took 3 % more than that, nearly all of it DuckDB's: a quarter tells it a tenth less.
constexpr uint64_t kDatabaseOverhead = 90 * kMegabyte, kOverheadShare = 4;
uint64_t without_overhead(uint64_t left) { return left - std::min(left, kDatabaseOverhead + left / kOverheadShare); }

void give_most_to_database(FileJob& job, InputFile& input, const MemoryPlan& plan) {
  job.memory_limit = plan.database + without_overhead(*job.memory_limit - plan.sum());
  input.duck.limit_memory(*job.memory_limit);
}

}  // namespace

uint64_t database_share(const WatchedLimit& limit, uint64_t resident, uint64_t planned) {
  const uint64_t left = limit.process - std::min(limit.process, resident);
  // What the process holds has DuckDB's own part in it, which it will use again.
  return std::max(std::min(planned, limit.database), std::min(planned, without_overhead(left)));
}

namespace {

// A fragment's, with its search.
uint64_t fragment_row_bytes(size_t columns, size_t carried) {
  const SearchBytes search = search_bytes(Shape::groups);
  return kTableRow + search.row + columns * (kTableCell + search.cell) + carried * sizeof(uint32_t);
}

}  // namespace

int fit_fragments(const FileJob& job, const Table& columns, const FragmentsToFit& fragments) {
  const size_t quasi = columns.quasi.size();
  const size_t coded = quasi + columns.sensitive.size() + (columns.target ? 1 : 0) + (columns.person ? 1 : 0);
  const uint64_t row = fragment_row_bytes(coded, fragments.family.empty() ? 0 : quasi);
  std::vector<uint64_t> rows = fragments.rows;
  std::sort(rows.begin(), rows.end(), std::greater<>());
  const size_t workers = std::min<size_t>(static_cast<size_t>(job.thread_count()), rows.size());
  uint64_t needed = 0;
  size_t fit = 0;
  while (fit < workers && (needed += rows[fit] * row) <= fragments.most_bytes) ++fit;
  if (fit == workers) return job.thread_count();
  if (fit > 0) return static_cast<int>(fit);
  throw Error(ErrorKind::job,
              fmt::format("the memory limit is too low: {} of the rows make one fragment{}, which cannot be cut again; "
                          "its search needs {}, and {} are left for it; allow so much more",
                          rows.front(),
                          fragments.family.empty() ? "" : fmt::format(" for the requirement over {}", fragments.family),
                          megabytes(needed), megabytes(fragments.most_bytes)));
}

namespace {

// With less it ends now and then where there are millions of pairs, although it could put them on the disk.
uint64_t database_in_parts(const MemoryQuestion& asked) {
  return kDatabase + kDatabaseThread * static_cast<uint64_t>(asked.threads) +
         (asked.models ? std::min(asked.rows * kPairsRow, kPairs) : 0);
}

}  // namespace

MemoryPlan outsized_plan(const MemoryQuestion& asked, uint64_t k) {
  const FragmentSizes sizes = fragment_sizes(asked.rows, k);
  const uint64_t largest = 2 * asked.rows / std::max<size_t>(sizes.fragments, 1);  // others are cut again
  const uint64_t row = fragment_row_bytes(asked.columns, asked.carried);
  const uint64_t side_by_side = std::min<uint64_t>(static_cast<uint64_t>(asked.threads), sizes.fragments);
  MemoryPlan plan{kProgram, kOutsizedBuffers, std::max(largest * side_by_side, uint64_t{sizes.pilot_rows}) * row,
                  database_in_parts(asked)};
  if (asked.persons) plan.table += asked.rows * kOutsizedPerson;
  return plan;
}

MemoryPlan alike_plan(const MemoryQuestion& asked) { return {kProgram, kOutsizedBuffers, 0, database_in_parts(asked)}; }

void fit_alike_rows(const FileJob& job, const TableSource& table, const AlikeCount& counted, uint64_t most_bytes) {
  MemoryQuestion asked{counted.different, 0, job.thread_count(), find_method(job.method)->shape};
  for (const ColumnPlan& column : plan_columns(job, table)) {
    asked.columns += column.role == Role::quasi || column.role == Role::sensitive || column.role == Role::target;
  }
  const MemoryPlan held = memory_plan(asked);
  const uint64_t needed = held.table + held.search;
  if (needed <= most_bytes) return;
  throw Error(ErrorKind::job,
              fmt::format("the memory limit is too low: {} of the {} rows are different, and method {} searches all of "
                          "these together, which needs {}; allow that much, or release fewer columns",
                          counted.different, counted.rows, job.method, megabytes(alike_plan(asked).sum() + needed)));
}

MemoryFit choose_memory(FileJob& job, InputFile& input, const Progress& progress) {
  if (!job.memory_limit) return {};
  const uint64_t limit = *job.memory_limit;
  const MemoryQuestion asked = question_of(job, input, find_method(job.method)->shape, progress);
  const MemoryPlan plan = memory_plan(asked);
  if (plan.sum() <= limit) {
    give_rest_to_database(job, input, plan);
    return {};
  }
  const std::string why = why_not_outsized(job, input.table, asked.rows);
  if (!why.empty()) refuse(limit, asked, plan, fmt::format("; it cannot be done in parts: {}", why));
  const bool alike = find_method(job.method)->alike_rows != nullptr;
  const MemoryPlan in_parts = alike ? alike_plan(asked) : outsized_plan(asked, job_k(job, input.table));
  if (in_parts.sum() > limit) refuse(limit, asked, in_parts.sum() < plan.sum() ? in_parts : plan, "");
  give_most_to_database(job, input, in_parts);
  return {true, limit - (in_parts.sum() - in_parts.search), {limit, in_parts.database}};
}

void fit_into_memory(FileJob& job, InputFile& input, std::optional<Shape> shape, const Progress& progress) {
  if (!job.memory_limit) return;
  const MemoryQuestion asked = question_of(job, input, shape, progress);
  const MemoryPlan plan = memory_plan(asked);
  if (plan.sum() > *job.memory_limit) refuse(*job.memory_limit, asked, plan, "");
  give_rest_to_database(job, input, plan);
}

}  // namespace shoal
