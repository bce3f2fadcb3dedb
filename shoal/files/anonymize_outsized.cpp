#include "shoal/files/anonymize_outsized.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <memory>

#include "shoal/encode/problem.h"
#include "shoal/encode/sampled_table.h"
#include "shoal/files/anonymize_files.h"
#include "shoal/files/memory_plan.h"
#include "shoal/files/outsized_release.h"
#include "shoal/files/outsized_table.h"
#include "shoal/files/verify_files.h"
#include "shoal/job/requirements.h"
#include "shoal/method/fragments_parameter.h"
#include "shoal/method/space/families_together.h"
#include "shoal/method/space/requirement_families.h"
#include "shoal/plan/by_fragments.h"
#include "shoal/plan/fragments.h"
#include "shoal/read/facts.h"
#include "shoal/release/before_and_after.h"
#include "shoal/release/draft.h"
#include "shoal/run/clock.h"
#include "shoal/run/processor_time.h"
#include "shoal/write/release_file.h"
#include "shoal/write/write_release.h"

namespace shoal {
namespace {

constexpr uint64_t kDatabaseAtRest = 50'000'000;  // bytes, while nothing is asked of it

// Findings are looked for in some rows, as a table of their own, with what becomes of them.
bool examine_sample(Draft& draft, const OutsizedRelease& release, const Encoding& encoding, TableSource& source,
                    Progress& progress) {
  const OutsizedRelease::Sample& sample = release.sample();
  SampledTable table(source, sample.rows);
  ReadTimings timings;
  EncodeSettings settings;
  settings.encoding = &encoding;
  Draft part = draft;
  part.original = encode_table(draft.job, table, settings, timings, progress);
  const size_t width = part.original.table.quasi.size();
  part.released.quasi.clear();
  for (size_t j = 0; j < width; ++j) {
    const std::vector<Released>& values = release.released().quasi[j].values;
    ReleasedColumn column{values, Codes(sample.rows.size(), values.size()), {}};
    for (size_t i = 0; i < sample.rows.size(); ++i) column.codes.set(i, sample.releases[i * width + j]);
    part.released.quasi.push_back(std::move(column));
  }
  const bool fine = examine_draft(part, table, {}, progress);
  const Timings before = draft.report.timings;
  draft.report.findings = part.report.findings;
  draft.report.timings = before;
  draft.report.timings.findings = part.report.timings.findings;
  draft.report.timings.processor_findings = part.report.timings.processor_findings;
  draft.report.reason = part.report.reason;
  return fine;
}

void fill_measures(Draft& draft, const OutsizedTable& table, const OutsizedRelease& release) {
  Report& report = draft.report;
  const Encoding& encoding = table.streamed().encoding;
  const Table columns = table.columns();
  MeasureSettings settings;
  std::vector<std::vector<Released>> releases;
  for (size_t j = 0; j < columns.quasi.size(); ++j) {
    settings.weights.push_back(draft.job.find_column(columns.quasi[j].name)->weight);
    releases.push_back(release.released().quasi[j].values);
  }
  settings.distortion_beta = draft.job.distortion_beta;
  settings.k = c_avg_k(draft.job);
  report.measures = measure(release.cells(), releases, release.groups(), settings);
  report.risk_before = risk(release.sizes_before(), kRiskThreshold);
  report.risk = risk(release.sizes(), kRiskThreshold);
  report.groups = report.risk.groups;
  report.group_sizes_before = rows_by_group_size(release.sizes_before());
  report.group_sizes = rows_by_group_size(release.sizes());
  for (size_t j = 0; j < columns.quasi.size(); ++j) {
    const std::vector<uint64_t> cells = release.cells()[j].release_counts(releases[j].size());
    const ReleasedCounts counts{release.released().quasi[j], cells};
    report.cells_suppressed += cells_at_root(counts);
    report.columns.push_back(report_column(
        {columns.quasi[j], encoding.columns[j], encoding.hierarchies[j], release.cells()[j].leaf_counts(), counts},
        draft.job.ranges, report.measures.column_gcp[j]));
    if (release.levels().empty()) continue;
    report.columns.back().level = release.levels()[j];
    report.columns.back().height = encoding.hierarchies[j].height();
  }
}

// What DuckDB may take now; nothing where there is no limit.
std::optional<uint64_t> share_of_next_stage(const OutsizedRun& run) {
  if (run.limit.process == 0 || !run.job.memory_limit) return std::nullopt;
  return database_share(run.limit, resident_memory_bytes(), *run.job.memory_limit);
}

Report ended(Draft& draft, Status status, std::string reason) {
  draft.report.status = status;
  draft.report.reason = std::move(reason);
  return std::move(draft.report);
}

}  // namespace

uint64_t job_k(const FileJob& job, const TableSource& table) {
  uint64_t k = 1;
  for (const Requirement& requirement : plan_requirements(job, plan_columns(job, table)))
    k = std::max(k, requirement.k);
  return k;
}

namespace {

// The same for a search of the different rows alone.
std::string why_not_alike(const FileJob& job, const TableSource& table, const AlikeRows& alike) {
  if (!alike.why_not.empty()) return fmt::format("method {} {}", job.method, alike.why_not);
  for (const ColumnPlan& column : plan_columns(job, table)) {
    if (column.role != Role::person) continue;
    return fmt::format("method {} searches each different row once, and rows about different persons ('{}') all differ",
                       job.method, column.name);
  }
  return "";
}

std::string why_not_in_fragments(const FileJob& job, const TableSource& table, const Params& params, uint64_t rows) {
  const auto fragments = params.find(kFragments);
  if (fragments == params.end()) return fmt::format("method {} searches all rows together", job.method);
  if (fragments->second == "off") return fmt::format("method {} is asked for one piece (fragments=off)", job.method);
  if (fragments->second == "auto" && fragment_sizes(rows, job_k(job, table)).fragments < 2) {
    return "it has too few rows for fragments";
  }
  return "";
}

// What makes rows alike for this job's method. Requires MethodEntry::alike_rows.
OutsizedTable::Alike alike_by(const Job& job, const MethodEntry& method) {
  const bool rest = method.alike_rows(complete(job.params, method.parameters)).rest;
  return {rest || !all_models(job).empty(), rest};
}

}  // namespace

std::string why_not_outsized(const FileJob& job, const TableSource& table, uint64_t rows) {
  const MethodEntry& method = *find_method(job.method);
  const Params params = complete(job.params, method.parameters);
  std::string why = method.alike_rows != nullptr ? why_not_alike(job, table, method.alike_rows(params))
                                                 : why_not_in_fragments(job, table, params, rows);
  if (!why.empty()) return why;
  for (const ModelSpec& model : all_models(job)) {
    if (of_population(model))
      return fmt::format("{} counts a population for each group of the whole table", model_text(model));
  }
  if (!job.files.earlier.empty()) return "earlier releases are beside it";
  if (!job.files.population.empty()) return "a population is beside it";
  if (!job.files.recoding.empty() || !job.files.recoding_public.empty()) return "a recoding is asked for";
  return "";
}

namespace {

// Cuts the table and searches its fragments, for each family of requirements that share no column anew. Why there is no
// answer; "": there is one.
std::string search_in_fragments(OutsizedTable& table, OutsizedRelease& release, Draft& draft, const OutsizedRun& run,
                                Progress& progress) {
  Report& report = draft.report;
  const StreamedTable& streamed = table.streamed();
  const Table columns = table.columns();
  const Problem problem =
      make_problem(draft.job, *draft.method, columns, streamed.encoding, streamed.whole, report.notices);
  notice_ranges(draft.job, *draft.method, streamed.encoding, report.notices);
  FamilyTurn turn;
  const std::vector<RequirementFamily> families = requirement_families(problem.requirements);
  for (const RequirementFamily& family : families) {
    turn.columns.push_back(family.columns);
    turn.names.push_back(families.size() < 2 ? "" : names_of(family.columns, columns));
  }
  if (families.size() > 1 && draft.job.suppress_rows.value_or(0) > 0) report.notices.emplace_back(kNoRowsDroppedApart);
  std::vector<std::pair<std::string, std::string>> words;
  for (; turn.number < families.size(); ++turn.number) {
    PartOfProgress inner(progress, turn.number, families.size());
    const std::string& name = turn.names[turn.number];
    const Problem asked = problem_on(turn.columns[turn.number], problem);
    const std::string what = detail_of_family("fragments", name);
    if (table.holds_as_it_is(asked)) {
      words.emplace_back(what, "none: the table has what is asked for as it is");
      release.leave_as_it_is(turn, inner);
      continue;
    }
    const OutsizedTable::Fragments& fragments = table.cut(asked, inner);
    if (fragments.rows.size() < 2) {
      throw Error(ErrorKind::job,
                  fmt::format("the memory limit is too low for {} rows in one piece, and they cannot be cut into "
                              "fragments{}: {}; allow more memory",
                              streamed.rows, name.empty() ? "" : fmt::format(" for the requirement over {}", name),
                              fragments.reason.empty() ? "there are too few" : fragments.reason));
    }
    words.emplace_back(what, fragments.words);
    const int side_by_side = fit_fragments(run.job, columns, {fragments.rows, name, run.search_bytes});
    std::string reason = release.search(turn, {fragments.rows, side_by_side}, inner);
    if (!reason.empty()) return reason;
  }
  report.search = release.stats();
  report.search.details.insert(report.search.details.begin(), words.begin(), words.end());
  return "";
}

// The same for a search of the different rows alone, which have to fit into memory.
std::string search_alike_rows(OutsizedTable& table, OutsizedRelease& release, Draft& draft, const OutsizedRun& run,
                              InputFile& input, Progress& progress) {
  const OutsizedTable::Alike by = alike_by(draft.job, *draft.method);
  const uint64_t different = table.count_alike(by);
  fit_alike_rows(run.job, input.table, {table.streamed().rows, different}, run.search_bytes);
  if (run.job.memory_limit) input.duck.limit_memory(kDatabaseAtRest);
  notice_ranges(draft.job, *draft.method, table.streamed().encoding, draft.report.notices);
  std::string reason = release.search_alike(by, different, progress);
  draft.report.search = release.stats();
  table.forget_rows();
  if (run.job.memory_limit) input.duck.limit_memory(*run.job.memory_limit);
  draft.report.notices.push_back(
      fmt::format("{} of {} rows are different and were searched, each with how often it occurs", different,
                  table.streamed().rows));
  return reason;
}

}  // namespace

Report anonymize_outsized(const OutsizedRun& run, InputFile& input, Outputs& outputs, Progress& progress) {
  progress.stage("read");
  auto stage_start = Clock::now();
  const OutsizedPlace place{std::filesystem::path(outputs.at(kReleaseOutput).path()).parent_path().string(),
                            run.most_bytes};
  check_accepted_columns(run.job, input.table);
  Draft draft = begin_draft(run.job, input.table);
  Report& report = draft.report;
  const bool by_alike_rows = draft.method->alike_rows != nullptr;
  OutsizedTable table(draft.job, input.table,
                      by_alike_rows ? OutsizedTable::Sorted::for_alike_rows : OutsizedTable::Sorted::for_fragments,
                      place, progress);
  const uint64_t rows = table.streamed().rows;
  report.timings.read = seconds_since(stage_start);
  report.rows_in = rows;
  const Table columns = table.columns();
  const auto requirements = plan_requirements(draft.job, draft.columns);
  for (const Requirement& requirement : requirements) {
    report.requirements.push_back({column_names(requirement, columns), requirement.k, 0, false});
  }
  const StreamedTable& streamed_table = table.streamed();
  const bool drops_rows = draft.method->drops_rows && draft.job.suppress_rows.value_or(0) > 0;
  if (std::string reason = impossible(requirements, columns, streamed_table.encoding, streamed_table.whole, drops_rows);
      !reason.empty()) {
    return ended(draft, Status::unsatisfied, reason);
  }

  progress.stage("search");
  stage_start = Clock::now();
  const double processor_start = processor_seconds();
  OutsizedRelease release(table, draft.job, *draft.method, place, progress);
  const auto search = [&] {
    const TimeBudget budget(progress, draft.job.time_budget, stage_start);
    return by_alike_rows ? search_alike_rows(table, release, draft, run, input, progress)
                         : search_in_fragments(table, release, draft, run, progress);
  };
  const std::string reason = search();
  report.notices.insert(report.notices.end(), release.notices().begin(), release.notices().end());
  report.timings.search = seconds_since(stage_start);
  report.timings.processor_search = processor_seconds() - processor_start;
  if (!reason.empty()) return ended(draft, Status::unsatisfied, reason);

  progress.stage("recode");
  stage_start = Clock::now();
  release.arrange(progress);
  report.rows_dropped = release.groups().dropped;
  report.rows_out = rows - report.rows_dropped;
  report.timings.recode = seconds_since(stage_start);
  fill_measures(draft, table, release);
  release.fill_privacy(report);
  report.notices.push_back(
      fmt::format("the table does not fit into the memory limit: {} in private files beside the release, and findings "
                  "were looked for in {} of its {} rows, in whole groups",
                  by_alike_rows ? "its rows were kept" : "it was searched in parts that were kept",
                  release.sample().rows.size(), rows));
  if (!examine_sample(draft, release, table.streamed().encoding, input.table, progress)) {
    for (RequirementReport& requirement : report.requirements) requirement.min_group = report.risk.smallest_group;
    return ended(draft, Status::finding, report.reason);
  }

  progress.stage("write");
  stage_start = Clock::now();
  if (const auto share = share_of_next_stage(run)) input.duck.limit_memory(*share);
  Table named = columns;
  named.rows = rows;
  const std::unique_ptr<ReleasedRows> streamed = release.rows();
  const std::vector<uint32_t> another_order;
  const ReleaseParts parts{input.source,
                           draft.columns,
                           named,
                           table.streamed().encoding.hierarchies,
                           release.released(),
                           draft.job.order == Order::released ? &another_order : nullptr,
                           run.job.files.escape_formulas,
                           streamed.get()};
  ReleaseFile file(outputs.at(kReleaseOutput), input.source);
  write_release(parts, file.path(), file.kind(), file.delimiter(), input.duck, progress);
  input.close_database();  // verification opens its own
  report.timings.write = seconds_since(stage_start);

  progress.stage("verify");
  stage_start = Clock::now();
  auto output_hash = std::async(std::launch::async, sha256_of_file, file.path());
  const SpilledWitness witness{release.row_of_release(), place.folder, place.most_bytes, release.kept()};
  FileJob verified = run.job;
  if (const auto share = share_of_next_stage(run)) verified.memory_limit = share;
  report.verification = verify_release(verified, file.path(), input.source.path(), witness, progress);
  report.hashes.output = output_hash.get();
  report.timings.verify = seconds_since(stage_start);
  for (size_t i = 0; i < report.verification.smallest_groups.size(); ++i) {
    report.requirements[i].min_group = report.verification.smallest_groups[i];
    report.requirements[i].ok = report.requirements[i].min_group >= report.requirements[i].k;
  }
  if (!report.verification.ok()) {
    return ended(draft, Status::verification_failed,
                 "the written release failed its verification; nothing was released");
  }
  file.done();
  return ended(draft, Status::released, "");
}

}  // namespace shoal
