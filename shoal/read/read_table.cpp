#include "shoal/read/read_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

#include "shoal/hierarchy/build.h"
#include "shoal/nearest_word.h"
#include "shoal/table/number.h"

namespace shoal {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The values of a quasi column without the missing ones, and where each raw text went.
struct KnownValues {
  static constexpr uint32_t kMissing = UINT32_MAX;
  std::vector<std::string> values;
  std::vector<uint64_t> counts;
  std::vector<uint64_t> first_rows;
  std::vector<uint32_t> value_of_text;  // index into values, or kMissing
  bool has_missing = false;
  std::string missing_text;  // the one spelling, "" when there are several
};

KnownValues known_values(const RawColumn& column, const std::set<std::string, std::less<>>& missing) {
  KnownValues known;
  for (size_t text = 0; text < column.texts.size(); ++text) {
    if (missing.contains(column.texts[text])) {
      known.missing_text = known.has_missing ? "" : column.texts[text];
      known.has_missing = true;
      known.value_of_text.push_back(KnownValues::kMissing);
      continue;
    }
    known.value_of_text.push_back(static_cast<uint32_t>(known.values.size()));
    known.values.push_back(column.texts[text]);
    known.counts.push_back(column.counts[text]);
    known.first_rows.push_back(column.first_rows[text]);
  }
  return known;
}

// The numbers of all values when the column is numeric: said so by the job, or, without a hierarchy, by every value.
std::vector<double> numbers_of(const KnownValues& known, const ColumnJob& column, bool has_hierarchy,
                               const Source& source) {
  if (column.type == ColumnType::categorical || known.values.empty()) return {};
  const bool declared = column.type == ColumnType::numeric;
  if (!declared && has_hierarchy) return {};
  std::vector<double> numbers;
  for (size_t i = 0; i < known.values.size(); ++i) {
    const auto number = parse_number(known.values[i]);
    if (number && (declared || !has_leading_zero(known.values[i]))) {
      numbers.push_back(*number);
      continue;
    }
    if (!declared) return {};
    throw Error(ErrorKind::input,
                fmt::format("'{}' {}: '{}' in the numeric column '{}' is not a finite number; mend the cell, list the "
                            "text under missing, or treat the column as categorical",
                            source.name(), source.place(known.first_rows[i]), known.values[i], column.name));
  }
  return numbers;
}

std::optional<Tree> tree_of(const Job& job, const std::string& column, const KnownValues& known, QuasiColumn& how,
                            std::vector<std::string>& notices) {
  const auto spec = hierarchy_of(job, column);
  if (!spec) {
    how.hierarchy = "flat";
    return std::nullopt;
  }
  if (spec->builder) {
    how.hierarchy = "build: " + spec->builder->kind;
    return build_tree(*spec->builder, known.values, known.counts);
  }
  how.hierarchy = spec->file;
  std::vector<HierarchyFault> warnings;
  Tree tree = read_tree(spec->file, &warnings);
  if (!warnings.empty()) {
    notices.push_back(fmt::format(
        "hierarchy of '{}': {} line {}: {}{}", column, spec->file, warnings[0].line, warnings[0].message,
        warnings.size() > 1 ? fmt::format(" (and {} more; see `shoal hierarchy check`)", warnings.size() - 1) : ""));
  }
  return tree;
}

// Replaces raw codes by leaf positions.
Codes leaf_codes(const RawColumn& column, const KnownValues& known, const BoundHierarchy& bound) {
  std::vector<uint32_t> leaf_of_text;
  for (uint32_t value : known.value_of_text) {
    leaf_of_text.push_back(value == KnownValues::kMissing ? bound.missing_leaf : bound.leaf_of_value[value]);
  }
  Codes leaves(column.codes.size(), bound.hierarchy.leaves());
  column.codes.visit([&](auto raw) {
    leaves.visit([&](auto codes) {
      using Code = typename decltype(codes)::value_type;
      for (size_t row = 0; row < raw.size(); ++row) codes[row] = static_cast<Code>(leaf_of_text[raw[row]]);
    });
  });
  return leaves;
}

void encode_quasi(const Job& job, const Source& source, const RawColumn& raw, EncodedTable& encoded) {
  std::set<std::string, std::less<>> missing(job.missing.begin(), job.missing.end());
  missing.insert("");
  const KnownValues known = known_values(raw, missing);
  QuasiColumn how;
  how.tree = tree_of(job, raw.name, known, how, encoded.notices);
  ColumnValues values{raw.name, known.values, known.has_missing, known.missing_text, {}};
  values.numbers = numbers_of(known, *job.find_column(raw.name), how.tree.has_value(), source);
  how.type = values.numbers.empty() ? "categorical" : "numeric";
  const ValuePlace place = [&](size_t value) { return source.place(known.first_rows[value]); };
  const auto unknown = job.unknown_values_under_root ? UnknownValues::under_root : UnknownValues::refuse;
  BoundHierarchy bound = how.tree ? bind_tree(*how.tree, values, unknown, place) : bind_flat(values);
  Column column{raw.name, leaf_codes(raw, known, bound), std::move(bound.leaf_texts)};
  encoded.table.quasi.push_back(std::move(column));
  encoded.hierarchies.push_back(std::move(bound.hierarchy));
  encoded.quasi.push_back(std::move(how));
}

}  // namespace

