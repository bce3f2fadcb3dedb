#include "shoal/examine/inspect.h"

#include <algorithm>

#include "shoal/encode/encoding.h"
#include "shoal/examine/examine.h"
#include "shoal/examine/findings.h"
#include "shoal/examine/role_rules.h"
#include "shoal/hierarchy/choose_builder.h"
#include "shoal/run/tasks.h"

namespace shoal {
namespace {

constexpr size_t kMostFileValues = 5'000;  // a longer hierarchy file is nothing that a person edits

// Numbers with a decimal comma in a column that would be numbers but for it.
bool has_comma_numbers(const ColumnProfile& column) {
  return column.distinct > 1 && column.shapes.comma_numbers == column.distinct && column.shapes.comma_proofs > 0 &&
         column.shapes.numbers < column.distinct;
}

// How a quasi column is to be recoded, where its values are at hand.
std::optional<ChosenBuilder> suggested_builder(const ColumnProfile& profile, const TypeGuess& type) {
  if (profile.values.empty() && type.type != ValueType::date) return std::nullopt;
  const bool names = type.job_type != ColumnType::numeric;
  if (type.type == ValueType::date) {
    // More days than are held: the format is known all the same.
    const std::vector<DateFormat> formats = profile.shapes.dates.possible();
    const bool times = profile.shapes.dates.any_time();
    return ChosenBuilder{{"dates",
                          {{"format", std::string(to_string(formats.front()))},
                           {"levels", times ? "day,month,quarter,year,decade" : "month,quarter,year,decade"}}},
                         times ? "day, month, quarter, year, decade" : "month, quarter, year, decade"};
  }
  ChosenBuilder chosen = choose_builder(profile.values, profile.counts, names ? ValueKind::names : ValueKind::any);
  if (chosen.builder.kind == "flat") return std::nullopt;
  return chosen;
}

bool worth_a_file(const BuilderSpec& builder, const ColumnProfile& profile) {
  return (builder.kind == "codes" || builder.kind == "frequency" || builder.kind == "ordinal") &&
         profile.values.size() <= kMostFileValues;
}

void suggest(const ColumnProfile& profile, const TypeGuess& type, ColumnInspection& column, Job& job) {
  ColumnJob& entry = job.column(column.name);
  entry.role = column.role;
  if (column.role != Role::quasi) return;
  entry.type = type.job_type;
  const std::optional<ChosenBuilder> chosen = suggested_builder(profile, type);
  if (!chosen) {
    column.hierarchy = type.job_type == ColumnType::numeric ? "ranges" : "flat: kept or hidden";
    return;
  }
  column.hierarchy = chosen->reason;
  entry.hierarchy = HierarchySpec{"", chosen->builder, std::nullopt};
  if (worth_a_file(chosen->builder, profile) && type.job_type != ColumnType::numeric) {
    column.values = profile.values;
    column.counts = profile.counts;
  }
}

std::vector<Finding> findings_of(const Job& job, TableSource& source, Progress& progress) {
  const Job present = as_it_stands(job, source);
  ReadTimings timings;
  const EncodedTable encoded = encode_table(present, source, {.with_rest = false}, timings, progress);
  std::vector<Finding> findings = look_for_findings({.job = present, .source = source, .original = encoded}, progress);
  // Types are stated by the job, and groups of a table as it stands are mostly single rows, which have one value each.
  std::erase_if(findings,
                [](const Finding& finding) { return finding.code == "types" || finding.code == "one-value"; });
  return findings;
}

void add_missing(const TableProfile& table, Inspection& inspection) {
  for (const ColumnProfile& column : table.columns) {
    for (const std::string& text : column.missing_texts) {
      if (std::find(inspection.missing.begin(), inspection.missing.end(), text) == inspection.missing.end()) {
        inspection.missing.push_back(text);
      }
    }
  }
  std::sort(inspection.missing.begin(), inspection.missing.end());
}

}  // namespace

Inspection inspect(TableSource& source, const InspectSettings& settings, Progress& progress) {
  progress.stage("read");
  const int threads = settings.threads > 0 ? settings.threads : hardware_threads();
  const TableProfile table =
      profile_table(source, {.missing = settings.missing, .seed = settings.seed}, threads, progress);
  progress.stage("look");
  std::vector<TypeGuess> types;
  for (const ColumnProfile& column : table.columns) types.push_back(guess_type(column));
  const std::vector<RoleGuess> roles = guess_roles(table, types);

  Inspection inspection;
  inspection.rows = table.rows;
  inspection.sampled = table.sampled;
  add_missing(table, inspection);
  Job job;
  std::vector<size_t> quasi;
  for (size_t j = 0; j < table.columns.size(); ++j) {
    const ColumnProfile& profile = table.columns[j];
    ColumnInspection column{.name = profile.name,
                            .type = types[j].words,
                            .distinct = profile.distinct,
                            .missing = profile.missing,
                            .unique = profile.once,
                            .separation = profile.separation,
                            .examples = profile.examples,
                            .role = roles[j].role,
                            .reason = roles[j].reason,
                            .careful = roles[j].careful,
                            .hierarchy = {},
                            .values = {},
                            .counts = {}};
    if (has_comma_numbers(profile)) {
      inspection.comma_columns.push_back(profile.name);
      inspection.point_thousands = inspection.point_thousands || profile.shapes.point_groups > 0;
    }
    if (column.role != Role::none) suggest(profile, types[j], column, job);
    if (column.role == Role::quasi) quasi.push_back(j);
    inspection.columns.push_back(std::move(column));
  }
  if (!quasi.empty()) {
    job.missing = inspection.missing;
    job.k = settings.k;
    inspection.sets = singling_sets(table, quasi, source, progress);
    if (settings.findings) inspection.findings = findings_of(job, source, progress);
    inspection.job = std::move(job);
  }
  return inspection;
}

}  // namespace shoal
