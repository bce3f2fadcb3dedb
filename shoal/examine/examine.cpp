#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "shoal/encode/encoding.h"
#include "shoal/encode/problem.h"
#include "shoal/examine/examine.h"
#include "shoal/examine/findings.h"
#include "shoal/examine/population_fit.h"
#include "shoal/examine/privacy.h"
#include "shoal/job/released_means.h"
#include "shoal/job/requirements.h"
#include "shoal/nearest_word.h"
#include "shoal/recode/apply.h"
#include "shoal/recode/group_keys.h"
#include "shoal/run/counted.h"
#include "shoal/table/missing_texts.h"
#include "shoal/table/number.h"

namespace shoal {
MeasureReport measure_release(const Job& job, const MatchedRelease& matched, Progress& progress) {
  progress.stage("measure");
  const Table& table = matched.original.table;
  MeasureSettings settings;
  for (const Column& column : table.quasi) settings.weights.push_back(job.find_column(column.name)->weight);
  settings.k = c_avg_k(job);
  settings.distortion_beta = job.distortion_beta;
  MeasureReport report;
  report.measures = measure(table, matched.original.encoding.hierarchies, matched.released, settings);
  const auto before = raw_keys(table, matched.original.encoding.hierarchies), after = released_keys(matched.released);
  const Groups groups = group_rows(table.rows, after, matched.released.dropped_rows);
  report.risk = risk(groups.sizes, kRiskThreshold);
  const Encoding& encoding = matched.original.encoding;
  report.privacy_before = privacy_of(table, encoding, group_rows(table.rows, before), kRiskThreshold);
  report.privacy = privacy_of(table, encoding, groups, kRiskThreshold);
  CountedTable counted(table, encoding);
  std::vector<std::string> quasi;
  for (const Column& column : table.quasi) quasi.push_back(column.name);
  for (const Requirement& requirement : requirements_of(job, quasi)) {
    progress.check();
    if (requirement.models.empty()) continue;
    RequirementValues values{{}, requirement.k, {}, {}};
    std::vector<GroupKey> keys_before, keys_after;
    for (size_t j : requirement.columns) {
      values.columns.push_back(quasi[j]);
      keys_before.push_back(before[j]);
      keys_after.push_back(after[j]);
    }
    values.before = asked_values(counted, requirement, group_rows(table.rows, keys_before));
    values.after =
        asked_values(counted, requirement, group_rows(table.rows, keys_after, matched.released.dropped_rows));
    report.requirements.push_back(std::move(values));
  }
  report.rows_in = table.rows;
  report.rows_out = matched.rows_out;
  return report;
}

Job as_it_stands(const Job& job, const TableSource& source) {
  Job present = job;
  // A release has no identifiers any more, and its risk is asked for with the job that made it.
  std::erase_if(present.columns, [&](const ColumnJob& column) {
    return !is_released(column.role) && column.role != Role::none && !source.find(column.name);
  });
  for (ColumnJob& column : present.columns) {
    if (column.role == Role::sensitive && column.hierarchy && !column.hierarchy->file.empty() &&
        !column.hierarchy->tree) {
      column.hierarchy.reset();  // not read
    }
    if (column.role == Role::sensitive) continue;
    // Ranges are no numbers.
    if (column.type == ColumnType::numeric) column.type = ColumnType::automatic;
    if (column.type == ColumnType::ordinal || column.type == ColumnType::date) column.type = ColumnType::categorical;
    column.order.clear();
    if (column.hierarchy && column.type == ColumnType::automatic) column.type = ColumnType::categorical;
    column.hierarchy.reset();
  }
  return present;
}

namespace {

// The quasi columns as they stand: equal texts look alike, all spellings of "missing" are one value.
RawTable read_quasi(const Job& job, TableSource& source, const std::vector<ColumnPlan>& plan, Progress& progress) {
  RawTable raw = read_columns(source, columns_with(plan, Role::quasi), {}, progress);
  const MissingTexts missing_texts(job.missing);
  for (RawColumn& column : raw.columns) {
    std::vector<uint32_t> code_of_text;
    std::optional<uint32_t> missing;
    for (uint32_t text = 0; text < column.texts.size(); ++text) {
      const bool is_missing = missing_texts(column.texts[text]);
      if (is_missing && !missing) missing = text;
      code_of_text.push_back(is_missing ? *missing : text);
    }
    column.codes.visit([&](auto codes) {
      for (auto& code : codes) code = static_cast<std::remove_reference_t<decltype(code)>>(code_of_text[code]);
    });
  }
  return raw;
}

Groups groups_on(const RawTable& raw, const std::vector<size_t>& columns) {
  std::vector<GroupKey> keys;
  for (size_t j : columns) keys.push_back({&raw.columns[j].codes, raw.columns[j].texts.size()});
  return group_rows(raw.rows, keys);
}

// The models of the population that a requirement asks for.
std::vector<ModelValues> values_beside(const PopulationFit* fit, const Requirement& requirement, const RawTable& raw,
                                       const Groups& groups, const TableSource& source) {
  std::vector<ModelValues> values;
  for (const ModelSpec& model : requirement.models) {
    if (!of_population(model)) continue;
    if (fit == nullptr) throw_no_population(model);
    values.push_back(population_values(model, groups, fit->people_of(raw, requirement.columns, groups, source)));
  }
  return values;
}

std::vector<double> weights_of(const std::string& name, TableSource& source, const Progress& progress) {
  const auto found = source.find(name);
  if (!found) {
    throw Error(ErrorKind::job,
                fmt::format("no column '{}' in '{}'{}", name, source.name(), did_you_mean(name, source.columns())));
  }
  const RawColumn column = std::move(read_columns(source, {*found}, {}, progress).columns.front());
  std::vector<double> of_text;
  for (size_t text = 0; text < column.texts.size(); ++text) {
    const auto number = parse_number(column.texts[text]);
    if (!number || !(*number >= 1)) {
      throw Error(ErrorKind::input,
                  fmt::format("'{}' {}: '{}' in the column '{}' is not a weight: for how many people "
                              "a row stands, a number of at least 1",
                              source.name(), source.place(column.first_rows[text]), column.texts[text], name));
    }
    of_text.push_back(*number);
  }
  std::vector<double> weights(column.codes.size());
  for (size_t row = 0; row < weights.size(); ++row) weights[row] = of_text[column.codes[row]];
  return weights;
}

PopulationCounts counts_of(const PopulationFit& fit, const Groups& groups, const std::vector<uint64_t>& people) {
  PopulationCounts counts;
  counts.people = fit.people();
  for (size_t g = 0; g < people.size(); ++g) {
    const double share = people[g] == 0 ? std::numeric_limits<double>::infinity()
                                        : static_cast<double>(groups.sizes[g]) / static_cast<double>(people[g]);
    counts.fewest = g == 0 ? people[g] : std::min(counts.fewest, people[g]);
    counts.smallest_share = g == 0 ? share : std::min(counts.smallest_share, share);
    counts.largest_share = std::max(counts.largest_share, share);
  }
  return counts;
}

// The people that each group stands for.
std::optional<PopulationRisk> population_of(const RiskSettings& settings, TableSource& source, const Groups& groups,
                                            const Progress& progress) {
  if (!settings.population_size && settings.weight_column.empty()) return std::nullopt;
  if (settings.population_size && !settings.weight_column.empty()) {
    throw Error(ErrorKind::job, "a population size and a column of weights; give one of them");
  }
  const size_t rows = groups.group_of_row.size();
  std::vector<double> people(groups.sizes.size(), 0);
  if (settings.population_size) {
    if (*settings.population_size < rows) {
      throw Error(ErrorKind::job,
                  fmt::format("a population of {} is smaller than the table, which has {}",
                              counted(*settings.population_size, "person", "people"), counted(rows, "row")));
    }
    const double each = static_cast<double>(*settings.population_size) / static_cast<double>(rows);
    for (size_t g = 0; g < people.size(); ++g) people[g] = groups.sizes[g] * each;
  } else {
    const std::vector<double> weights = weights_of(settings.weight_column, source, progress);
    for (size_t row = 0; row < rows; ++row) people[groups.group_of_row[row]] += weights[row];
  }
  return population_risk(groups.sizes, people);
}

}  // namespace

RiskReport risk_report(const Job& job, TableSource& source, const RiskSettings& settings, Progress& progress) {
  progress.stage("read");
  const double threshold = settings.threshold;
  const Job present = as_it_stands(job, source);
  const auto plan = plan_columns(present, source);
  const auto requirements = plan_requirements(present, plan);
  ReadTimings timings;
  const EncodedTable encoded = encode_table(present, source, {.with_rest = false}, timings, progress);
  CountedTable counted(encoded.table, encoded.encoding);
  const RawTable raw = read_quasi(job, source, plan, progress);  // risks need no hierarchies
  std::vector<GroupKey> keys;
  for (const RawColumn& column : raw.columns) keys.push_back({&column.codes, column.texts.size()});
  RiskReport report;
  report.rows = raw.rows;
  const Groups all = group_rows(raw.rows, keys);
  report.all_quasi = risk(all.sizes, threshold);
  report.privacy = privacy_of(encoded.table, encoded.encoding, all, threshold);
  report.population = population_of(settings, source, all, progress);
  std::optional<PopulationFit> fit;
  if (settings.population != nullptr) {
    fit.emplace(job, *settings.population, progress);
    std::vector<size_t> every(raw.columns.size());
    for (size_t j = 0; j < every.size(); ++j) every[j] = j;
    report.population_counts = counts_of(*fit, all, fit->people_of(raw, every, all, source));
  }
  if (settings.suda) {
    if (keys.size() > 64) {
      throw Error(ErrorKind::job,
                  fmt::format("SUDA2 scores are for up to 64 quasi columns, and there are {}", keys.size()));
    }
    report.suda = suda_scores(raw.rows, keys, suda_size(keys.size()), progress);
  }
  for (const Requirement& requirement : requirements) {
    RiskReport::PerRequirement entry;
    entry.k = requirement.k;
    for (size_t j : requirement.columns) entry.columns.push_back(raw.columns[j].name);
    const Groups groups = groups_on(raw, requirement.columns);
    entry.risk = risk(groups.sizes, threshold);
    for (uint32_t size : groups.sizes) entry.rows_below_k += size < requirement.k ? size : 0;
    entry.models = asked_values(counted, requirement, groups);
    for (ModelValues& values : values_beside(fit ? &*fit : nullptr, requirement, raw, groups, source)) {
      entry.models.push_back(std::move(values));
    }
    report.requirements.push_back(std::move(entry));
  }
  progress.stage("findings");
  report.findings = look_for_findings({.job = present, .source = source, .original = encoded, .said = &job}, progress);
  return report;
}

void measure_population(const Job& job, const MeasuredTables& tables, MeasureReport& report, Progress& progress) {
  std::optional<PopulationFit> fit;
  if (tables.population != nullptr) fit.emplace(job, *tables.population, progress);
  for (TableSource* source : {&tables.original, &tables.release}) {
    const Job present = as_it_stands(job, *source);
    const auto plan = plan_columns(present, *source);
    const RawTable raw = read_quasi(job, *source, plan, progress);
    size_t place = 0;  // among the requirements with models
    for (const Requirement& requirement : plan_requirements(present, plan)) {
      if (requirement.models.empty()) continue;
      RequirementValues& values = report.requirements.at(place++);
      for (ModelValues& found :
           values_beside(fit ? &*fit : nullptr, requirement, raw, groups_on(raw, requirement.columns), *source)) {
        (source == &tables.original ? values.before : values.after).push_back(std::move(found));
      }
    }
  }
}

ValueCounts column_values(const Job& job, TableSource& source, const std::string& column, Progress& progress) {
  const auto found = source.find(column);
  if (!found) {
    throw Error(ErrorKind::job,
                fmt::format("no column '{}' in '{}'{}", column, source.name(), did_you_mean(column, source.columns())));
  }
  const RawTable raw = read_columns(source, {*found}, {}, progress);
  const MissingTexts missing(job.missing);
  ValueCounts result;
  for (size_t text = 0; text < raw.columns[0].texts.size(); ++text) {
    const std::string& value = raw.columns[0].texts[text];
    if (missing(value)) continue;
    result.values.push_back(value);
    result.counts.push_back(raw.columns[0].counts[text]);
  }
  return result;
}

}  // namespace shoal