std::vector<ColumnPlan> plan_columns(const Job& job, const Source& source) {
  std::vector<ColumnPlan> plan;
  for (const std::string& name : source.columns()) {
    const ColumnJob* column = job.find_column(name);
    plan.push_back({name, column ? column->role : Role::plain});
  }
  auto must_exist = [&](const std::string& name) {
    if (source.find(name)) return;
    throw Error(ErrorKind::job,
                fmt::format("no column '{}' in '{}'{}", name, source.name(), did_you_mean(name, source.columns())));
  };
  for (const ColumnJob& column : job.columns) must_exist(column.name);
  for (const RequirementJob& requirement : job.requirements) {
    for (const std::string& name : requirement.columns) must_exist(name);
  }
  return plan;
}

std::vector<Requirement> plan_requirements(const Job& job, const std::vector<ColumnPlan>& columns) {
  std::vector<std::string> quasi;
  for (const ColumnPlan& column : columns) {
    if (column.role == Role::quasi) quasi.push_back(column.name);
  }
  std::vector<Requirement> requirements;
  if (job.k) {
    Requirement all{{}, *job.k};
    for (size_t j = 0; j < quasi.size(); ++j) all.columns.push_back(j);
    requirements.push_back(all);
  }
  for (const RequirementJob& asked : job.requirements) {
    Requirement requirement{{}, asked.k};
    for (const std::string& name : asked.columns) {
      const auto found = std::find(quasi.begin(), quasi.end(), name);
      if (found == quasi.end()) {
        throw Error(
            ErrorKind::job,
            fmt::format("the requirement on '{}' names a column that is not quasi; give it the role quasi", name));
      }
      requirement.columns.push_back(static_cast<size_t>(found - quasi.begin()));
    }
    std::sort(requirement.columns.begin(), requirement.columns.end());
    requirement.columns.erase(std::unique(requirement.columns.begin(), requirement.columns.end()),
                              requirement.columns.end());
    requirements.push_back(requirement);
  }
  return requirements;
}

EncodedTable read_table(const Job& job, const Source& source, DuckDb& duck, bool with_rest, ReadTimings& timings,
                        Progress& progress) {
  const auto start = Clock::now();
  const auto plan = plan_columns(job, source);
  std::vector<size_t> columns, fingerprint;
  for (size_t j = 0; j < plan.size(); ++j) {
    const Role role = plan[j].role;
    if (role == Role::quasi || role == Role::sensitive || role == Role::target) columns.push_back(j);
    if (with_rest && (role == Role::plain || role == Role::sensitive)) fingerprint.push_back(j);
  }
  RawTable raw = read_columns(source, columns, fingerprint, duck, progress);
  const auto read_end = Clock::now();
  timings.read += std::chrono::duration<double>(read_end - start).count();

  EncodedTable encoded;
  encoded.table.rows = raw.rows;
  encoded.table.rest = std::move(raw.rest);
  for (size_t i = 0; i < columns.size(); ++i) {
    progress.check();
    RawColumn& column = raw.columns[i];
    if (plan[columns[i]].role == Role::quasi) {
      encode_quasi(job, source, column, encoded);
      column.codes = Codes();
      continue;
    }
    Column plain{column.name, std::move(column.codes), std::move(column.texts)};
    if (plan[columns[i]].role == Role::target) {
      encoded.table.target = std::move(plain);
    } else {
      encoded.table.sensitive.push_back(std::move(plain));
    }
  }
  timings.encode += std::chrono::duration<double>(Clock::now() - read_end).count();
  return encoded;
}

std::optional<HierarchySpec> hierarchy_of(const Job& job, const std::string& column) {
  if (const ColumnJob* own = job.find_column(column); own && own->hierarchy) return own->hierarchy;
  if (job.hierarchies.empty()) return std::nullopt;
  std::error_code failed;
  std::vector<std::string> exact, suffixed;
  for (const auto& entry : fs::directory_iterator(job.hierarchies, failed)) {
    const std::string extension = entry.path().extension().string(), stem = entry.path().stem().string();
    if (extension != ".csv" && extension != ".tsv" && extension != ".txt" && extension != ".tree" &&
        extension != ".json") {
      continue;
    }
    if (stem == column) exact.push_back(entry.path().string());
    if (stem.ends_with("_" + column)) suffixed.push_back(entry.path().string());
  }
  if (failed) {
    throw Error(ErrorKind::job,
                fmt::format("cannot read the hierarchies folder '{}': {}", job.hierarchies, failed.message()));
  }
  std::vector<std::string>& found = exact.empty() ? suffixed : exact;
  if (found.empty()) return std::nullopt;
  std::sort(found.begin(), found.end());
  if (found.size() > 1) {
    throw Error(ErrorKind::job, fmt::format("two hierarchy files for the column '{}': '{}' and '{}'; name one with "
                                            "--hierarchy {}=FILE",
                                            column, found[0], found[1], column));
  }
  return HierarchySpec{found[0], std::nullopt};
}

}  // namespace shoal
