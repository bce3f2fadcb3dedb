// Looking at tables without anonymizing them: risks of an input, measures of a release, values of a column.
#include <fmt/format.h>

#include <algorithm>

#include "shoal/assess_queries.h"
#include "shoal/nearest_word.h"
#include "shoal/read/read_table.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/group_keys.h"
#include "shoal/shoal.h"
#include "shoal/table/number.h"
#include "shoal/verify/mean_check.h"

namespace shoal {
namespace {

// The release's cells in the original's terms, and which original row each released row stands for.
class ReleaseReader {
 public:
  ReleaseReader(const Job& job, const Source& release, const EncodedTable& original, DuckDb& duck, Progress& progress)
      : release_(release), original_(original) {
    std::vector<size_t> quasi, rest;
    for (const Column& column : original.table.quasi) quasi.push_back(position(column.name));
    for (size_t j = 0; j < release.columns().size(); ++j) {
      const ColumnJob* column = job.find_column(release.columns()[j]);
      const Role role = column ? column->role : Role::plain;
      if (role == Role::plain || role == Role::sensitive) rest.push_back(j);
    }
    raw_ = read_columns(release, quasi, rest, duck, progress);
    const std::vector<std::string> alike = columns_with_means(job);
    for (size_t j = 0; j < quasi.size(); ++j) {
      if (std::find(alike.begin(), alike.end(), original.table.quasi[j].name) != alike.end()) alike_.push_back(j);
      parse_column(j);
    }
  }

  size_t rows() const { return raw_.rows; }

  // Rows are matched in order; originals without a partner were dropped.
  ReleasedTable match() const {
    const Table& table = original_.table;
    ReleasedTable result;
    for (size_t j = 0; j < table.quasi.size(); ++j)
      result.quasi.push_back({parsed_[j], Codes(table.rows, parsed_[j].size())});
    size_t next = 0;
    for (size_t row = 0; row < table.rows; ++row) {
      if (next == raw_.rows || !fits(next, row)) {
        result.dropped_rows.push_back(static_cast<uint32_t>(row));
        continue;
      }
      for (size_t j = 0; j < table.quasi.size(); ++j) result.quasi[j].codes.set(row, raw_.columns[j].codes[next]);
      ++next;
    }
    if (next < raw_.rows) {
      throw Error(
          ErrorKind::input,
          fmt::format("'{}' {} has no row in the original that it could stand for (rows must be in the original's "
                      "order); is it a release of this table?",
                      release_.name(), release_.place(next)));
    }
    std::vector<GroupKey> keys;
    for (size_t j : alike_) keys.push_back({&result.quasi[j].codes, result.quasi[j].values.size()});
    const Groups groups = group_rows(table.rows, keys, result.dropped_rows);
    for (size_t j : alike_) {
      if (original_.hierarchies[j].numeric()) tighten_means(j, groups, result.quasi[j]);
    }
    return result;
  }

 private:
  size_t position(const std::string& name) const {
    if (const auto found = release_.find(name)) return *found;
    throw Error(ErrorKind::input, fmt::format("the release '{}' has no column '{}'", release_.name(), name));
  }
  void parse_column(size_t j) {
    const RawColumn& raw = raw_.columns[j];
    std::vector<Released> parsed;
    for (size_t text = 0; text < raw.texts.size(); ++text) {
      auto released = parse_released(raw.texts[text], original_.table.quasi[j], original_.hierarchies[j]);
      if (may_be_mean(j, raw.texts[text])) released = any_number(j, static_cast<uint32_t>(text));
      if (!released) {
        throw Error(
            ErrorKind::input,
            fmt::format("'{}' {}: '{}' in the column '{}' is no value, range or hierarchy node of the original{}",
                        release_.name(), release_.place(raw.first_rows[text]), raw.texts[text], raw.name,
                        original_.hierarchies[j].numeric() && parse_number(raw.texts[text])
                            ? "; if it is a mean, name the method that released it (--method)"
                            : ""));
      }
      parsed.push_back(*released);
    }
    parsed_.push_back(std::move(parsed));
  }
  // ---- means: which numbers one stands for shows only when all rows are matched ----

  bool may_be_mean(size_t j, const std::string& text) const {
    return !alike_.empty() && alike_.back() == j && original_.hierarchies[j].numeric() && parse_number(text);
  }
  Released any_number(size_t j, uint32_t text) const {
    const Hierarchy& hierarchy = original_.hierarchies[j];
    const auto known = static_cast<uint32_t>(hierarchy.leaves() - (hierarchy.missing() ? 1 : 0));
    return {0, known - 1, Released::kFirstMean + text};
  }
  // Rows that look alike share a mean: it stands for their numbers.
  void tighten_means(size_t j, const Groups& groups, ReleasedColumn& column) const {
    const Codes& leaves = original_.table.quasi[j].codes;
    std::vector<Released> of_group(groups.sizes.size(), {UINT32_MAX, 0, 0});
    for (size_t row = 0; row < leaves.size(); ++row) {
      if (groups.group_of_row[row] == kNoGroup) continue;
      Released& released = of_group[groups.group_of_row[row]];
      const Released& read = column.values[column.codes[row]];
      if (read.is_mean()) {
        const uint32_t leaf = leaves[row];
        released = {std::min(released.first, leaf), std::max(released.last, leaf), read.node};
      } else {
        released = read;
      }
    }
    ReleasedColumn tightened{of_group, Codes(leaves.size(), std::max<size_t>(of_group.size(), 1)),
                             raw_.columns[j].texts};
    for (Released& released : tightened.values) {
      if (released.is_mean() && released.first == released.last) {
        released = released_leaf(original_.hierarchies[j], released.first);
      }
    }
    for (size_t row = 0; row < leaves.size(); ++row) {
      if (groups.group_of_row[row] != kNoGroup) tightened.codes.set(row, groups.group_of_row[row]);
    }
    column = std::move(tightened);
  }
  bool fits(size_t released_row, size_t row) const {
    const Table& table = original_.table;
    if (!table.rest.empty() && !raw_.rest.empty() && table.rest[row] != raw_.rest[released_row]) return false;
    for (size_t j = 0; j < table.quasi.size(); ++j) {
      const Released& cell = parsed_[j][raw_.columns[j].codes[released_row]];
      const uint32_t leaf = table.quasi[j].codes[row];
      if (leaf < cell.first || leaf > cell.last) return false;
    }
    return true;
  }

