// From file to file: the draft of a release is written beside its place, verified there, and only then gets its name.
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <nlohmann/json.hpp>

#include "shoal/examine/findings.h"
#include "shoal/files/anonymize_files.h"
#include "shoal/files/anonymize_outsized.h"
#include "shoal/files/earlier_files.h"
#include "shoal/files/memory_plan.h"
#include "shoal/files/verify_files.h"
#include "shoal/files/verify_model.h"
#include "shoal/read/facts.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"
#include "shoal/read/read_shown_tree.h"
#include "shoal/read/whole_file.h"
#include "shoal/release/draft.h"
#include "shoal/release/released_order.h"
#include "shoal/report/release_document.h"
#include "shoal/report/render.h"
#include "shoal/run/clock.h"
#include "shoal/run/processor_time.h"
#include "shoal/write/recoding_json.h"
#include "shoal/write/release_file.h"
#include "shoal/write/release_query.h"
#include "shoal/write/shown_tree_json.h"
#include "shoal/write/write_release.h"

namespace shoal {
namespace {

constexpr size_t kOutsizedPart = 48 << 20;  // bytes that each part of the work on a table in private files may hold

// A release's name must fit what is released; better said before the work.
void check_release_name(const FileJob& job) {
  if (job.files.output.empty()) {
    throw Error(ErrorKind::job, "no output; say where the release goes: a file, or - for standard output",
                Advice{Setting::output});
  }
  const FileKind kind = release_kind(job.files.output);
  if (!find_method(job.method)->releases_model()) return;
  if (!job.files.recoding.empty() || !job.files.recoding_public.empty()) {
    throw Error(ErrorKind::job, fmt::format("method {} releases a model and recodes no cells: there is no recoding to "
                                            "write; leave `recoding` and `recoding_public` out",
                                            job.method));
  }
  if (job.files.output == "-") return;
  if (!kind.compression.empty() || (!job.files.output.ends_with(".json") && !job.files.output.ends_with(".txt"))) {
    throw Error(ErrorKind::job, fmt::format("method {} releases a model, not a table; '{}' must end in .json or .txt",
                                            job.method, job.files.output));
  }
}

// The same for its columns, once the input's are known.
void check_released_names(const FileJob& job, const TableSource& input) {
  std::vector<std::string> names;
  for (const ColumnPlan& column : plan_columns(job, input)) {
    if (is_released(column.role)) names.push_back(column.name);
  }
  check_column_names(names, release_kind(job.files.output).format);
  if (job.files.escape_formulas) check_no_formula_names(names, release_kind(job.files.output).format);
}

// ---- the release on disk ----

// Writes a model in place of a table, has its rows counted again on the original, and publishes it. The text form says
// what the JSON says, which is what is checked.
Status release_model(const FileJob& job, const Source& source, const ShownTree& model, Output& release, Report& report,
                     Progress& progress) {
  progress.stage("write");
  auto stage_start = Clock::now();
  const bool as_text = release_kind(job.files.output).format != FileFormat::json;
  const std::string json = shown_tree_json(model), text = as_text ? model.text() : json;
  release.fill(text);
  const std::string read_back = whole_file(release.path(), "the release");
  if (read_back != text)
    throw Error(ErrorKind::job, fmt::format("'{}' was not written as it should be", job.files.output));
  report.timings.write = seconds_since(stage_start);

  progress.stage("verify");
  stage_start = Clock::now();
  report.verification =
      verify_model(job, read_shown_tree(as_text ? json : read_back, job.files.output), source.path(), progress);
  report.timings.verify = seconds_since(stage_start);
  report.hashes.output = sha256_of_file(release.path());
  for (size_t i = 0; i < report.requirements.size() && !report.verification.smallest_groups.empty(); ++i) {
    report.requirements[i].min_group = report.verification.smallest_groups.front();
    report.requirements[i].ok = report.requirements[i].min_group >= report.requirements[i].k;
  }
  if (!report.verification.ok()) return Status::verification_failed;
  release.done();
  return Status::released;
}

void write_recodings(const FileJob& job, const Draft& draft, Outputs& outputs) {
  const Recoding& found = *draft.found.recoding();
  const Table& table = draft.original.table;
  const std::vector<Hierarchy>& hierarchies = draft.original.encoding.hierarchies;
  if (Output& recoding = outputs.at(kRecodingOutput); recoding.wanted()) {
    RecodingContext context{{}, job.missing, draft.found.grown_trees};
    for (const ColumnPlan& column : draft.columns) {
      if (is_released(column.role) && column.role != Role::quasi) context.plain.push_back(column.name);
    }
    recoding.write(indented_text(recoding_json(found, table, hierarchies, context)));
  }
  if (Output& recoding = outputs.at(kPublicRecodingOutput); recoding.wanted()) {
    recoding.write(indented_text(public_recoding_json(found, draft.released, table, hierarchies)));
  }
}

// The job with the method and the settings that were chosen for it.
FileJob as_run(FileJob job, const Report& report) {
  job.method = report.method;
  job.params = report.params;
  return job;
}

void write_reports(Outputs& outputs, const Report& report) {
  const Document document = release_document(report);
  if (Output& json = outputs.at(kJsonOutput); json.wanted()) json.write(json_text(document));
  if (Output& page = outputs.at(kReportOutput); page.wanted()) page.write(html_page(document));
  if (Output& page = outputs.at(kPublicReportOutput); page.wanted()) {
    const bool json = page.name().ends_with(".json");
    page.write(json ? json_text(document, Audience::everyone) : html_page(document, Audience::everyone));
  }
}

}  // namespace

void register_files(const FileJob& job, Outputs& outputs) {
  outputs.reads(job);
  outputs.writes(kReleaseOutput, job.files.output);
  outputs.writes(kJsonOutput, job.files.json);
  outputs.writes(kReportOutput, job.files.report);
  outputs.writes(kPublicReportOutput, job.files.report_public);
  outputs.writes(kRecodingOutput, job.files.recoding);
  outputs.writes(kPublicRecodingOutput, job.files.recoding_public);
}

Report anonymize_files(const FileJob& job, Progress& progress) {
  check_job(job);
  check_files(job.files);
  Outputs outputs;
  register_files(job, outputs);
  outputs.prepare();
  Report report = anonymize_files(job, outputs, progress);
  outputs.publish(progress);
  return report;
}

Report anonymize_files(const FileJob& asked, Outputs& outputs, Progress& progress,
                       const std::vector<std::string>& said) {
  const auto start = Clock::now();
  const double processor_start = processor_seconds();
  FileJob job = asked;
  job.threads = job.thread_count();
  check_job(job);
  job.method = chosen_method(job);
  check_files(job.files);
  check_release_name(job);
  progress.stage("read");
  Notices notices;
  job = with_hierarchies_read(std::move(job), notices.data_notices);
  auto input = std::make_unique<InputFile>(job.files.input, job, progress, outputs.at(kReleaseOutput).path());
  const MemoryFit memory = choose_memory(job, *input, progress);
  const Source& source = input->source;
  notices.add(source.notices());
  const EarlierFiles earlier(job, input->duck, progress, notices);
  std::optional<InputFile> people;
  if (!job.files.population.empty()) people.emplace(job.files.population, job, progress, &notices);
  check_released_names(job, input->table);
  auto input_hash = std::async(std::launch::async, sha256_of_file, source.path());
  const auto name = [&](Report& report) {
    report.input = job.files.input;
    report.output = job.files.output;
    report.hashes.job = sha256_of_text(job_yaml(asked));
    report.job = job_yaml(as_run(asked, report));
    report.notices.insert(report.notices.begin(), said.begin(), said.end());
    report.notices.insert(report.notices.end(), notices.notices.begin(), notices.notices.end());
    report.data_notices = std::move(notices.data_notices);  // they quote labels
  };
  const auto complete_report = [&](Report& report) {
    report.hashes.input = input_hash.get();
    report.timings.total = seconds_since(start);
    report.timings.processor_total = processor_seconds() - processor_start;
    report.peak_memory_bytes = peak_memory_bytes();
    write_reports(outputs, report);
    return report;
  };
  if (memory.outsized) {
    Report report =
        anonymize_outsized({job, kOutsizedPart, memory.search_bytes, memory.limit}, *input, outputs, progress);
    name(report);
    if (job.files.escape_formulas && report.findings && release_kind(job.files.output).format == FileFormat::csv) {
      say_formulas_are_escaped(*report.findings);
    }
    return complete_report(report);
  }
  Draft draft = draft_release(job, input->table, progress, {.population = people ? &people->table : nullptr});
  people.reset();  // verification reads it again
  Report& report = draft.report;
  name(report);

  auto finish = [&](Status status, const std::string& reason) {
    report.status = status;
    report.reason = reason;
    return complete_report(report);
  };
  if (!draft.satisfied()) return finish(Status::unsatisfied, report.reason);

  if (draft.method->releases_model()) {
    measure_draft(draft);
    const bool ok = release_model(job, source, *draft.found.model(), outputs.at(kReleaseOutput), report, progress) ==
                    Status::released;
    return ok ? finish(Status::released, "")
              : finish(Status::verification_failed, "the model failed its verification; nothing was released");
  }

  const bool examined = examine_draft(draft, input->table, earlier.tables(), progress);
  if (job.files.escape_formulas && release_kind(job.files.output).format == FileFormat::csv) {
    say_formulas_are_escaped(*report.findings);
  }
  if (!examined) {
    measure_draft(draft);
    return finish(Status::finding, report.reason);
  }

  progress.stage("write");
  auto stage_start = Clock::now();
  // What was lost is measured while the release is being written.
  auto measured = std::async(std::launch::async, [&] { measure_draft(draft); });
  const std::vector<uint32_t> rows = row_of_release(draft);
  const ReleaseParts parts{source,
                           draft.columns,
                           draft.original.table,
                           draft.original.encoding.hierarchies,
                           draft.released,
                           job.order == Order::released ? &rows : nullptr,
                           job.files.escape_formulas};
  ReleaseFile release(outputs.at(kReleaseOutput), source);
  write_release(parts, release.path(), release.kind(), release.delimiter(), input->duck, progress);
  input->close_database();  // verification opens its own
  measured.get();
  report.timings.write = seconds_since(stage_start);

  progress.stage("verify");
  stage_start = Clock::now();
  auto output_hash = std::async(std::launch::async, sha256_of_file, release.path());
  report.verification = verify_release(job, release.path(), source.path(), progress, &rows);
  report.hashes.output = output_hash.get();
  report.timings.verify = seconds_since(stage_start);
  for (size_t i = 0; i < report.verification.smallest_groups.size(); ++i) {
    report.requirements[i].min_group = report.verification.smallest_groups[i];
    report.requirements[i].ok = report.requirements[i].min_group >= report.requirements[i].k || report.rows_out == 0;
  }
  if (!report.verification.ok()) {
    return finish(Status::verification_failed, "the written release failed its verification; nothing was released");
  }
  write_recodings(job, draft, outputs);
  release.done();
  return finish(Status::released, "");
}

}  // namespace shoal
