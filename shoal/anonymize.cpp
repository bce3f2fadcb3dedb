// The journey of a table, room by room: read, search, recode, write, verify, report.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <future>
#include <random>
#include <set>

#include "shoal/read/read_table.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/group_keys.h"
#include "shoal/recode/recoding_json.h"
#include "shoal/recode/release_file.h"
#include "shoal/recode/write_release.h"
#include "shoal/report/facts.h"
#include "shoal/shoal.h"
#include "shoal/table/groups.h"
#include "shoal/verify/verify_model.h"

namespace shoal {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// ---- before anything is read: can the outputs be written, without harm to an input? ----

void check_outputs(const Job& job) {
  if (job.output.empty())
    throw Error(ErrorKind::job, "no output; say where the release goes with -o FILE (or - for standard output)");
  std::vector<std::string> inputs{job.input};
  for (const ColumnJob& column : job.columns) {
    if (column.hierarchy && !column.hierarchy->file.empty()) inputs.push_back(column.hierarchy->file);
  }
  if (job.output != "-") {
    const FileKind kind = file_kind(job.output);
    const bool model = find_method(job.method)->releases_model;
    if (model && (!kind.compression.empty() || (!job.output.ends_with(".json") && !job.output.ends_with(".txt")))) {
      throw Error(ErrorKind::job, fmt::format("method {} releases a model, not a table; '{}' must end in .json or .txt",
                                              job.method, job.output));
    }
  }
  std::vector<std::string> outputs{job.output, job.json, job.report, job.recoding};
  for (const std::string& output : outputs) {
    check_output_place(output, inputs);
    if (!output.empty() && std::count(outputs.begin(), outputs.end(), output) > 1) {
      throw Error(ErrorKind::job, fmt::format("two outputs are to be written to '{}'; give each its own file", output));
    }
  }
}

// ---- what the search sees ----

std::vector<std::string> requirement_names(const Requirement& requirement, const Table& table) {
  std::vector<std::string> names;
  for (size_t j : requirement.columns) names.push_back(table.quasi[j].name);
  return names;
}

// The one thing no recoding can mend: fewer rows than k.
std::string too_few_rows(const std::vector<Requirement>& requirements, const Table& table) {
  for (const Requirement& requirement : requirements) {
    if (requirement.k > table.rows) {
      return fmt::format(
          "k={} on ({}) cannot be met by {} rows, however they are recoded; the largest possible k is {}",
          requirement.k, fmt::join(requirement_names(requirement, table), ", "), table.rows, table.rows);
    }
  }
  return "";
}

// For methods that take one requirement. check_job has made sure that the job allows it.
void unite_requirements(Problem& problem, const MethodEntry& method, std::vector<std::string>& notices) {
  const size_t asked = without_implied(problem.requirements).size();
  problem.requirements = {united(problem.requirements)};
  if (asked < 2) return;
  const Requirement& all = problem.requirements.front();
  notices.push_back(
      fmt::format("method {} takes one requirement: the {} of the job are satisfied by k={} on all their columns ({}), "
                  "which is more than was asked (union: true)",
                  method.name, asked, all.k, fmt::join(requirement_names(all, problem.table), ", ")));
}

// ---- what the report says about the release ----

// How many kept cells each release of a column has.
std::vector<uint64_t> cells_per_release(const ReleasedColumn& column, const std::vector<uint32_t>& dropped) {
  std::vector<uint64_t> cells(column.values.size(), 0);
  if (dropped.size() == column.codes.size()) return cells;
  column.codes.visit([&](auto codes) {
    for (auto code : codes) ++cells[code];
  });
  for (uint32_t row : dropped) --cells[column.codes[row]];
  return cells;
}

void report_columns(const EncodedTable& encoded, const Recoding& recoding, const ReleasedTable& released,
                    Report& report) {
  for (size_t j = 0; j < encoded.table.quasi.size(); ++j) {
    const Hierarchy& hierarchy = encoded.hierarchies[j];
    const auto cells = cells_per_release(released.quasi[j], released.dropped_rows);
    ColumnReport column;
    column.name = encoded.table.quasi[j].name;
    column.type = encoded.quasi[j].type;
    column.hierarchy = encoded.quasi[j].hierarchy;
    column.values_in = hierarchy.leaves();
    column.gcp = report.measures.column_gcp[j];
    std::set<uint32_t> means;  // the same mean of different ranges is one value
    for (size_t code = 0; code < cells.size(); ++code) {
      const Released& value = released.quasi[j].values[code];
      if (cells[code] > 0) column.values_out += value.is_mean() ? means.insert(value.node).second : 1;
      if (value.node == Hierarchy::kRoot) report.cells_suppressed += cells[code];
    }
    if (!recoding.levels.empty()) {
      column.level = recoding.levels[j];
      column.height = hierarchy.height();
    }
    report.columns.push_back(std::move(column));
  }
}

void report_release(const Job& job, const EncodedTable& encoded, const Problem& problem, const Recoding& recoding,
                    const ReleasedTable& released, Report& report) {
  report.rows_dropped = released.dropped_rows.size();
  report.rows_out = report.rows_in - report.rows_dropped;
  MeasureSettings settings;
  settings.weights = problem.weights;
  settings.distortion_beta = job.distortion_beta;
  settings.k = c_avg_k(job);
  report.measures = measure(encoded.table, encoded.hierarchies, released, settings);
  report.risk_before =
      risk(group_rows(encoded.table.rows, raw_keys(encoded.table, encoded.hierarchies)).sizes, kRiskThreshold);
  report.risk =
      risk(group_rows(encoded.table.rows, released_keys(released), released.dropped_rows).sizes, kRiskThreshold);
  report.groups = report.risk.groups;
  report_columns(encoded, recoding, released, report);
}

// ---- the release on disk ----

std::vector<uint32_t> kept_rows(const Table& table, const std::vector<uint32_t>& dropped) {
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < table.rows; ++row) {
    if (!std::binary_search(dropped.begin(), dropped.end(), row)) rows.push_back(row);
  }
  return rows;
}

