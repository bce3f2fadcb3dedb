#include "shoal/release/anonymize.h"

#include <fmt/format.h>

#include "shoal/error.h"
#include "shoal/job/file_job.h"
#include "shoal/recode/apply.h"
#include "shoal/release/draft.h"
#include "shoal/release/released_order.h"
#include "shoal/release/verify_release.h"
#include "shoal/run/clock.h"
#include "shoal/run/processor_time.h"
#include "shoal/table/dictionary.h"

namespace shoal {
namespace {

// A quasi column as released. A missing cell that stays missing is NULL.
ArrowColumn released_column(const Draft& draft, size_t quasi, const std::vector<uint32_t>& rows) {
  const Column& column = draft.original.table.quasi[quasi];
  const ReleasedColumn& released = draft.released.quasi[quasi];
  Dictionary texts;  // different releases may print alike
  std::vector<uint32_t> code_of;
  constexpr uint32_t kMissing = UINT32_MAX;
  for (const Released& value : released.values) {
    const std::string text = released_text(value, column, draft.original.encoding.hierarchies[quasi], released.means);
    code_of.push_back(text.empty() ? kMissing : texts.code(text));
  }
  ArrowColumn result = ArrowColumn::of_codes(column.name, texts.texts());
  for (uint32_t row : rows) {
    const uint32_t code = code_of[released.codes[row]];
    if (code == kMissing) {
      result.add_null();
    } else {
      result.add_code(code);
    }
  }
  return result;
}

// A column of a source that is no Arrow table, as texts.
ArrowColumn text_column(TableSource& source, size_t column, const std::vector<uint32_t>& rows,
                        const Progress& progress) {
  ArrowColumn result = ArrowColumn::of_texts(source.columns()[column]);
  std::vector<std::string> cells;
  std::vector<bool> null;
  source.read(std::vector{column}, progress, [&](TextStream& stream) {
    cells.clear();
    null.clear();
    while (stream.next()) {
      for (size_t row = 0; row < stream.size(); ++row) {
        null.push_back(stream.cell(0, row).data() == nullptr);
        cells.emplace_back(stream.cell(0, row));
      }
    }
  });
  for (uint32_t row : rows) {
    if (null[row]) {
      result.add_null();
    } else {
      result.add_text(cells[row]);
    }
  }
  return result;
}

ArrowColumns released_table(const Draft& draft, TableSource& source, const std::vector<uint32_t>& rows,
                            Progress& progress) {
  const auto* arrow = dynamic_cast<const ArrowTable*>(&source);
  std::vector<ArrowColumn> columns;
  size_t quasi = 0;
  for (size_t j = 0; j < draft.columns.size(); ++j) {
    progress.check();
    if (!is_released(draft.columns[j].role)) continue;
    if (draft.columns[j].role == Role::quasi) {
      columns.push_back(released_column(draft, quasi++, rows));
    } else {
      columns.push_back(arrow != nullptr ? ArrowColumn::taken(*arrow, j, rows)
                                         : text_column(source, j, rows, progress));
    }
  }
  return ArrowColumns(std::move(columns));
}

// The job as run, where a file can say it: a tree at hand has no file that could be named.
std::string job_text(const Job& job, const Report& report) {
  FileJob run;
  static_cast<Job&>(run) = job;
  for (const ColumnJob& column : run.columns) {
    if (column.hierarchy && column.hierarchy->file.empty() && !column.hierarchy->builder) return "";
  }
  run.method = report.method;
  run.params = report.params;
  return job_yaml(run);
}

}  // namespace

Release anonymize(const Job& job, TableSource& source, const SecondEngine& second_engine, Progress& progress,
                  const TablesBeside& beside) {
  const auto start = Clock::now();
  const double processor_start = processor_seconds();
  Draft draft = draft_release(job, source, progress, beside);
  draft.report.job = job_text(job, draft.report);
  Release release;
  const auto finish = [&](Status status, std::string reason) {
    draft.report.status = status;
    draft.report.reason = std::move(reason);
    draft.report.timings.total = seconds_since(start);
    draft.report.timings.processor_total = processor_seconds() - processor_start;
    release.report = std::move(draft.report);
    return std::move(release);
  };
  if (!draft.satisfied()) return finish(Status::unsatisfied, draft.report.reason);
  if (draft.method->releases_model()) {
    throw Error(ErrorKind::job, fmt::format("method {} releases a model instead of a table, which needs a file to be "
                                            "written to; choose another method",
                                            draft.method->name));
  }
  measure_draft(draft);
  if (!examine_draft(draft, source, beside.earlier, progress)) return finish(Status::finding, draft.report.reason);

  progress.stage("write");
  auto stage_start = Clock::now();
  std::vector<uint32_t> rows = row_of_release(draft);
  const ArrowColumns table = released_table(draft, source, rows, progress);
  draft.report.timings.write = seconds_since(stage_start);

  progress.stage("verify");
  stage_start = Clock::now();
  ArrowArrayStream stream{};
  table.stream(stream);
  ArrowTable written(stream, "the release");
  const OriginalToVerify original{source, &rows, false, nullptr, beside.times};
  TableSource* people = draft.population ? beside.population : nullptr;
  const auto domains = beside.fragment != nullptr ? beside.fragment->domains : std::span<const Domain>();
  draft.report.verification = verify_release(draft.job, written, {&original, people, domains}, second_engine, progress);
  draft.report.timings.verify = seconds_since(stage_start);
  const Verification& verification = draft.report.verification;
  for (size_t i = 0; i < verification.smallest_groups.size(); ++i) {
    RequirementReport& requirement = draft.report.requirements[i];
    requirement.min_group = verification.smallest_groups[i];
    requirement.ok = requirement.min_group >= requirement.k || draft.report.rows_out == 0;
  }
  if (!verification.ok()) {
    return finish(Status::verification_failed, "the release failed its verification; nothing was released");
  }
  release.table = table;
  release.columns = written.columns();
  release.row_of_release = std::move(rows);
  release.recoding = std::get<Recoding>(std::move(draft.found.answer));
  release.grown_trees = std::move(draft.found.grown_trees);
  release.original.rows = draft.original.table.rows;
  release.original.quasi = std::move(draft.original.table.quasi);
  release.encoding = std::move(draft.original.encoding);
  return finish(Status::released, "");
}

}  // namespace shoal
