#include "shoal/files/examine_files.h"

#include <algorithm>

#include "shoal/examine/findings.h"
#include "shoal/files/earlier_files.h"
#include "shoal/files/memory_plan.h"
#include "shoal/files/query_workload.h"
#include "shoal/job/requirements.h"
#include "shoal/read/escaped_table.h"
#include "shoal/read/hierarchies.h"
#include "shoal/read/input_file.h"

namespace shoal {
namespace {

bool is_escaped(const FileJob& job, const Source& release) {
  return job.files.escape_formulas && release.format() == FileFormat::csv;
}

std::vector<Finding> told_of_escape(std::vector<Finding> findings, bool escaped) {
  if (escaped) say_formulas_are_escaped(findings);
  return findings;
}

}  // namespace

MeasureReport measure_release(const FileJob& asked, const std::string& release_path, Progress& progress,
                              const std::optional<QueryWorkload>& workload, Notices* told) {
  Notices unasked;
  Notices& notices = told != nullptr ? *told : unasked;
  FileJob job = with_hierarchies_read(asked, notices.data_notices);
  InputFile input(job.files.input, job, progress, &notices);
  fit_into_memory(job, input, std::nullopt, progress);
  const Source release(release_path, reading_of_release(job, release_path), input.duck, progress);
  notices.add(release.notices());
  FileTable release_file(release, input.duck);
  EscapedTable release_table(release_file, is_escaped(job, release));
  const MatchedRelease matched = match_release(job, input.table, release_table, progress);
  if (workload) check_workload(*workload, matched.original);
  MeasureReport report = measure_release(job, matched, progress);
  if (const auto models = all_models(job); std::any_of(models.begin(), models.end(), of_population)) {
    std::optional<InputFile> people;
    if (!job.files.population.empty()) people.emplace(job.files.population, job, progress, &notices);
    measure_population(job, {input.table, release_table, people ? &people->table : nullptr}, report, progress);
  }
  if (workload) {
    report.query_errors =
        query_errors(*workload, job, input.source, matched.original, matched.released, input.duck, progress);
  }
  return report;
}

std::vector<Finding> release_findings(const FileJob& asked, const std::string& release_path,
                                      const std::optional<std::string>& original, Progress& progress, Notices* told) {
  Notices unasked;
  Notices& notices = told != nullptr ? *told : unasked;
  const FileJob job = original ? with_hierarchies_read(asked, notices.data_notices)
                               : with_sensitive_hierarchies_read(asked, notices.data_notices);
  InputFile input(original.value_or(release_path), original ? job : reading_releases(job, release_path), progress,
                  &notices);
  if (!original) {
    const bool escaped = is_escaped(job, input.source);
    EscapedTable table(input.table, escaped);
    return told_of_escape(release_findings(job, table, nullptr, {}, progress), escaped);
  }
  const Source release(release_path, reading_of_release(job, release_path), input.duck, progress);
  notices.add(release.notices());
  FileTable release_file(release, input.duck);
  EscapedTable release_table(release_file, is_escaped(job, release));
  const EarlierFiles earlier(job, input.duck, progress, notices);
  return told_of_escape(release_findings(job, release_table, &input.table, earlier.tables(), progress),
                        is_escaped(job, release));
}

RiskReport risk_report(const FileJob& asked, const RiskSettings& settings, Progress& progress, Notices* told) {
  const std::string& population = asked.files.population;
  Notices unasked;
  Notices& notices = told != nullptr ? *told : unasked;
  FileJob job = population.empty() ? with_sensitive_hierarchies_read(asked, notices.data_notices)
                                   : with_hierarchies_read(asked, notices.data_notices);
  InputFile input(job.files.input, job, progress, &notices);
  fit_into_memory(job, input, std::nullopt, progress);
  if (population.empty()) return risk_report(job, input.table, settings, progress);
  InputFile people(population, job, progress, &notices);
  RiskSettings with_people = settings;
  with_people.population = &people.table;
  return risk_report(job, input.table, with_people, progress);
}

ValueCounts column_values(const FileJob& job, const std::string& column, Progress& progress, Notices* notices) {
  InputFile input(job.files.input, job, progress, notices);
  return column_values(job, input.table, column, progress);
}

}  // namespace shoal