std::vector<uint32_t> shuffled(std::vector<uint32_t> rows, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random() % i]);
  return rows;
}

// Writes a model in place of a table, has its rows counted again on the original, and publishes it. The text form says
// what the JSON says, which is what is checked.
Status release_model(const Job& job, const Source& source, const ReleasedModel& model, Report& report,
                     Progress& progress) {
  progress.stage("write");
  auto stage_start = Clock::now();
  ReleaseFile release(job.output, source);
  const bool as_text = release.kind().format != FileFormat::json;
  std::ofstream(release.path()) << (as_text ? model.text : model.json);
  std::ifstream written(release.path());
  const std::string read_back{std::istreambuf_iterator<char>(written), {}};
  if (read_back != (as_text ? model.text : model.json)) {
    throw Error(ErrorKind::job, fmt::format("cannot write '{}': is the disk full?", job.output));
  }
  report.timings.write = seconds_since(stage_start);

  progress.stage("verify");
  stage_start = Clock::now();
  report.verification =
      verify_model(job, read_shown_tree(as_text ? model.json : read_back, job.output), source.path(), progress);
  report.timings.verify = seconds_since(stage_start);
  report.hashes.output = sha256_of_file(release.path());
  for (size_t i = 0; i < report.requirements.size() && !report.verification.smallest_groups.empty(); ++i) {
    report.requirements[i].min_group = report.verification.smallest_groups.front();
    report.requirements[i].ok = report.requirements[i].min_group >= report.requirements[i].k;
  }
  if (!report.verification.ok) return Status::verification_failed;
  release.publish();
  return Status::released;
}

void write_reports(const Job& job, const Report& report) {
  if (!job.json.empty()) write_text_file(job.json, json_text(to_json(report)));
  if (!job.report.empty()) write_text_file(job.report, to_html(report));
}

}  // namespace