  const Source& release_;
  const EncodedTable& original_;
  std::vector<size_t> alike_;  // columns that decide together which rows share a mean; empty where there are no means
  RawTable raw_;
  std::vector<std::vector<Released>> parsed_;
};

}  // namespace

MeasureReport measure_release(const Job& job, const std::string& release_path, Progress& progress,
                              const std::optional<QueryWorkload>& workload) {
  DuckDb duck(job.thread_count(), job.memory_limit);
  progress.stage("read");
  const Source source(job.input, job.delimiter, duck, progress);
  plan_requirements(job, plan_columns(job, source));  // mistakes are named before anything is read
  ReadTimings timings;
  const EncodedTable original = read_table(job, source, duck, true, timings, progress);
  if (workload) check_workload(*workload, original);
  const Source release(release_path, "", duck, progress);
  const ReleaseReader reader(job, release, original, duck, progress);
  const ReleasedTable released = reader.match();

  progress.stage("measure");
  MeasureSettings settings;
  for (const Column& column : original.table.quasi) settings.weights.push_back(job.find_column(column.name)->weight);
  settings.k = c_avg_k(job);
  settings.distortion_beta = job.distortion_beta;
  MeasureReport report;
  report.measures = measure(original.table, original.hierarchies, released, settings);
  report.risk =
      risk(group_rows(original.table.rows, released_keys(released), released.dropped_rows).sizes, kRiskThreshold);
  report.rows_in = original.table.rows;
  report.rows_out = reader.rows();
  if (workload) report.query_errors = query_errors(*workload, job, source, original, released, duck, progress);
  return report;
}

RiskReport risk_report(const Job& job, double threshold, Progress& progress) {
  DuckDb duck(job.thread_count(), job.memory_limit);
  progress.stage("read");
  const Source source(job.input, job.delimiter, duck, progress);
  const auto plan = plan_columns(job, source);
  const auto requirements = plan_requirements(job, plan);
  std::vector<size_t> quasi;
  for (size_t j = 0; j < plan.size(); ++j) {
    if (plan[j].role == Role::quasi) quasi.push_back(j);
  }
  // Risks need no hierarchies: equal texts look alike, all spellings of "missing" are one value.
  RawTable raw = read_columns(source, quasi, {}, duck, progress);
  std::vector<GroupKey> keys;
  for (RawColumn& column : raw.columns) {
    std::vector<uint32_t> code_of_text;
    std::optional<uint32_t> missing;
    for (uint32_t text = 0; text < column.texts.size(); ++text) {
      const bool is_missing = column.texts[text].empty() || std::find(job.missing.begin(), job.missing.end(),
                                                                      column.texts[text]) != job.missing.end();
      if (is_missing && !missing) missing = text;
      code_of_text.push_back(is_missing ? *missing : text);
    }
    column.codes.visit([&](auto codes) {
      for (auto& code : codes) code = static_cast<std::remove_reference_t<decltype(code)>>(code_of_text[code]);
    });
    keys.push_back({&column.codes, column.texts.size()});
  }
  RiskReport report;
  report.rows = raw.rows;
  report.all_quasi = risk(group_rows(raw.rows, keys).sizes, threshold);
  for (const Requirement& requirement : requirements) {
    std::vector<GroupKey> chosen;
    RiskReport::PerRequirement entry;
    entry.k = requirement.k;
    for (size_t j : requirement.columns) {
      chosen.push_back(keys[j]);
      entry.columns.push_back(raw.columns[j].name);
    }
    const auto sizes = group_rows(raw.rows, chosen).sizes;
    entry.risk = risk(sizes, threshold);
    for (uint32_t size : sizes) entry.rows_below_k += size < requirement.k ? size : 0;
    report.requirements.push_back(std::move(entry));
  }
  return report;
}

ValueCounts column_values(const Job& job, const std::string& column, Progress& progress) {
  DuckDb duck(job.thread_count(), job.memory_limit);
  const Source source(job.input, job.delimiter, duck, progress);
  const auto found = source.find(column);
  if (!found) {
    throw Error(ErrorKind::job,
                fmt::format("no column '{}' in '{}'{}", column, source.name(), did_you_mean(column, source.columns())));
  }
  const RawTable raw = read_columns(source, {*found}, {}, duck, progress);
  ValueCounts result;
  for (size_t text = 0; text < raw.columns[0].texts.size(); ++text) {
    const std::string& value = raw.columns[0].texts[text];
    if (value.empty() || std::find(job.missing.begin(), job.missing.end(), value) != job.missing.end()) continue;
    result.values.push_back(value);
    result.counts.push_back(raw.columns[0].counts[text]);
  }
  return result;
}

}  // namespace shoal
