// New rows by an old recoding: the test set of a classifier, next month's table.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shoal/encode/encoding.h"
#include "shoal/files/apply_recoding.h"
#include "shoal/nearest_word.h"
#include "shoal/read/input_file.h"
#include "shoal/read/read_recoding.h"
#include "shoal/recode/new_rows.h"
#include "shoal/write/release_file.h"
#include "shoal/write/write_release.h"

namespace shoal {
namespace {

// The distinct released texts become a flat column whose cells are released as they are.
void add_column(const std::string& name, const RecodedTexts& recoded, EncodedTable& encoded, ReleasedTable& released) {
  const ColumnValues values{name, recoded.texts, false, "", {}};
  BoundHierarchy bound = bind_flat(values);
  Column column{name, Codes(recoded.codes.size(), recoded.texts.size()), std::move(bound.leaf_texts)};
  for (size_t row = 0; row < recoded.codes.size(); ++row) {
    column.codes.set(row, bound.leaf_of_value[recoded.codes[row]]);
  }
  ReleasedColumn cells;
  for (uint32_t leaf = 0; leaf < bound.hierarchy.leaves(); ++leaf) {
    cells.values.push_back(released_leaf(bound.hierarchy, leaf));
  }
  cells.codes = column.codes;
  released.quasi.push_back(std::move(cells));
  encoded.table.quasi.push_back(std::move(column));
  encoded.encoding.hierarchies.push_back(std::move(bound.hierarchy));
}

// The job with which the recoding's numbers are read as numbers, however the new table writes them.
FileJob with_numbers(FileJob job, const RecodingFile& file) {
  job.missing = file.missing;
  for (const WrittenRecoding::Column& column : file.recoding.columns) {
    if (column.stretches.empty()) continue;
    job.column(column.name).role = Role::quasi;
    job.column(column.name).type = ColumnType::numeric;
  }
  return job;
}

}  // namespace

ApplyReport apply_recoding(const FileJob& asked, const std::string& recoding_path, Outputs& outputs,
                           Progress& progress) {
  outputs.reads("the recoding", recoding_path);
  outputs.reads("the table", asked.files.input);
  Output& output = outputs.writes("the table of recoded rows", asked.files.output);
  release_kind(asked.files.output);
  outputs.prepare();
  const RecodingFile recoding_file = read_recoding(recoding_path);
  const WrittenRecoding& recoding = recoding_file.recoding;
  progress.stage("read");
  const FileJob job = with_numbers(asked, recoding_file);
  Notices notices;
  InputFile input(job.files.input, job, progress, &notices);
  const Source& source = input.source;
  std::vector<ColumnPlan> plan;
  for (const std::string& name : source.columns()) {
    const auto& names = recoding_file.plain;
    plan.push_back({name, std::find(names.begin(), names.end(), name) == names.end() ? Role::none : Role::plain});
  }
  std::vector<size_t> places;
  for (const WrittenRecoding::Column& column : recoding.columns) {
    const auto found = source.find(column.name);
    if (!found) {
      throw Error(ErrorKind::input, fmt::format("'{}' has no column '{}', which the recoding recodes{}", source.name(),
                                                column.name, did_you_mean(column.name, source.columns())));
    }
    plan[*found].role = Role::quasi;
    places.push_back(*found);
  }
  const RawTable raw = read_columns(input.table, places, {}, progress);

  progress.stage("recode");
  std::vector<NewColumn> cells;
  for (const RawColumn& column : raw.columns) cells.push_back({column.texts, &column.codes});
  const auto recoded = recode_new_texts(recoding, MissingTexts(recoding_file.missing), raw.rows, cells);
  // The writer takes recoded columns in the order of the file.
  std::vector<size_t> order(places.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return places[a] < places[b]; });
  ApplyReport report;
  report.rows = raw.rows;
  report.notices = std::move(notices.notices);
  for (size_t j : columns_with(plan, Role::none)) report.left_out.push_back(plan[j].name);
  EncodedTable encoded;
  encoded.table.rows = raw.rows;
  ReleasedTable released;
  for (size_t i : order) {
    report.columns.push_back({recoding.columns[i].name, 0, 0});
    ApplyReport::PerColumn& column = report.columns.back();
    for (size_t text = 0; text < recoded[i].known.size(); ++text) {
      if (recoded[i].known[text]) continue;
      ++column.unseen_values;
      column.unseen_rows += raw.columns[i].counts[text];
    }
    add_column(column.name, recoded[i], encoded, released);
  }

  progress.stage("write");
  ReleaseFile file(output, source);
  const ReleaseParts parts{
      source, plan, encoded.table, encoded.encoding.hierarchies, released, nullptr, job.files.escape_formulas};
  write_release(parts, file.path(), file.kind(), file.delimiter(), input.duck, progress);
  file.done();
  return report;
}

}  // namespace shoal