Report anonymize(const Job& asked, Progress& progress) {
  const auto start = Clock::now();
  Job job = asked;
  job.threads = job.thread_count();
  job.method = chosen_method(job);
  check_job(job);
  check_outputs(job);
  const MethodEntry& method = *find_method(job.method);

  Report report;
  report.input = job.input;
  report.output = job.output;
  report.method = method.name;
  report.shape = method.shape;
  report.params = complete(job.params, method.parameters);
  report.seed = job.seed;
  report.threads = job.threads;
  report.hashes.job = sha256_of_text(job_yaml(asked));

  progress.stage("read");
  auto duck = std::make_unique<DuckDb>(job.threads, job.memory_limit);
  const Source source(job.input, job.delimiter, *duck, progress);
  const auto columns = plan_columns(job, source);
  const auto requirements = plan_requirements(job, columns);
  ReadTimings read_timings;
  const EncodedTable encoded = read_table(job, source, *duck, true, read_timings, progress);
  report.timings.read = read_timings.read;
  report.timings.encode = read_timings.encode;
  report.rows_in = encoded.table.rows;
  report.notices = encoded.notices;
  auto input_hash = std::async(std::launch::async, sha256_of_file, source.path());

  auto finish = [&](Status status, const std::string& reason) {
    report.status = status;
    report.reason = reason;
    report.hashes.input = input_hash.get();
    report.timings.total = seconds_since(start);
    report.peak_memory_bytes = peak_memory_bytes();
    write_reports(job, report);
    return report;
  };
  for (const Requirement& requirement : requirements) {
    report.requirements.push_back({requirement_names(requirement, encoded.table), requirement.k, 0, false});
  }
  if (const std::string reason = too_few_rows(requirements, encoded.table); !reason.empty()) {
    return finish(Status::unsatisfied, reason);
  }

  progress.stage("search");
  auto stage_start = Clock::now();
  Problem problem{encoded.table,     encoded.hierarchies, requirements, {},
                  job.suppress_rows, report.params,       job.seed,     job.threads};
  if (!method.several_requirements) unite_requirements(problem, method, report.notices);
  for (const Column& column : encoded.table.quasi) problem.weights.push_back(job.find_column(column.name)->weight);
  if (job.time_budget) {
    progress.set_deadline(stage_start +
                          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*job.time_budget)));
  }
  const SearchResult found = method.make()->search(problem, progress);
  progress.set_deadline(std::nullopt);
  report.timings.search = seconds_since(stage_start);
  report.search = found.stats;
  report.notices.insert(report.notices.end(), found.notices.begin(), found.notices.end());
  if (!found.recoding) return finish(Status::unsatisfied, found.reason);

  progress.stage("recode");
  stage_start = Clock::now();
  const ReleasedTable released = apply(*found.recoding, encoded.table, encoded.hierarchies, job.threads);
  report.timings.recode = seconds_since(stage_start);
  // What was lost is measured while the release is being written.
  auto measured =
      std::async(std::launch::async, [&] { report_release(job, encoded, problem, *found.recoding, released, report); });

  if (method.releases_model) {
    measured.get();
    const bool ok = release_model(job, source, *found.model, report, progress) == Status::released;
    return ok ? finish(Status::released, "")
              : finish(Status::verification_failed, "the model failed its verification; nothing was released");
  }

  progress.stage("write");
  stage_start = Clock::now();
  ReleaseParts parts{source, columns, encoded.table, encoded.hierarchies, released, {}};
  if (job.shuffle) parts.row_order = shuffled(kept_rows(encoded.table, released.dropped_rows), job.seed);
  ReleaseFile release(job.output, source);
  write_release(parts, release.path(), release.kind(), release.delimiter(), *duck, progress);
  duck.reset();  // verification opens its own
  measured.get();
  report.timings.write = seconds_since(stage_start);

  progress.stage("verify");
  stage_start = Clock::now();
  auto output_hash = std::async(std::launch::async, sha256_of_file, release.path());
  const std::vector<uint32_t> row_of_release =
      job.shuffle ? parts.row_order : kept_rows(encoded.table, released.dropped_rows);
  report.verification = verify_release(job, release.path(), source.path(), progress, &row_of_release);
  report.hashes.output = output_hash.get();
  report.timings.verify = seconds_since(stage_start);
  for (size_t i = 0; i < report.verification.smallest_groups.size(); ++i) {
    report.requirements[i].min_group = report.verification.smallest_groups[i];
    report.requirements[i].ok = report.requirements[i].min_group >= report.requirements[i].k || report.rows_out == 0;
  }
  if (!report.verification.ok) {
    return finish(Status::verification_failed, "the written release failed its verification; nothing was released");
  }
  if (!job.recoding.empty()) {
    RecodingContext context{{}, job.missing, found.grown_trees};
    for (const ColumnPlan& column : columns) {
      if (column.role == Role::identifier) context.identifiers.push_back(column.name);
    }
    write_text_file(job.recoding,
                    json_text(recoding_json(*found.recoding, encoded.table, encoded.hierarchies, context)));
  }
  release.publish();
  return finish(Status::released, "");
}

}  // namespace shoal
